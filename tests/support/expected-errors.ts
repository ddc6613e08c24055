import assert from "node:assert/strict";

import { CallError } from "./dynamic-server";
import { CheckError } from "./engine";

/** Part of a text, or a pattern for it. */
type Text = string | RegExp;

function assertSays(text: string, expected: Text): void {
  if (expected instanceof RegExp) assert.match(text, expected);
  else assert.ok(text.includes(expected), text);
}

/** Accepts the error of a provider call whose message contains all of these texts. */
export function failsWith(...expected: readonly Text[]): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof CallError, String(error));
    for (const text of expected) assertSays(error.message, text);
    return true;
  };
}

/** Accepts the error of a `check` that refuses exactly these inputs, each for this reason. A string is the whole reason. */
export function refusesInputs(expected: Readonly<Record<string, Text>>): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof CheckError, String(error));
    assert.deepEqual(error.failures.map(({ property }) => property).sort(), Object.keys(expected).sort());
    for (const { property, reason } of error.failures) {
      const text = expected[property] ?? "";
      if (text instanceof RegExp) assert.match(reason, text);
      else assert.equal(reason, text);
    }
    return true;
  };
}
