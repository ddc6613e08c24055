import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { failureOf, groupsOf } from "../reliability/input/property";
import { wire } from "../reliability/input/wire";
import { quickSeed } from "../reliability/seeded-random";

describe("api with random input", () => {
  const seed = quickSeed();

  for (const [group, properties] of groupsOf(wire())) {
    it(group, async () => {
      const failure = await failureOf(properties, seed, 10);
      assert.equal(failure, undefined, failure);
    });
  }
});
