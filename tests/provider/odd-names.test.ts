import { describe, it } from "mocha";

import type { KindName } from "../../provider/kinds";
import { oddLife } from "../reliability/input/lives";
import { quickSeed } from "../reliability/seeded-random";
import { suiteStage } from "../support/stage";

describe("a lifecycle with odd names", () => {
  const seed = quickSeed();
  const stage = suiteStage();

  // Kinds that are recovered by a tag and by their names, and one with an email address; the long run has all kinds.
  for (const kind of ["Branch", "Role", "ProjectPermission"] satisfies KindName[]) {
    it(`works for ${kind}`, () => oddLife(stage(), kind, seed));
  }
});
