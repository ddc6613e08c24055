import { describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { unusualLife } from "../reliability/input/lives";
import { quickSeed } from "../support/seeded-random";
import { suiteStage } from "../support/stage";

describe("a lifecycle with unusual names", () => {
  const seed = quickSeed();
  const stage = suiteStage();

  // Kinds that are recovered by a tag and by their names, and one with an email address; the long run has all kinds.
  for (const kind of ["Branch", "Role", "ProjectPermission"] satisfies KindName[]) {
    it(`works for ${kind}`, () => unusualLife(stage(), kind, seed));
  }
});
