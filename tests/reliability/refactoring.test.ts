import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { Objects } from "../support/account";
import { casesOf, nameOf } from "./refactoring";
import { type Facts, falsehoods } from "./refactoring/message-facts";

describe("refactorings", () => {
  it("names each case once", () => {
    const names = casesOf({}).map(nameOf);
    assert.deepEqual(names, [...new Set(names)]);
  });
});

describe("what is false in a message", () => {
  const path = "/projects/quiet-river-1";
  const here: Objects = new Map([[path, {}]]);
  const gone: Objects = new Map();
  const ran = { code: 1, stdout: "", text: "", ended: "badly", did: {}, messages: [] } as const;
  const ifKept = 'If this run does not delete it, declare adopt: "quiet-river-1".';
  for (const [text, after, count] of [
    ['Declare adopt: "quiet-river-1".', here, 1],
    ['If no other stack manages it, declare adopt: "quiet-river-1".', here, 0],
    ['Declare adopt: "loud-river-2".', here, 1],
    [ifKept, gone, 0],
    [ifKept.replace("quiet", "loud"), gone, 1],
    ['Declare adopt: "quiet-river-1".', gone, 1],
    ["The project quiet-river-1 is gone.", here, 1],
    ["The project loud-river-2 is gone.", here, 0],
    ["The project quiet-river-1 is still there. Nothing was deleted.", here, 0],
  ] as const) {
    it(`is ${count === 0 ? "nothing" : "found"} where the project ${after === here ? "stays" : "is deleted"}: ${text}`, () => {
      const facts: Facts = {
        before: here,
        after,
        heldBefore: new Set(),
        heldAfter: new Set(),
        foreign: new Set([path]),
        ran,
      };
      assert.equal([...falsehoods({ is: "error", urn: "", text }, facts)].length, count);
    });
  }
});
