import { describe, it } from "mocha";

import { assertHolds, groupsOf } from "../reliability/input/property";
import { wire } from "../reliability/input/wire";
import { quickSeed } from "../support/seeded-random";

describe("api with random input", () => {
  const seed = quickSeed();

  for (const [group, properties] of groupsOf(wire())) {
    it(group, async () => {
      for (const property of properties) await assertHolds(property, seed, 10);
    });
  }
});
