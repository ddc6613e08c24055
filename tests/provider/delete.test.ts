import assert from "node:assert/strict";

import { describe } from "mocha";

import { CallError, type Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import { concurrently, onStages, suiteServer, suiteStage, type Stage } from "../support/stage";

/** Whether the object is still there, as the platform tells. */
async function isThere(stage: Stage, { id }: { readonly id: string }): Promise<boolean> {
  const path = `/projects/${id.replace("/", "/branches/")}`;
  return (await stage.platform.call("GET", path)).status === 200;
}

/** A destroy that fails, and leaves the state as it was. */
async function assertStays(stage: Stage, resource: EngineResource, reason: RegExp): Promise<void> {
  const before = resource.present;
  await assert.rejects(resource.destroy(), (error) => {
    assert.ok(error instanceof CallError);
    assert.match(error.message, reason);
    return true;
  });
  assert.deepEqual(resource.state, before);
  assert.equal(await isThere(stage, before), true);
}

describe("a delete", () => {
  const stage = suiteStage();
  /** Another run than the one that adopts. */
  const later = suiteServer(stage);
  const test = concurrently();

  test("of a project and of a branch removes them with all that is in them", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const branch = stage().resource("Branch");
    await branch.up({ projectId: project.id, compute: {} });
    const { id } = branch;
    await branch.destroy();
    assert.equal(await isThere(stage(), { id }), false);
    const { id: projectId } = project;
    await project.destroy();
    assert.equal(await isThere(stage(), { id: projectId }), false);
  });

  test("of what is gone already is done", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const [one, other] = [stage().resource("Branch"), stage().resource("Branch")];
    await one.up({ projectId: project.id });
    await other.up({ projectId: project.id });
    await stage().platform.call("DELETE", `/projects/${one.id.replace("/", "/branches/")}`);
    await stage().settled(project.id);
    await one.destroy();
    await stage().platform.call("DELETE", `/projects/${project.id}`);
    await other.destroy();
    await project.destroy();
    assert.deepEqual([one.state, other.state, project.state], [undefined, undefined, undefined]);
  });

  test("that is answered as if nothing were there leaves in the state what is there", async () => {
    const { id: projectId, branchId } = await stage().project();
    const [project, keys] = [stage().resource("Project"), stage().resource("JwksUrl")];
    const schedule = stage().resource("BackupSchedule");
    await project.up({});
    await keys.up({ projectId, jwksUrl: "https://auth.example.com/keys", providerName: "Auth0" });
    await schedule.up({ projectId, branchId, schedule: [{ frequency: "daily" }] });
    for (const [resource, method, path] of [
      [project, "DELETE", `^/projects/${project.id}$`],
      [keys, "DELETE", `^/projects/${projectId}/jwks/`],
      [schedule, "PUT", `^/projects/${projectId}/branches/${branchId}/backup_schedule$`],
    ] as const) {
      for (const fault of [{ status: 404 }, { status: 200, body: {} }]) {
        await stage().platform.fault({ method, path, ...fault });
        await assert.rejects(resource.destroy(), /Run the same command again\.$/, resource.kind);
        assert.ok(resource.state);
      }
      await resource.destroy();
      assert.equal(resource.state, undefined);
    }
  });

  test("of the branch that its project was born with releases it, with a warning", async () => {
    const { id, branchId } = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId: id, name: "main", adopt: branchId });
    branch.server = later();
    const sent = (await stage().sent(id)).length;
    await branch.destroy();
    assert.equal(branch.state, undefined);
    assert.equal(
      await branch.warning(),
      `The branch main (${branchId}) was created with its project and is deleted only with it. It was removed from the Pulumi state but not deleted.`,
    );
    assert.equal((await stage().sent(id)).length, sent);
    assert.equal(await isThere(stage(), { id: `${id}/${branchId}` }), true);
  });

  test("§6.12 of a protected branch fails, names `protected: false`, and never unprotects it by itself", async () => {
    const { id } = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId: id, protected: true });
    await assertStays(
      stage(),
      branch,
      /was not deleted: it is protected \(.*\)\. Set `protected: false`, run `pulumi up`/,
    );
    assert.deepEqual(
      (await stage().sent(id)).filter(({ method }) => method === "PATCH"),
      [],
    );
    await branch.up({ projectId: id, protected: false });
    await branch.destroy();
    assert.equal(branch.state, undefined);
  });

  test("§6.12 of a branch with children fails and leaves it in the state", async () => {
    const { id } = await stage().project();
    const [parent, child] = [stage().resource("Branch"), stage().resource("Branch")];
    await parent.up({ projectId: id });
    await child.up({ projectId: id, parentId: parent.id.split("/")[1] });
    await assertStays(stage(), parent, /HTTP 422: cannot delete a branch that has children/);
    await child.destroy();
    await parent.destroy();
    assert.equal(parent.state, undefined);
  });

  test("§6.12 of a project with a protected branch fails and leaves it in the state", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const branch = await stage().branch(project.id, { branch: { protected: true } });
    await assertStays(stage(), project, /HTTP 422: cannot delete a project that has a protected branch/);
    await stage().platform.call("PATCH", `/projects/${project.id}/branches/${branch.id}`, {
      branch: { protected: false },
    });
    await project.destroy();
    assert.equal(project.state, undefined);
  });

  test("§6.12 that the platform refuses for a reason of its own fails with it", async () => {
    const { id } = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId: id });
    const path = `^/projects/${branch.id.replace("/", "/branches/")}$`;
    for (const status of [422, 403]) {
      await stage().platform.fault({ method: "DELETE", path, status, body: { code: "", message: "not this one" } });
      await assertStays(stage(), branch, new RegExp(`HTTP ${status}: not this one`));
    }
    await branch.destroy();
  });

  test("with a replaced protected branch says so before a new one is made", async () => {
    const { id } = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId: id, protected: true });
    const before = branch.present;
    await assert.rejects(
      branch.up({ projectId: id, protected: true, annotations: { run: "2" } }),
      /Set `protected: false`, run `pulumi up`/,
    );
    assert.deepEqual(branch.present, before);
    assert.equal((await stage().branches(id)).length, 2);
  });

  const faults: readonly { readonly title: string; readonly fault: Values; readonly sent: number }[] = [
    { title: "503 twice", fault: { status: 503, times: 2 }, sent: 3 },
    { title: "423 three times", fault: { status: 423, times: 3 }, sent: 4 },
    { title: "429 that asks to wait a second", fault: { status: 429, headers: { "retry-after": "1" } }, sent: 2 },
    { title: "500", fault: { status: 500 }, sent: 2 },
    { title: "a reset before it is performed", fault: { reset: "before" }, sent: 2 },
    { title: "a reset after it was performed", fault: { reset: "after" }, sent: 1 },
    { title: "half an answer", fault: { truncate: true }, sent: 1 },
  ];
  for (const kind of ["Project", "Branch"] as const) {
    for (const { title, fault, sent } of faults) {
      test(`of a ${kind.toLowerCase()} that meets ${title} is done in the end, and only so often sent`, async () => {
        const resource = stage().resource(kind);
        await resource.up(kind === "Branch" ? { projectId: (await stage().project()).id } : {});
        const { id } = resource;
        const path = `^/projects/${id.replace("/", "/branches/")}$`;
        await stage().platform.fault({ method: "DELETE", path, ...fault });
        await resource.destroy();
        assert.equal(await isThere(stage(), { id }), false);
        const deletes = (await stage().requests(id.split("/").at(-1))).filter(({ method }) => method === "DELETE");
        assert.equal(deletes.length, sent);
      });
    }
  }
});

