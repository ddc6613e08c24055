import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../../support/platform";
import { suiteStacks } from "../../support/stack";
import { shortCases, titleOf } from "./cases";
import { check } from "./check";

describe("package: compatibility", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  for (const one of shortCases) {
    const expected = one.dependent === "program" ? "works" : "says what to install";
    it(`${titleOf(one)}: ${expected}`, async () => {
      assert.equal(await check(one, platform(), newStack), expected);
    });
  }
});
