import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { tool } from "../support/tool";

interface Versions {
  isNewEnough: (text: string, oldest: string) => boolean;
}

describe("tools: the version of the Pulumi CLI", () => {
  const cases: [text: string, oldest: string, expected: boolean][] = [
    ["3.200.0", "3.200.0", true],
    ["v3.255.0\n", "3.200.0", true],
    ["3.1000.0", "3.200.0", true],
    ["3.99.9", "3.200.0", false],
    ["3.200.0-alpha.1", "3.200.0", false],
    ["3.201.0-alpha.1", "3.200.0", true],
    ["3.200.0+dirty", "3.200.0", true],
    ["4.0.0", "3.200.0", false],
    ["", "3.200.0", false],
    ["not a version", "3.200.0", false],
  ];
  for (const [text, oldest, expected] of cases) {
    it(`${JSON.stringify(text)} is ${expected ? "" : "not "}good enough for ${oldest}`, async () => {
      const { isNewEnough } = await tool<Versions>("cli/versions.mjs");
      assert.equal(isNewEnough(text, oldest), expected);
    });
  }
});
