import { after, before, describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { FutureStage, futures, type Future } from "../reliability/input/future";

/** Kinds with and without operations, an annotation and a secret; the long run has all of them. */
const kinds = ["Project", "Branch", "Role", "ProjectApiKey", "JwksUrl"] satisfies KindName[];
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
  for (const [index, kind] of kinds.entries()) {
    const future = ofWhatIs[index % ofWhatIs.length];
    if (future !== undefined) it(`that says ${future} is read by ${kind}`, () => tomorrow.reading(kind, future));
  }
});
