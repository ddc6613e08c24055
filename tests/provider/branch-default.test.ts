import assert from "node:assert/strict";

import { describe } from "mocha";

import { CallError, type Values } from "../support/dynamic-server";
import { CheckError, type EngineResource } from "../support/engine";
import { concurrently, suiteStage, type Stage } from "../support/stage";

/** The project's default branch, as the platform tells. */
async function defaultOf(stage: Stage, projectId: string): Promise<string> {
  const marked = (await stage.branches(projectId)).filter((branch) => branch.default);
  assert.equal(marked.length, 1);
  return marked[0]?.id ?? "";
}

function branchId({ outputs }: EngineResource): string {
  return String(outputs["branchId"]);
}

/** Neither an unchanged program nor a refresh finds anything to do. */
async function assertSettled(resource: EngineResource, args: Values): Promise<void> {
  const { inputs, outputs } = resource.present;
  assert.equal(await resource.refresh(), "same");
  assert.deepEqual(resource.present.inputs, inputs);
  assert.deepEqual(resource.present.outputs, outputs);
  assert.equal(await resource.up(args), "same");
}

async function assertStays(resource: EngineResource, reason: RegExp): Promise<void> {
  const before = resource.present;
  await assert.rejects(resource.destroy(), (error) => {
    assert.ok(error instanceof CallError);
    assert.match(error.message, reason);
    return true;
  });
  assert.deepEqual(resource.state, before);
}

