import assert from "node:assert/strict";

import type { Ended } from "../../support/ended";

/** What a run of the program that failed has said: it prints nothing else, and no stack. */
export function failed({ code, stdout, stderr }: Ended): string {
  assert.deepEqual([code, stdout], [1, ""], stderr);
  assert.ok(!stderr.includes("    at "), stderr);
  return stderr;
}
