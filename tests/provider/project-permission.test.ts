import assert from "node:assert/strict";

import type { ProjectPermission, ProjectPermissions } from "@neondatabase/api-client";
import { describe } from "mocha";

import { concurrently, suiteStage, type Stage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

/** The permissions of a project that are not revoked. */
async function granted(stage: Stage, projectId: string): Promise<ProjectPermission[]> {
  const { body } = await stage.platform.call("GET", `/projects/${projectId}/permissions`);
  const { project_permissions } = body as unknown as ProjectPermissions;
  return project_permissions.filter(({ revoked_at }) => revoked_at === undefined);
}

/** Grants access without the provider. */
async function grant(stage: Stage, projectId: string, email: string): Promise<ProjectPermission> {
  const { body } = await stage.platform.call("POST", `/projects/${projectId}/permissions`, { email });
  return body as unknown as ProjectPermission;
}

const ann = "ann@example.com";

describe("ProjectPermission", () => {
  const stage = suiteStage();
  const test = concurrently();

  /** A project, and a permission for it that is not created yet. */
  const setting = async () => {
    const { id: projectId } = await stage().project();
    return { projectId, permission: stage().resource("ProjectPermission") };
  };

  test("create › sends the e-mail address, and outputs what the platform returns", async () => {
    const { projectId, permission } = await setting();
    const args = { projectId, email: ann };
    await permission.up(args);
    const sent = (await stage().sent(projectId)).map(({ method, body }) => [method, body]);
    assert.deepEqual(sent, [["POST", { email: ann }]]);
    const [created, ...others] = await granted(stage(), projectId);
    assert.deepEqual(others, []);
    const outputs = { projectId, email: ann, permissionId: created?.id, grantedAt: created?.granted_at };
    assert.deepEqual(permission.ownOutputs, outputs);
    assert.equal(permission.id, `${projectId}/${created?.id ?? ""}`);
    await assertUpToDate(stage(), permission, args);
  });

  test("refresh › ignores upper and lower case in the address, and so does adopt", async () => {
    const { projectId, permission } = await setting();
    await permission.up({ projectId, email: "Ann@Example.com" });
    assert.equal(await permission.refresh(), "same");
    assert.equal(await permission.up({ projectId, email: "Ann@Example.com" }), "same");
    assert.equal((await permission.preview({ projectId, email: ann })).changes, false);

    const { projectId: other, permission: adopted } = await setting();
    const { id } = await grant(stage(), other, "Ann@Example.com");
    const args = { projectId: other, email: "ANN@example.com" };
    await assert.rejects(adopted.up(args), /This project permission already exists/);
    await adopted.up({ ...args, adopt: true });
    assert.equal(adopted.outputs["permissionId"], id);
    assert.equal((await granted(stage(), other)).length, 1);
  });
});
