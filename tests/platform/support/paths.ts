import { after, before } from "mocha";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { makeFastFolder } from "../../support/postgres-files";

/** For a suite: paths in a folder that is removed after its tests; without a name, the folder itself. */
export function suitePaths(): (name?: string) => string {
  let folder: string;
  before(() => {
    folder = makeFastFolder("neon-platform-test-");
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return (name = "") => join(folder, name);
}
