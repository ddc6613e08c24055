import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { createdObjects, disagreementTexts, objectsInState } from "../reliability/created-objects";
import { suitePlatform } from "../support/platform";
import { suiteStacks } from "../support/stack";

describe("programs: two stacks of one account at the same time", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "10ms-100ms", rateLimit: true });
  const newStack = suiteStacks();

  it("both finish in one project: each object exists once, and 423 and 429 only cost time", async () => {
    const { project } = await platform().project({ name: "home", org_id: await platform().firstOrganization() });
    const home = await createdObjects(platform());
    const programOf = (prefix: string, options: string): string => `
      for (const name of ["${prefix}-1", "${prefix}-2"]) {
        const branch = new neon.Branch(name, { projectId: "${project.id}", compute: {} }, ${options});
        const place = { projectId: "${project.id}", branchId: branch.branchId };
        const role = new neon.Role(name, place, ${options});
        new neon.Database(name, { ...place, ownerName: role.name }, ${options});
      }`;
    // One stack has an explicit provider, and reads while the other one works.
    const programs = [
      programOf("one", "{}"),
      `const own = new neon.Provider("own");
       const read = neon.getBranches({ projectId: "${project.id}" }, { provider: own });
       ${programOf("two", "{ provider: own }")}`,
    ];
    const config = { "neon:logLevel": "info" };
    const both = await Promise.all(programs.map((program) => newStack({ platform: platform(), config, program })));
    for (const { text } of await Promise.all(both.map((stack) => stack.up()))) {
      assert.match(text, /^ +neon: POST \/projects\/[\w-]+\/branches 201 \d+ ms [\w-]+$/m);
    }
    const owners = [home, ...both.map((stack) => objectsInState(stack.everyResource()))];
    assert.deepEqual(disagreementTexts(await createdObjects(platform()), owners), []);
  });
});
