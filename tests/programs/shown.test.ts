import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { suiteStacks } from "../support/stack";

describe("programs: what the CLI shows", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("is true for an alias rename, added customTimeouts, a lookup that is refreshed, and destroy --target-dependents", async () => {
    const { project: other } = await platform().project({ name: "looked-up" });
    const program = (branch: string, more = ""): string => `
      const project = new neon.Project("shown", {});
      const pr = ${branch};
      new neon.Role("app", { projectId: project.id, branchId: pr.branchId });
      ${more}
    `;
    const stack = await newStack({
      platform: platform(),
      program: program('new neon.Branch("old-name", { projectId: project.id, name: "pr", compute: {} })'),
    });
    await stack.up();

    const branch = (name: string, timeouts = ""): string =>
      `new neon.Branch("new-name", { projectId: project.id, name: "${name}", compute: {} }, { aliases: [{ name: "old-name" }]${timeouts} })`;
    const lookup = `neon.Project.get("lookup", "${other.id}");`;
    stack.write(program(branch("pr"), lookup));
    assert.match((await stack.up()).text, /4 unchanged/);

    stack.write(program(branch("pr-42", ', customTimeouts: { delete: "3m" }'), lookup));
    const { text: edit } = await stack.up("--diff");
    assert.match(edit, /~ name *: "pr" => "pr-42"/);
    assert.doesNotMatch(edit, /__neon|urn:.*=>/);
    assert.match(edit, /~ 1 updated/);

    const { text: refreshed } = await stack.refresh("--diff");
    assert.match(refreshed, /Resources:\n +5 unchanged/);
    assert.doesNotMatch(refreshed, /- projectId/);

    const { text: destroyed } = await stack.destroy("--target", stack.resource("new-name").urn, "--target-dependents");
    assert.match(destroyed, /- 2 deleted/);
    assert.doesNotMatch(destroyed, /replace/i);
    assert.doesNotMatch(destroyed, /old-name/);
    assert.deepEqual([...stack.resources().keys()].sort(), ["lookup", "shown"]);
  });
});
