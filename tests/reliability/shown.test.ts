import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { faultsOfText } from "./shown";
import { about, good, bad } from "./shown-cases";

describe("the judge of errors", () => {
  for (const text of good) {
    it(`finds no fault with: ${text}`, () => {
      assert.deepEqual([...faultsOfText(text, about)], []);
    });
  }

  for (const [fault, text] of bad) {
    it(`${fault}: ${text.slice(0, 120)}`, () => {
      const faults = [...faultsOfText(text, about)];
      assert.ok(faults.includes(fault), `it finds only: ${faults.join("; ")}`);
    });
  }
});
