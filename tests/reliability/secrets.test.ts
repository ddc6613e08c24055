import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { runRounds } from "./secrets";
import { quickSeed } from "../support/seeded-random";

describe("reliability: secrets", function () {
  this.timeout(900_000);
  it("are told nowhere, whatever goes wrong in the life of a resource that has one", async () => {
    const seed = quickSeed();
    // One each of a personal key, a project, a branch and a role.
    const run = { seed, deadline: Infinity, say: () => undefined };
    const { counts, failures } = await runRounds(run, [0, 1, 2, 4]);
    assert.deepEqual(failures, []);
    assert.equal(counts["lives of resources"], 4);
    assert.ok((counts["planted secrets"] ?? 0) >= 6, JSON.stringify({ seed, counts }));
  });
});
