import assert from "node:assert/strict";

import type { ProjectPermission } from "@neondatabase/api-client";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { suiteAccount } from "./program";

describe("getPermissions", () => {
  const platform = suiteAccount();
  let projectId = "";
  let permission: ProjectPermission;
  before(async () => {
    projectId = (await platform().call("POST", "/projects", { project: { name: "shop" } })).body.project.id;
    const path = `/projects/${projectId}/permissions`;
    permission = (await platform().call("POST", path, { email: "ann@example.com" }))
      .body as unknown as ProjectPermission;
  });

  it("lists the accounts that a project is shared with", async () => {
    const expected = [{ id: permission.id, grantedToEmail: "ann@example.com", grantedAt: permission.granted_at }];
    assert.deepEqual(await neon.getPermissions({ projectId }), expected);
  });

  it("returns `revokedAt` of a revoked permission", async () => {
    const revokedAt = "2030-01-31T12:00:00Z";
    const body = { project_permissions: [{ ...permission, revoked_at: revokedAt }] };
    await platform().fault({ method: "GET", path: "/permissions$", status: 200, body });
    const [found] = await neon.getPermissions({ projectId });
    assert.equal(found?.revokedAt, revokedAt);
    await platform().clearFaults();
  });
});
