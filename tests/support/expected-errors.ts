import assert from "node:assert/strict";

import { CallError } from "./provider-server";
import { CheckError } from "./engine";

/** A part of a text, a pattern that matches it, or a pattern that does not. */
export type Expected = string | RegExp | { readonly without: RegExp };

/** A wrong article, a doubled full stop, or a colon after one. */
const slip = /\b[Aa] (?:API|OAuth|object|organization)|\ban? an?\b|[^.]\.\.(?:\s|$)|\.:/;

/** Asserts that a text contains, matches or does not match all of these. */
export function assertSays(text: string, ...expected: readonly Expected[]): void {
  assert.doesNotMatch(text, slip);
  for (const one of expected) {
    if (typeof one === "string") assert.ok(text.includes(one), text);
    else if (one instanceof RegExp) assert.match(text, one);
    else assert.doesNotMatch(text, one.without);
  }
}

/** Accepts the error of a provider call whose message contains all of this. */
export function failsWith(...expected: readonly Expected[]): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof CallError, String(error));
    assertSays(error.message, ...expected);
    return true;
  };
}

/** Accepts the error of a `check` that rejects only `adopt`, for a reason that contains all of this. */
export function refusesAdoption(...expected: readonly Expected[]): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof CheckError, String(error));
    const [failure] = error.failures;
    assert.deepEqual([error.failures.length, failure?.property], [1, "adopt"], String(error));
    assertSays(failure?.reason ?? "", ...expected);
    return true;
  };
}

/** The reasons why inputs are rejected: by property, the whole text or a pattern. */
export type Refusals = Readonly<Record<string, string | RegExp>>;

/** Asserts that exactly these inputs are rejected, for these reasons. */
export function assertRefused(failures: CheckError["failures"], expected: Refusals): void {
  assert.deepEqual(failures.map(({ property }) => property).sort(), Object.keys(expected).sort());
  for (const { property, reason } of failures) {
    const text = expected[property] ?? "";
    if (text instanceof RegExp) assert.match(reason, text);
    else assert.equal(reason, text);
  }
}

/** Accepts the error of a `check` that rejects exactly these inputs. */
export function refusesInputs(expected: Refusals): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof CheckError, String(error));
    assertRefused(error.failures, expected);
    return true;
  };
}