describe("the default branch", () => {
  const stage = suiteStage();
  const test = concurrently();

  test("is the one that says so: made, then marked, in a request of its own", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const args = { projectId: project.id, default: true };
    await branch.up(args);
    assert.equal(await defaultOf(stage(), project.id), branchId(branch));
    const [creation, marking, ...rest] = await stage().sent(project.id);
    assert.equal(creation?.path, `/projects/${project.id}/branches`);
    assert.ok(!("default" in (creation.body as { branch: Values }).branch));
    assert.equal(marking?.path, `/projects/${project.id}/branches/${branchId(branch)}/set_as_default`);
    assert.deepEqual(rest, []);
    await assertSettled(branch, args);
  });

  test("is another one in place when the program says so: two branches change, and neither drifts", async () => {
    const project = await stage().project();
    const [one, other] = [stage().resource("Branch"), stage().resource("Branch")];
    const base = { projectId: project.id };
    await one.up({ ...base, default: true });
    await other.up(base);
    const before = (await stage().sent(project.id)).length;
    assert.equal(await one.up(base), "update");
    assert.equal(await other.up({ ...base, default: true }), "update");
    const sent = (await stage().sent(project.id)).slice(before);
    assert.deepEqual(
      sent.map(({ path, body }) => [path, body]),
      [[`/projects/${project.id}/branches/${branchId(other)}/set_as_default`, undefined]],
    );
    assert.equal(await defaultOf(stage(), project.id), branchId(other));
    await assertSettled(one, base);
    await assertSettled(other, { ...base, default: true });

    // And back again.
    assert.equal(await other.up(base), "update");
    assert.equal(await one.up({ ...base, default: true }), "update");
    assert.equal(await defaultOf(stage(), project.id), branchId(one));
    await assertSettled(one, { ...base, default: true });
    await assertSettled(other, base);
  });

  test("that somebody else makes another one is no difference", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const args = { projectId: project.id, default: true };
    await branch.up(args);
    await stage().platform.call("POST", `/projects/${project.id}/branches/${project.branchId}/set_as_default`);
    await assertSettled(branch, args);
    assert.equal(await defaultOf(stage(), project.id), project.branchId);
  });

  test("`default: false` is as good as left out", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const base = { projectId: project.id };
    await branch.up({ ...base, default: false });
    assert.equal(await branch.up(base), "same");
    assert.equal(await branch.up({ ...base, default: false }), "same");
    assert.equal(await branch.refresh(), "same");
    assert.equal(await branch.up({ ...base, default: true }), "update");
    assert.equal(await branch.up({ ...base, default: false }), "update");
    assert.equal(await branch.up({ ...base, default: false }), "same");
    assert.equal((await stage().sent("set_as_default")).filter(({ path }) => path.includes(project.id)).length, 1);
  });

  test("taken over as what it is sends nothing", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const args = { projectId: project.id, name: "main", adopt: true, default: true };
    await branch.up(args);
    assert.deepEqual(await stage().sent(project.id), []);
    assert.equal(await branch.refresh(), "same");
    assert.equal(await branch.up(args), "same");
  });

  test("taken over as what it is not yet is marked", async () => {
    const project = await stage().project();
    const { id, name } = await stage().branch(project.id);
    const branch = stage().resource("Branch");
    await branch.up({ projectId: project.id, name, adopt: true, default: true });
    assert.equal(await defaultOf(stage(), project.id), id);
  });

  test("whose marking was refused is made, and marked by the next up", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const args = { projectId: project.id, default: true };
    const body = { code: "", message: "not now" };
    const path = `^/projects/${project.id}/branches/[^/]+/set_as_default$`;
    await stage().platform.fault({ method: "POST", path, status: 422, body });
    await assert.rejects(branch.up(args), /not now/);
    assert.equal(await defaultOf(stage(), project.id), project.branchId);
    assert.equal(await branch.up(args), "update");
    assert.equal(await defaultOf(stage(), project.id), branchId(branch));
    assert.equal((await stage().branches(project.id)).length, 2);
    await assertSettled(branch, args);
  });

  test("whose marking was answered to nobody is found to be marked", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const args = { projectId: project.id, default: true };
    const path = `^/projects/${project.id}/branches/[^/]+/set_as_default$`;
    await stage().platform.fault({ method: "POST", path, reset: "after" });
    await branch.up(args);
    assert.equal(await defaultOf(stage(), project.id), branchId(branch));
    assert.equal((await stage().sent("set_as_default")).filter(({ path }) => path.includes(project.id)).length, 1);
    await assertSettled(branch, args);
  });

  test("cannot expire, nor can a protected one: refused before anything is sent", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    for (const member of ["default", "protected"]) {
      await assert.rejects(branch.up({ projectId: project.id, expiresAt, [member]: true }), (error) => {
        assert.ok(error instanceof CheckError);
        assert.deepEqual(error.failures, [{ property: "expiresAt", reason: `a ${member} branch cannot expire` }]);
        return true;
      });
    }
    assert.deepEqual(await stage().sent(project.id), []);
  });

  test("an expiry that the platform refuses says why: the default branch, a protected one, a parent", async () => {
    const project = await stage().project();
    const base = { projectId: project.id };
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const path = (branch: EngineResource) => `/projects/${project.id}/branches/${branchId(branch)}`;
    const [marked, guarded, parent] = [
      stage().resource("Branch"),
      stage().resource("Branch"),
      stage().resource("Branch"),
    ];
    for (const branch of [marked, guarded, parent]) await branch.up(base);
    await stage().platform.call("POST", `${path(marked)}/set_as_default`);
    await stage().platform.call("PATCH", path(guarded), { branch: { protected: true } });
    const child = await stage().branch(project.id, { branch: { name: "leaf", parent_id: branchId(parent) } });
    await assert.rejects(marked.up({ ...base, expiresAt }), /is the project's default one, which cannot expire\. \(/);
    await assert.rejects(
      guarded.up({ ...base, expiresAt }),
      /is protected, and so cannot expire\. Set `protected: false`/,
    );
    await assert.rejects(
      parent.up({ ...base, expiresAt }),
      new RegExp(`has children, and so cannot expire: leaf \\(${child.id}\\)\\. \\(`),
    );
  });

  describe("when it is deleted", () => {
    test("§6.12 without a successor stays, and the error names the input", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId: project.id, default: true });
      await assertStays(branch, /is the project's default one and was not deleted\. Declare `defaultSuccessorId`/);
      assert.equal(await defaultOf(stage(), project.id), branchId(branch));
      await branch.up({ projectId: project.id, default: true, defaultSuccessorId: project.branchId });
      await branch.destroy();
      assert.equal(await defaultOf(stage(), project.id), project.branchId);
    });

    test("hands over to its successor first", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      const args = { projectId: project.id, default: true, defaultSuccessorId: project.branchId };
      await branch.up(args);
      await assertSettled(branch, args);
      const { id } = branch;
      await branch.destroy();
      const [marking, deletion] = (await stage().sent(project.id)).slice(-2);
      assert.equal(marking?.path, `/projects/${project.id}/branches/${project.branchId}/set_as_default`);
      assert.deepEqual([deletion?.method, deletion?.path], ["DELETE", `/projects/${id.replace("/", "/branches/")}`]);
      assert.deepEqual(
        (await stage().branches(project.id)).map((one) => [one.id, one.default]),
        [[project.branchId, true]],
      );
    });

    test("has nothing to hand over when another one is the default one by then", async () => {
      const project = await stage().project();
      const other = await stage().branch(project.id);
      const branch = stage().resource("Branch");
      await branch.up({ projectId: project.id, default: true, defaultSuccessorId: project.branchId });
      await stage().platform.call("POST", `/projects/${project.id}/branches/${other.id}/set_as_default`);
      await branch.destroy();
      assert.equal(await defaultOf(stage(), project.id), other.id);
    });

    test("a successor that is no longer declared is not used", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      const args = { projectId: project.id, default: true };
      await branch.up({ ...args, defaultSuccessorId: project.branchId });
      const before = (await stage().sent(project.id)).length;
      assert.equal(await branch.up(args), "update");
      assert.equal((await stage().sent(project.id)).length, before);
      await assertStays(branch, /Declare `defaultSuccessorId`/);
    });

    test("stays when its successor is not there, is itself, or expires", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      const expires_at = new Date(Date.now() + 86_400_000).toISOString();
      const expiring = await stage().branch(project.id, { branch: { expires_at } });
      const args = { projectId: project.id, default: true };
      await branch.up({ ...args, defaultSuccessorId: "br-no-such-1" });
      await assertStays(
        branch,
        /`defaultSuccessorId` names br-no-such-1, which cannot become the default one\. \(.*404/,
      );
      await branch.up({ ...args, defaultSuccessorId: branchId(branch) });
      await assertStays(branch, /`defaultSuccessorId` names the branch itself/);
      await branch.up({ ...args, defaultSuccessorId: expiring.id });
      await assertStays(branch, /cannot become the default one\. \(.*expires/);
      assert.equal(await defaultOf(stage(), project.id), branchId(branch));
    });

    test("§6.12 keeps the mark when the delete would be refused anyway: it is protected, or has children", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      const args = { projectId: project.id, default: true, defaultSuccessorId: project.branchId };
      await branch.up({ ...args, protected: true });
      await assertStays(branch, /is protected and was not deleted/);
      await branch.up({ ...args, protected: false });
      const child = await stage().branch(project.id, { branch: { name: "by hand" } });
      assert.equal(child.parent_id, branchId(branch));
      await assertStays(
        branch,
        new RegExp(`has children and was not deleted: by hand \\(${child.id}\\)\\. Delete them first\\.`),
      );
      assert.equal(await defaultOf(stage(), project.id), branchId(branch));
    });

    test("to be replaced by another one of that name, hands over and is the default one again", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      const args = { projectId: project.id, default: true, defaultSuccessorId: project.branchId };
      await branch.up(args);
      const old = branchId(branch);
      assert.equal(await branch.up({ ...args, annotations: { run: "2" } }), "replace");
      assert.notEqual(branchId(branch), old);
      assert.equal(await defaultOf(stage(), project.id), branchId(branch));
      assert.equal((await stage().branches(project.id)).length, 2);
    });
  });
});
