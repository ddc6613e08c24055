import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { branchNames, inventory, suiteStacks } from "../support/stack";

describe("programs: taking over what is there", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();
  const created = async (projectId: string, name: string): Promise<string> => {
    const { body } = await platform().call("POST", `/projects/${projectId}/branches`, { branch: { name } });
    await platform().settled(projectId);
    return body.branch.id;
  };

  it("by id and by name, with what is declared applied, and never a difference later", async () => {
    const { project } = await platform().project({ name: "theirs" });
    const named = (await platform().project({ name: "named" })).project;
    const branchId = await created(project.id, "feature");
    await created(named.id, "by-name");
    const program = (ids: { project?: string; branch?: string; byName?: string } = {}): string => `
      const project = new neon.Project("shop", {
        name: "shop", historyRetentionSeconds: 7200, ${ids.project === undefined ? "" : `adopt: "${ids.project}"`}
      });
      new neon.Branch("pr", {
        projectId: project.id, compute: {}, ${ids.branch === undefined ? "" : `adopt: "${ids.branch}"`}
      });
      const named = new neon.Project("named", { ${ids.byName ?? ""} });
      new neon.Branch("by-name", { projectId: named.id, protected: true, ${ids.byName ?? ""} });
      new neon.Branch("fresh", { projectId: named.id, ${ids.byName ?? ""} });
    `;
    const stack = await newStack({
      platform: platform(),
      program: program({ project: project.id, branch: branchId, byName: "adopt: true" }),
    });
    await stack.up();
    const { shop, ...others } = await inventory(platform());
    assert.deepEqual(Object.keys(others), ["named"], "taken over, renamed, and no other made");
    assert.equal(shop?.id, project.id);
    assert.deepEqual(
      await branchNames(platform(), "shop"),
      ["feature", "main"],
      "what is adopted by id keeps its name",
    );
    assert.equal(shop.branches["feature"]?.length, 1, "the compute that was declared was made");
    assert.equal(others["named"]?.id, named.id);
    assert.deepEqual(await branchNames(platform(), "named"), ["by-name", "fresh", "main"]);
    assert.equal(stack.resource("pr").id, `${project.id}/${branchId}`);
    const taken = (await platform().call("GET", `/projects/${project.id}`)).body.project;
    assert.equal(taken.history_retention_seconds, 7200);

    // Omitted for the project, another object for the branch, and false for the others.
    stack.write(program({ branch: "br-other-one-000000", byName: "adopt: false" }));
    await stack.expectNoChanges(platform());
  });
});
