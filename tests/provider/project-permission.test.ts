import assert from "node:assert/strict";

import type { ProjectPermission, ProjectPermissions } from "@neondatabase/api-client";
import { describe } from "mocha";

import { CallError } from "../support/dynamic-server";
import { CheckError } from "../support/engine";
import { concurrently, suiteStage, type Stage } from "../support/stage";

/** The permissions of a project that hold. */
async function granted(stage: Stage, projectId: string): Promise<ProjectPermission[]> {
  const { body } = await stage.platform.call("GET", `/projects/${projectId}/permissions`);
  const { project_permissions } = body as unknown as ProjectPermissions;
  return project_permissions.filter(({ revoked_at }) => revoked_at === undefined);
}

async function emails(stage: Stage, projectId: string): Promise<string[]> {
  return (await granted(stage, projectId)).map(({ granted_to_email }) => granted_to_email).sort();
}

async function foreignGrant(stage: Stage, projectId: string, email: string): Promise<ProjectPermission> {
  const { body } = await stage.platform.call("POST", `/projects/${projectId}/permissions`, { email });
  return body as unknown as ProjectPermission;
}

const ann = "ann@example.com";
const bob = "bob@example.com";

describe("a project permission", () => {
  const stage = suiteStage();
  const test = concurrently();

  const sentOn = async (projectId: string): Promise<string[]> =>
    (await stage().sent(projectId)).map(({ method, body }) => `${method} ${JSON.stringify(body ?? null)}`);

  test("gives access, and takes it away on destroy", async () => {
    const { id: projectId } = await stage().project();
    const permission = stage().resource("ProjectPermission");
    const args = { projectId, email: ann };
    await permission.up(args);
    assert.deepEqual(await sentOn(projectId), [`POST ${JSON.stringify({ email: ann })}`]);
    const [there, ...others] = await granted(stage(), projectId);
    assert.deepEqual(others, []);
    const { __neon, __provider, ...outputs } = permission.outputs;
    assert.deepEqual(outputs, { projectId, email: ann, permissionId: there?.id, grantedAt: there?.granted_at });
    assert.equal(permission.id, `${projectId}/${there?.id ?? ""}`);
    assert.equal(await permission.up(args), "same");
    assert.equal(await permission.refresh(), "same");
    await permission.destroy();
    assert.deepEqual(await granted(stage(), projectId), []);
  });

  test("is given to another address before it is taken from the first", async () => {
    const { id: projectId } = await stage().project();
    const permission = stage().resource("ProjectPermission");
    await permission.up({ projectId, email: ann });
    const plan = await permission.preview({ projectId, email: bob });
    assert.deepEqual([plan.step, plan.replaces, plan.deleteBeforeReplace], ["replace", ["email"], false]);
    await permission.up({ projectId, email: bob });
    assert.deepEqual(
      (await stage().sent(projectId)).map(({ method }) => method),
      ["POST", "POST", "DELETE"],
    );
    assert.deepEqual(await emails(stage(), projectId), [bob]);
  });

  test("that somebody has revoked is given again, and is not missed on destroy", async () => {
    const { id: projectId } = await stage().project();
    const permission = stage().resource("ProjectPermission");
    const args = { projectId, email: ann };
    await permission.up(args);
    const revoke = (): Promise<unknown> =>
      stage().platform.call(
        "DELETE",
        `/projects/${projectId}/permissions/${String(permission.outputs["permissionId"])}`,
      );
    await revoke();
    assert.equal(await permission.refresh(), "gone");
    assert.equal(await permission.up(args), "create");
    assert.deepEqual(await emails(stage(), projectId), [ann]);
    await revoke();
    await permission.destroy();
    assert.deepEqual(await granted(stage(), projectId), []);
  });

  test("goes with its project", async () => {
    for (const step of ["refresh", "destroy"] as const) {
      const { id: projectId } = await stage().project();
      const permission = stage().resource("ProjectPermission");
      await permission.up({ projectId, email: ann });
      await stage().platform.call("DELETE", `/projects/${projectId}`);
      const result = await permission[step]();
      assert.equal(result, step === "refresh" ? "gone" : undefined);
    }
  });

  test("§6.20 of an address that has access already is not given twice, and the message says how to take it over", async () => {
    const { id: projectId } = await stage().project();
    const there = await foreignGrant(stage(), projectId, ann);
    const permission = stage().resource("ProjectPermission");
    const before = await sentOn(projectId);
    await assert.rejects(permission.up({ projectId, email: ann }), (error) => {
      assert.ok(error instanceof CallError);
      assert.equal(error.partial, undefined);
      assert.ok(error.message.includes(`adopt: "${there.id}"`), error.message);
      return true;
    });
    assert.deepEqual(await sentOn(projectId), before);
    await permission.up({ projectId, email: ann, adopt: there.id });
    assert.equal(permission.id, `${projectId}/${there.id}`);
    assert.deepEqual(await sentOn(projectId), before);
  });

  test("is adopted by its address, by its id and by its id in state, and given if there is none", async () => {
    const { id: projectId } = await stage().project();
    const there = await foreignGrant(stage(), projectId, ann);
    for (const adopt of [true, there.id, `${projectId}/${there.id}`]) {
      const permission = await stage().nextRun(stage().resource("ProjectPermission"));
      await permission.up({ projectId, email: ann, adopt });
      assert.equal(permission.outputs["permissionId"], there.id);
      for (const args of [
        { projectId, email: ann },
        { projectId, email: ann, adopt: true },
      ]) {
        assert.equal(await permission.up(args), "same");
        assert.equal(permission.plan?.changes, false);
      }
      assert.equal(await permission.refresh(), "same");
    }
    const other = stage().resource("ProjectPermission");
    await other.up({ projectId, email: bob, adopt: true });
    assert.deepEqual(await emails(stage(), projectId), [ann, bob]);
    await other.destroy();
    assert.deepEqual(await emails(stage(), projectId), [ann]);
  });

  test("is that of an address however its letters are written", async () => {
    const { id: projectId } = await stage().project();
    const permission = stage().resource("ProjectPermission");
    await permission.up({ projectId, email: "Ann@Example.com" });
    assert.equal(await permission.refresh(), "same");
    assert.equal(await permission.up({ projectId, email: "Ann@Example.com" }), "same");
    assert.equal((await permission.preview({ projectId, email: ann })).changes, false);
    const other = await stage().nextRun(stage().resource("ProjectPermission"));
    await assert.rejects(other.up({ projectId, email: "ANN@example.com" }), /This project permission already exists/);
    await other.up({ projectId, email: "ANN@example.com", adopt: true });
    assert.equal(other.id, permission.id);
    assert.equal((await granted(stage(), projectId)).length, 1);
  });

  test("of another address, or of an unknown id, is not adopted", async () => {
    const { id: projectId } = await stage().project();
    const there = await foreignGrant(stage(), projectId, ann);
    const permission = stage().resource("ProjectPermission");
    await assert.rejects(permission.up({ projectId, email: bob, adopt: there.id }), /cannot be adopted: .* email/);
    await assert.rejects(
      permission.up({ projectId, email: bob, adopt: "no-such-permission" }),
      /There is no project permission "no-such-permission" to adopt/,
    );
    assert.equal(permission.state, undefined);
  });

  test("needs a project and an address of 1 to 256 characters", async () => {
    for (const [args, properties] of [
      [{}, ["projectId", "email"]],
      [{ projectId: "p", email: "" }, ["email"]],
      [{ projectId: "p", email: `${"x".repeat(250)}@x.example` }, ["email"]],
    ] as const) {
      await assert.rejects(stage().resource("ProjectPermission").preview(args), (error) => {
        assert.ok(error instanceof CheckError);
        assert.deepEqual(
          error.failures.map(({ property }) => property),
          properties,
        );
        return true;
      });
    }
  });

  test("whose answers are lost is given once, and taken away once", async () => {
    const { id: projectId } = await stage().project();
    const permission = stage().resource("ProjectPermission");
    const path = `^/projects/${projectId}/permissions`;
    await stage().platform.fault({ method: "POST", path, reset: "after" });
    await permission.up({ projectId, email: ann });
    const [there, ...others] = await granted(stage(), projectId);
    assert.deepEqual(others, []);
    assert.equal(permission.outputs["permissionId"], there?.id);
    assert.equal(await permission.up({ projectId, email: ann }), "same");
    assert.equal(await permission.refresh(), "same");
    await stage().platform.fault({ method: "DELETE", path, reset: "after" });
    await permission.destroy();
    assert.deepEqual(await granted(stage(), projectId), []);
    assert.deepEqual(
      (await stage().sent(projectId)).map(({ method }) => method),
      ["POST", "DELETE"],
    );
  });
});
