import { before, describe, it } from "mocha";

import type { KindName } from "../../provider/kinds";
import { judging, useNowhere } from "../reliability/input/judging";
import { oddLife } from "../reliability/input/lives";
import { assertHolds, groupsOf } from "../reliability/input/property";
import { quickSeed } from "../reliability/seeded-random";
import { suiteStage } from "../support/stage";

describe("generated inputs", () => {
  const seed = quickSeed();
  before(useNowhere);

  for (const [group, properties] of groupsOf(judging())) {
    it(group, async () => {
      for (const property of properties) await assertHolds(property, seed, 10);
    });
  }
});

describe("a lifecycle with odd names", () => {
  const seed = quickSeed();
  const stage = suiteStage();

  // Kinds that are recovered by a tag and by their names, and one with an email address; the long run has all kinds.
  for (const kind of ["Branch", "Role", "ProjectPermission"] satisfies KindName[]) {
    it(`works for ${kind}`, () => oddLife(stage(), kind, seed));
  }
});
