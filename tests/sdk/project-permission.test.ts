import assert from "node:assert/strict";

import type { ProjectPermission } from "@neondatabase/api-client";
import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

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
    assert.deepEqual(await valueOf(neon.getPermissionsOutput({ projectId: pulumi.output(projectId) })), expected);
  });

  it("returns `revokedAt` of a revoked permission", async () => {
    const revokedAt = "2030-01-31T12:00:00Z";
    const body = { project_permissions: [{ ...permission, revoked_at: revokedAt }] };
    await platform().fault({ method: "GET", path: "/permissions$", status: 200, body });
    const [found] = await neon.getPermissions({ projectId });
    assert.equal(found?.revokedAt, revokedAt);
    await platform().clearFaults();
  });

  it("fails with 401 or 404 instead of returning an empty list", async () => {
    await assertFails(neon.getPermissions({ projectId: "no-such-project-1" }), /HTTP 404: project not found/);
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getPermissions({ projectId }), /HTTP 401/);
  });
});

describe("ProjectPermission, VpcEndpointAssignment and VpcEndpointRestriction", () => {
  suiteAccount();

  it("get derives the outputs that the id contains", async () => {
    const permission = neon.ProjectPermission.get("permission", "spring-example-302709/a%2Fb");
    assert.equal(await valueOf(permission.projectId), "spring-example-302709");
    assert.equal(await valueOf(permission.permissionId), "a/b");
    const assignment = neon.VpcEndpointAssignment.get("assignment", "org-quiet-river-302709/aws-us-east-2/vpce-1");
    const values = [assignment.orgId, assignment.regionId, assignment.vpcEndpointId].map((one) => valueOf(one));
    assert.deepEqual(await Promise.all(values), ["org-quiet-river-302709", "aws-us-east-2", "vpce-1"]);
    const restriction = neon.VpcEndpointRestriction.get("restriction", "spring-example-302709/vpce-1");
    assert.equal(await valueOf(restriction.projectId), "spring-example-302709");
    assert.equal(await valueOf(restriction.vpcEndpointId), "vpce-1");
  });

  it("recognize their own instances and no others", () => {
    const [projectId, vpcEndpointId, label] = ["spring-example-302709", "vpce-1", "office"];
    const all: readonly unknown[] = [
      new neon.ProjectPermission("one", { projectId, email: "ann@example.com" }),
      new neon.VpcEndpointAssignment("two", { regionId: "aws-us-east-2", vpcEndpointId, label }),
      new neon.VpcEndpointRestriction("three", { projectId, vpcEndpointId, label }),
    ];
    const classes = [neon.ProjectPermission, neon.VpcEndpointAssignment, neon.VpcEndpointRestriction];
    for (const [index, each] of classes.entries()) {
      assert.deepEqual(
        all.map((one) => each.isInstance(one)),
        all.map((_, other) => other === index),
      );
    }
  });
});
