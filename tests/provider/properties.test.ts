import { before, describe, it } from "mocha";

import { judging, useNowhere } from "../reliability/input/judging";
import { assertHolds, groupsOf } from "../reliability/input/property";
import { quickSeed } from "../support/seeded-random";

describe("generated inputs", () => {
  const seed = quickSeed();
  before(useNowhere);

  for (const [group, properties] of groupsOf(judging())) {
    it(group, async () => {
      for (const property of properties) await assertHolds(property, seed, 10);
    });
  }
});
