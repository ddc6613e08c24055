import assert from "node:assert/strict";

import { describe } from "mocha";

import type { Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { branchIdOf, branchPathOf, createdBranch, undeclaredBranch } from "../support/created-branch";
import { inDays } from "../support/in-days";
import { concurrently, type Stage, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

/** The project's default branch, as the platform reports it. */
async function defaultOf(stage: Stage, projectId: string): Promise<string> {
  const [found, ...others] = (await stage.branches(projectId)).filter((branch) => branch.default);
  assert.deepEqual(others, []);
  return found?.id ?? assert.fail("the project has no default branch");
}

/** A default branch that a program has created, and declares to be succeeded by the first branch of its project. */
async function branchWithSuccessor(stage: Stage, args: Values = {}) {
  const { project, projectId, branch } = await undeclaredBranch(stage);
  const program = { projectId, default: true, defaultSuccessorId: project.branchId, ...args };
  await branch.up(program);
  return { project, projectId, branch, program };
}

/** Asserts that a delete fails for this reason and leaves the branch in the state. */
async function assertStays(resource: EngineResource, reason: RegExp): Promise<void> {
  const before = resource.present;
  await assert.rejects(resource.destroy(), failsWith(reason));
  assert.deepEqual(resource.state, before);
}

describe("Branch default", () => {
  const stage = suiteStage();
  const test = concurrently();

  test("create › keeps a branch that could not become the default, and the next up tries again", async () => {
    const { project, projectId, branch } = await undeclaredBranch(stage());
    const args = { projectId, default: true };
    const body = { code: "", message: "not now" };
    const path = `^/projects/${projectId}/branches/[^/]+/set_as_default$`;
    await stage().platform.fault({ method: "POST", path, status: 422, body });
    await assert.rejects(branch.up(args), /not now/);
    assert.equal(await defaultOf(stage(), projectId), project.branchId);
    assert.equal(await branch.up(args), "update");
    assert.equal(await defaultOf(stage(), projectId), branchIdOf(branch));
    assert.equal((await stage().branches(projectId)).length, 2);
    await assertUpToDate(stage(), branch, args);
  });

  test("refresh › finds no drift if somebody else makes another branch the default", async () => {
    const { project, projectId, branch, program } = await createdBranch(stage(), { default: true });
    await stage().platform.call("POST", `/projects/${projectId}/branches/${project.branchId}/set_as_default`);
    await assertUpToDate(stage(), branch, program);
    assert.equal(await defaultOf(stage(), projectId), project.branchId);
  });

  test("update › makes another branch the default with one request, without drift in either", async () => {
    const { projectId } = await undeclaredBranch(stage());
    const [one, other] = [stage().resource("Branch"), stage().resource("Branch")];
    const base = { projectId };
    await one.up({ ...base, default: true });
    await other.up(base);
    const sent = await stage().sentBy(projectId, async () => {
      assert.equal(await one.up(base), "update");
      assert.equal(await other.up({ ...base, default: true }), "update");
    });
    assert.deepEqual(sent, [
      { method: "POST", path: `/projects/${projectId}/branches/${branchIdOf(other)}/set_as_default` },
    ]);
    assert.equal(await defaultOf(stage(), projectId), branchIdOf(other));
    await assertUpToDate(stage(), one, base);
    await assertUpToDate(stage(), other, { ...base, default: true });
  });

  test("update › explains why a default branch, a protected branch and a parent cannot expire", async () => {
    const { projectId, base, branch: parent } = await undeclaredBranch(stage());
    const expiresAt = inDays(1);
    const [defaultOne, guarded] = [stage().resource("Branch"), stage().resource("Branch")];
    for (const branch of [defaultOne, guarded, parent]) await branch.up(base);
    await stage().platform.call("POST", `${branchPathOf(defaultOne)}/set_as_default`);
    await stage().platform.call("PATCH", branchPathOf(guarded), { branch: { protected: true } });
    const child = await stage().branch(projectId, { branch: { name: "leaf", parent_id: branchIdOf(parent) } });
    await assert.rejects(
      defaultOne.up({ ...base, expiresAt }),
      /cannot expire: it is the project's default branch \(PATCH .*\)\. Remove `expiresAt`\./,
    );
    await assert.rejects(
      guarded.up({ ...base, expiresAt }),
      /cannot expire: it is protected \(PATCH .*\)\. Set `protected: false` or remove `expiresAt`\./,
    );
    await assert.rejects(
      parent.up({ ...base, expiresAt }),
      new RegExp(
        `cannot expire: it is the parent of leaf \\(${child.id}\\) \\(PATCH .*\\)\\. Delete the children first\\.`,
      ),
    );
  });

  test("replace › hands over to the successor, and makes the new branch the default", async () => {
    const { projectId, branch, program } = await branchWithSuccessor(stage());
    const old = branchIdOf(branch);
    assert.equal(await branch.up({ ...program, annotations: { run: "2" } }), "replace");
    assert.notEqual(branchIdOf(branch), old);
    assert.equal(await defaultOf(stage(), projectId), branchIdOf(branch));
    assert.equal((await stage().branches(projectId)).length, 2);
  });

  test("delete › fails without a successor, and names the input", async () => {
    const { project, projectId, branch, program } = await createdBranch(stage(), { default: true });
    await assertStays(
      branch,
      /was not deleted: it is the project's default branch \(DELETE .*\)\. Declare `defaultSuccessorId`/,
    );
    assert.equal(await defaultOf(stage(), projectId), branchIdOf(branch));
    await branch.up({ ...program, defaultSuccessorId: project.branchId });
    await branch.destroy();
    assert.equal(await defaultOf(stage(), projectId), project.branchId);
  });

  test("delete › leaves the default branch if it was adopted and nothing is declared of the default, and says so", async () => {
    const { projectId, branch: made } = await branchWithSuccessor(stage());
    const branch = stage().resource("Branch");
    branch.server = (await stage().nextRun(made)).server;
    await branch.up({ projectId, name: made.name, adopt: branchIdOf(made) });
    const sent = await stage().sentBy(projectId, async () => (await stage().nextRun(branch)).destroy());
    assert.deepEqual(sent, []);
    assert.match(
      branch.said("warning").at(-1) ?? "",
      /^The branch .* is the project's default branch, and is deleted with the project\. Pulumi only removes it from the state/,
    );
    assert.equal(await defaultOf(stage(), projectId), branchIdOf(made));
  });

  test("delete › leaves the default alone if it is another branch by then", async () => {
    const { project, projectId, branch } = await branchWithSuccessor(stage());
    const other = await stage().branch(projectId, { branch: { parent_id: project.branchId } });
    await stage().platform.call("POST", `/projects/${projectId}/branches/${other.id}/set_as_default`);
    await branch.destroy();
    assert.equal(await defaultOf(stage(), projectId), other.id);
  });

  test("delete › does not use a successor that is no longer declared", async () => {
    const { projectId, branch } = await branchWithSuccessor(stage());
    const up = async (): Promise<void> => assert.equal(await branch.up({ projectId, default: true }), "update");
    assert.deepEqual(await stage().sentBy(projectId, up), []);
    await assertStays(branch, /Declare `defaultSuccessorId`/);
  });

  test("delete › fails if the successor does not exist, is the branch itself, or expires", async () => {
    const { projectId, branch } = await undeclaredBranch(stage());
    const expires_at = inDays(1);
    const expiring = await stage().branch(projectId, { branch: { expires_at } });
    const args = { projectId, default: true };
    await branch.up({ ...args, defaultSuccessorId: "br-no-such-1" });
    await assertStays(
      branch,
      /was not deleted: .* `defaultSuccessorId` names br-no-such-1, which cannot become the default \(.*404.*\)\. Declare another branch\./,
    );
    await branch.up({ ...args, defaultSuccessorId: branchIdOf(branch) });
    await assertStays(branch, /`defaultSuccessorId` names the branch itself\. Declare another branch\./);
    await branch.up({ ...args, defaultSuccessorId: expiring.id });
    await assertStays(branch, /cannot become the default \(.*expires/);
    assert.equal(await defaultOf(stage(), projectId), branchIdOf(branch));
  });

  test("delete › keeps the default if the branch is protected or has children, and fails", async () => {
    const { projectId, branch, program } = await branchWithSuccessor(stage(), { protected: true });
    await assertStays(branch, /was not deleted: it is protected/);
    await branch.up({ ...program, protected: false });
    const child = await stage().branch(projectId, { branch: { name: "by hand" } });
    assert.equal(child.parent_id, branchIdOf(branch));
    await assertStays(
      branch,
      new RegExp(
        `was not deleted: it is the parent of by hand \\(${child.id}\\) \\(DELETE .*\\)\\. Delete the children first\\. If its project is deleted with it, set`,
      ),
    );
    assert.equal(await defaultOf(stage(), projectId), branchIdOf(branch));
  });
});
