import { after, before, describe, it } from "mocha";

import type { KindName } from "../../provider/v1";
import { FutureStage, futures, type Future } from "../reliability/input/future";
import { samples } from "../support/samples";

const kinds = Object.keys(samples) as KindName[];
const [, ...ofWhatIs] = Object.keys(futures) as Future[];

describe("a newer platform", () => {
  let tomorrow: FutureStage;
  before(async () => {
    tomorrow = await FutureStage.start();
  });
  after(() => tomorrow.stop());

  for (const kind of kinds) {
    it(`with additional members works with ${kind}`, () => tomorrow.life(kind, 0));
  }
  // The long run has every kind read all of them.
  for (const [index, kind] of kinds.entries()) {
    const [values, nulls, nothing] = ofWhatIs;
    for (const future of [nulls, index % 2 === 0 ? values : nothing]) {
      if (future !== undefined) it(`that says ${future} is read by ${kind}`, () => tomorrow.reading(kind, future));
    }
  }
});
