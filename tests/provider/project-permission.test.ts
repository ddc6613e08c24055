import assert from "node:assert/strict";

import type { ProjectPermission, ProjectPermissions } from "@neondatabase/api-client";
import { describe } from "mocha";

import { CallError } from "../support/dynamic-server";
import { refusesInputs } from "../support/expected-errors";
import { concurrently, suiteStage, type Stage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

/** The permissions of a project that are not revoked. */
async function granted(stage: Stage, projectId: string): Promise<ProjectPermission[]> {
  const { body } = await stage.platform.call("GET", `/projects/${projectId}/permissions`);
  const { project_permissions } = body as unknown as ProjectPermissions;
  return project_permissions.filter(({ revoked_at }) => revoked_at === undefined);
}

async function emails(stage: Stage, projectId: string): Promise<string[]> {
  return (await granted(stage, projectId)).map(({ granted_to_email }) => granted_to_email).sort();
}

/** Grants access without the provider. */
async function grant(stage: Stage, projectId: string, email: string): Promise<ProjectPermission> {
  const { body } = await stage.platform.call("POST", `/projects/${projectId}/permissions`, { email });
  return body as unknown as ProjectPermission;
}

const ann = "ann@example.com";
const bob = "bob@example.com";

describe("ProjectPermission", () => {
  const stage = suiteStage();
  const test = concurrently();

  const sentOn = async (projectId: string): Promise<string[]> =>
    (await stage().sent(projectId)).map(({ method, body }) => `${method} ${JSON.stringify(body ?? null)}`);

  describe("check", () => {
    test("requires a project and an e-mail address of at most 256 characters", async () => {
      for (const [args, reasons] of [
        [{}, { projectId: "is required", email: "is required" }],
        [{ projectId: "p", email: "" }, { email: "must be an e-mail address" }],
        [{ projectId: "p", email: `${"x".repeat(250)}@x.example` }, { email: /at most 256 characters/ }],
      ] as const) {
        await assert.rejects(stage().resource("ProjectPermission").preview(args), refusesInputs(reasons));
      }
    });
  });

  describe("create", () => {
    test("sends the e-mail address, and outputs what the platform returns", async () => {
      const { id: projectId } = await stage().project();
      const permission = stage().resource("ProjectPermission");
      const args = { projectId, email: ann };
      await permission.up(args);
      assert.deepEqual(await sentOn(projectId), [`POST ${JSON.stringify({ email: ann })}`]);
      const [created, ...others] = await granted(stage(), projectId);
      assert.deepEqual(others, []);
      const outputs = { projectId, email: ann, permissionId: created?.id, grantedAt: created?.granted_at };
      assert.deepEqual(permission.ownOutputs, outputs);
      assert.equal(permission.id, `${projectId}/${created?.id ?? ""}`);
      await assertUpToDate(stage(), permission, args);
    });

    test("fails if the address has access, and names the adopt line", async () => {
      const { id: projectId } = await stage().project();
      const existing = await grant(stage(), projectId, ann);
      const permission = stage().resource("ProjectPermission");
      const before = await sentOn(projectId);
      await assert.rejects(permission.up({ projectId, email: ann }), (error) => {
        assert.ok(error instanceof CallError);
        assert.equal(error.partial, undefined);
        assert.ok(error.message.includes(`adopt: "${existing.id}"`), error.message);
        return true;
      });
      assert.deepEqual(await sentOn(projectId), before);
      await permission.up({ projectId, email: ann, adopt: existing.id });
      assert.equal(permission.id, `${projectId}/${existing.id}`);
      assert.deepEqual(await sentOn(projectId), before);
    });

    test("grants access once, and revokes it with one request, when both answers are lost", async () => {
      const { id: projectId } = await stage().project();
      const permission = stage().resource("ProjectPermission");
      const path = `^/projects/${projectId}/permissions`;
      await stage().platform.fault({ method: "POST", path, reset: "after" });
      await permission.up({ projectId, email: ann });
      const [created, ...others] = await granted(stage(), projectId);
      assert.deepEqual(others, []);
      assert.equal(permission.outputs["permissionId"], created?.id);
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

  describe("refresh", () => {
    test("ignores upper and lower case in the address, and so does adopt", async () => {
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
  });

  describe("replace", () => {
    test("grants access to the new address before it revokes the old permission", async () => {
      const { id: projectId } = await stage().project();
      const permission = stage().resource("ProjectPermission");
      await permission.up({ projectId, email: ann });
      await permission.up({ projectId, email: bob });
      assert.deepEqual(
        (await stage().sent(projectId)).map(({ method }) => method),
        ["POST", "POST", "DELETE"],
      );
      assert.deepEqual(await emails(stage(), projectId), [bob]);
    });
  });

  describe("adopt", () => {
    test("accepts true, the id and the id in state, and grants access if there is none", async () => {
      const { id: projectId } = await stage().project();
      const existing = await grant(stage(), projectId, ann);
      for (const adopt of [true, existing.id, `${projectId}/${existing.id}`]) {
        const permission = await stage().nextRun(stage().resource("ProjectPermission"));
        await permission.up({ projectId, email: ann, adopt });
        assert.equal(permission.outputs["permissionId"], existing.id);
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

    test("fails if the address differs or the id does not exist", async () => {
      const { id: projectId } = await stage().project();
      const existing = await grant(stage(), projectId, ann);
      const permission = stage().resource("ProjectPermission");
      await assert.rejects(
        permission.up({ projectId, email: bob, adopt: existing.id }),
        /cannot be adopted: .* `email`/,
      );
      await assert.rejects(
        permission.up({ projectId, email: bob, adopt: "no-such-permission" }),
        /There is no project permission "no-such-permission" to adopt/,
      );
      assert.equal(permission.state, undefined);
    });
  });

  describe("delete", () => {
    test("succeeds if somebody else has revoked the permission", async () => {
      const { id: projectId } = await stage().project();
      const permission = stage().resource("ProjectPermission");
      await permission.up({ projectId, email: ann });
      const path = `/projects/${projectId}/permissions/${String(permission.outputs["permissionId"])}`;
      await stage().platform.call("DELETE", path);
      await permission.destroy();
      assert.deepEqual(await granted(stage(), projectId), []);
    });

    test("succeeds, and a refresh finds nothing, if the project was deleted", async () => {
      for (const step of ["refresh", "destroy"] as const) {
        const { id: projectId } = await stage().project();
        const permission = stage().resource("ProjectPermission");
        await permission.up({ projectId, email: ann });
        await stage().platform.call("DELETE", `/projects/${projectId}`);
        const result = await permission[step]();
        assert.equal(result, step === "refresh" ? "gone" : undefined);
      }
    });
  });
});
