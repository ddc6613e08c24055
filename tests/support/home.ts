import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after } from "mocha";

/** A Pulumi home for the suite that asks for it, deleted after its tests. The journal is kept below it. */
export function suiteHome(): string {
  const home = mkdtempSync(join(tmpdir(), "neon-pulumi-home-"));
  after(() => rmSync(home, { recursive: true, force: true }));
  return home;
}
