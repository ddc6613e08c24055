import assert from "node:assert/strict";

import type { Ended } from "../../support/ended";

/** Asserts that a program failed with an error alone, and no stack. Returns the error. */
export function failed({ code, stdout, stderr }: Ended): string {
  assert.deepEqual([code, stdout], [1, ""], stderr);
  assert.ok(!stderr.includes("    at "), stderr);
  return stderr;
}
