import { before, describe, it } from "mocha";

import type { KindName } from "../../provider/v1";
import { judging, useNowhere } from "../reliability/input/judging";
import { oddLife } from "../reliability/input/lives";
import { assertHolds, groupsOf } from "../reliability/input/property";
import { quickSeed } from "../reliability/seeded-random";
import { samples } from "../support/samples";
import { suiteStage } from "../support/stage";

describe("generated inputs", () => {
  const seed = quickSeed();
  before(useNowhere);

  for (const [group, properties] of groupsOf(judging())) {
    it(group, async () => {
      for (const property of properties) await assertHolds(property, seed, 20);
    });
  }
});

describe("a lifecycle with odd names", () => {
  const seed = quickSeed();
  const stage = suiteStage();

  for (const [index, kind] of (Object.keys(samples) as KindName[]).entries()) {
    it(`works for ${kind}`, () => oddLife(stage(), kind, seed + index));
  }
});
