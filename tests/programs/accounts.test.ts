import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { branchNames, inventory, suiteStacks } from "../support/stack";

describe("programs: more than one account", function () {
  this.timeout(900_000);
  const one = suitePlatform({ operationTime: "20ms" });
  const two = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("each resource and lookup goes to the account of its provider", async () => {
    const stack = await newStack({
      config: { "app:urlOne": one().apiUrl, "neon:apiUrl": two().apiUrl },
      program: `
        const app = new pulumi.Config("app");
        const one = new neon.Provider("one", { apiKey: app.requireSecret("keyOne"), apiUrl: app.require("urlOne") });
        // The key is not declared as a secret, and the URL comes from the configuration.
        const two = new neon.Provider("two", { apiKey: app.get("keyTwo") });
        const first = new neon.Project("first", {}, { provider: one });
        new neon.Branch("of-first", { projectId: first.id }, { parent: first });
        const second = new neon.Project("second", {}, { provider: two });
        const names = async (provider) => (await neon.getProjects({}, { provider })).map(({ name }) => name);
        exports.before = Promise.all([names(one), names(two)]);
        exports.theirs = neon.getProjectOutput({ projectId: second.id }, { provider: two }).name;
        exports.inherited = neon.getBranchesOutput({ projectId: first.id }, { parent: first }).apply((all) => all.length > 0);
      `,
    });
    stack.configure({}, { "app:keyOne": one().apiKey, "app:keyTwo": two().apiKey });
    await one().project({ name: "there-already" });

    await stack.up();
    assert.deepEqual(stack.outputs(), { before: [["there-already"], []], theirs: "second", inherited: true });
    assert.deepEqual(Object.keys(await inventory(one())).sort(), ["first", "there-already"]);
    assert.deepEqual(await branchNames(one(), "first"), ["main", "of-first"]);
    assert.deepEqual(Object.keys(await inventory(two())), ["second"]);

    assert.match((await stack.up("--refresh")).text, /6 unchanged/);
    await stack.destroy();
    assert.deepEqual(Object.keys(await inventory(one())), ["there-already"]);
    assert.deepEqual(await inventory(two()), {});
  });

  it("a provider with an empty key fails, and does not use the stack's key", async () => {
    const stack = await newStack({
      platform: one(),
      program: `
        const lost = new neon.Provider("lost", { apiKey: pulumi.output(undefined) });
        new neon.Project("nowhere", {}, { provider: lost });
      `,
    });
    const { text } = await stack.failing("up");
    assert.match(text, /Provider "lost": `apiKey` was declared but has no value/);
    assert.equal((await inventory(one()))["nowhere"], undefined);
  });
});
