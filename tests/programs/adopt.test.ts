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

  it("a replacement never takes over what it is about to delete", async () => {
    const { project } = await platform().project({ name: "moving" });
    const base = await created(project.id, "base");
    const branchId = await created(project.id, "kept");
    const program = (adopt: string, more = ""): string => `
      new neon.Branch("kept", { projectId: "${project.id}", ${adopt} ${more} });
    `;
    const stack = await newStack({ platform: platform(), program: program(`adopt: "${branchId}",`) });
    await stack.up();

    stack.write(program(`adopt: "${branchId}",`, `parentId: "${base}"`));
    const refused = await stack.failing("up");
    assert.match(
      refused.text,
      /This change replaces the branch br-[\w-]+, and `adopt` names the same object: .*Remove `adopt` to create a new one\./,
    );
    assert.equal(stack.resource("kept").id, `${project.id}/${branchId}`);
    assert.ok((await branchNames(platform(), "moving")).includes("kept"), "nothing was deleted");

    stack.write(program("adopt: true,", `parentId: "${base}"`));
    assert.match((await stack.up()).text, /\+-1 replaced/);
    const { branches } = (await platform().call("GET", `/projects/${project.id}/branches`)).body;
    const [kept] = branches.filter(({ name }) => name === "kept");
    assert.notEqual(kept?.id, branchId);
    assert.equal(kept?.parent_id, base);
    assert.equal(stack.resource("kept").id, `${project.id}/${kept.id}`);
    await stack.expectNoChanges(platform());
  });

  it("names the line that takes over what is in the way, and releases the branch that came with its project", async () => {
    const { project, branch: main } = await platform().project({ name: "first" });
    const inTheWay = await created(project.id, "taken");
    const program = (line = ""): string => `
      new neon.Branch("main", { projectId: "${project.id}", name: "trunk", compute: { suspendTimeoutSeconds: 600 }, adopt: "${main.id}" });
      new neon.Branch("taken", { projectId: "${project.id}", ${line} });
    `;
    const stack = await newStack({ platform: platform(), program: program() });
    const { text } = await stack.failing("up", "--continue-on-error");
    assert.deepEqual(await branchNames(platform(), "first"), ["taken", "trunk"]);
    const line =
      /A branch with this name already exists: [\w/-]+ \(.*\)\. If no other stack manages it, declare `(adopt: "[\w-]+")`/.exec(
        text,
      )?.[1];
    assert.equal(line, `adopt: "${inTheWay}"`, text);
    stack.write(program(line));
    await stack.up();
    assert.equal(stack.resource("taken").id, `${project.id}/${inTheWay}`);

    assert.match(
      (await stack.destroy()).text,
      /warning: The branch trunk \(br-[\w-]+\) was created with its project and is deleted only with it\. It was removed from the Pulumi state but not deleted\./,
    );
    stack.assertEmpty();
    assert.deepEqual(await branchNames(platform(), "first"), ["trunk"]);
  });
});
