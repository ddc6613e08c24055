import assert from "node:assert/strict";

import type { Values } from "./provider-server";

/** Asserts that the outputs of a resource include these. */
export function assertOutputs(outputs: Values, expected: Values): void {
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(outputs[name], value, name);
}