describe("the operation of a delete", () => {
  const test = onStages(1);
  for (const end of ["error", "cancelled"] as const) {
    test(`that ends ${end} leaves the branch in the state, and the next destroy removes it`, async (stage) => {
      const { id } = await stage.project();
      const branch = stage.resource("Branch");
      await branch.up({ projectId: id, compute: {} });
      await stage.platform.fault({ action: "delete_timeline", end });
      await assertStays(stage, branch, new RegExp(`Operation \\S+ \\(delete_timeline\\) ended with status ${end}`));
      await branch.destroy();
      assert.equal((await stage.branches(id)).length, 1);
    });
  }

  test("that does not end in time leaves the branch in the state, and the next destroy is done", async (stage) => {
    const { id } = await stage.project();
    const branch = stage.resource("Branch");
    await branch.up({ projectId: id }, { timeouts: { delete: "400ms" } });
    await stage.platform.fault({ action: "delete_timeline", end: "stuck" });
    await assert.rejects(
      branch.destroy(),
      /Timed out after \d+(\.\d)? s: operation \S+ \(delete_timeline\) is running/,
    );
    assert.ok(branch.state);
    await stage.platform.clearFaults();
    await branch.destroy();
    assert.equal(branch.state, undefined);
    assert.equal((await stage.branches(id)).length, 1);
  });

  test("is waited for: what comes next on the project is not refused", async (stage) => {
    const { id } = await stage.project();
    const branch = stage.resource("Branch", "same-name");
    await branch.up({ projectId: id });
    await branch.destroy();
    await branch.up({ projectId: id });
    const refused = (await stage.requests(id)).filter(({ status }) => status === null || status >= 400);
    assert.deepEqual(refused, []);
  });
});
