import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { programText, randomProgram } from "../reliability/concurrency/program";
import { trafficOf } from "../reliability/concurrency/traffic";
import { quickSeed, seededRandom } from "../support/seeded-random";
import { createdObjectsByAuditor, disagreementTexts, objectsInState } from "../reliability/created-objects";
import { suitePlatform } from "../support/platform";
import { suiteStacks } from "../support/stack";

describe("programs: two stacks of one account at the same time", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "10ms-100ms", rateLimit: true });
  const newStack = suiteStacks();
  const seed = quickSeed();

  it("both finish in one project: what is theirs is there once, and 423 and 429 have cost time only", async () => {
    const { project } = await platform().project({ name: "home", org_id: await platform().firstOrganization() });
    const home = await createdObjectsByAuditor(platform());
    const draw = seededRandom(seed);
    const both = await Promise.all(
      ["one", "two"].map(async (prefix) => {
        const program = randomProgram({ prefix, homes: [project.id], projects: 0, resources: 8, draw });
        // One of them has a provider of its own and reads while the other one works.
        const text =
          prefix === "one"
            ? programText(program)
            : `const own = new neon.Provider("own");
               const read = neon.getBranches({ projectId: "${project.id}" }, { provider: own });
               ${programText(program, "{ provider: own }")}`;
        return newStack({ platform: platform(), config: { "neon:logLevel": "info" }, program: text });
      }),
    );
    await platform().clearRequests();
    for (const { text } of await Promise.all(both.map((stack) => stack.up()))) {
      assert.match(text, /^ +neon: POST \/projects\/[\w-]+\/branches 201 \d+ ms [\w-]+$/m);
    }
    const owners = [home, ...both.map((stack) => objectsInState(stack.everyResource()))];
    assert.deepEqual(disagreementTexts(await createdObjectsByAuditor(platform()), owners), [], `seed ${seed}`);
    const { requests, busy, limited } = await trafficOf(platform());
    console.log(`    two stacks at once: ${requests} requests, ${busy} × 423, ${limited} × 429 (seed ${seed})`);
  });
});
