import assert from "node:assert/strict";

import type { ProjectPermission } from "@neondatabase/api-client";
import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

describe("looking up permissions", () => {
  const platform = suiteAccount();
  let projectId = "";
  let permission: ProjectPermission;
  before(async () => {
    projectId = (await platform().call("POST", "/projects", { project: { name: "shop" } })).body.project.id;
    const path = `/projects/${projectId}/permissions`;
    permission = (await platform().call("POST", path, { email: "ann@example.com" }))
      .body as unknown as ProjectPermission;
  });

  it("tells who has been given access to a project", async () => {
    const expected = [{ id: permission.id, grantedToEmail: "ann@example.com", grantedAt: permission.granted_at }];
    assert.deepEqual(await neon.getPermissions({ projectId }), expected);
    assert.deepEqual(await valueOf(neon.getPermissionsOutput({ projectId: pulumi.output(projectId) })), expected);
  });

  it("tells of a revoked one, where the platform still lists it, when it ended", async () => {
    const ended = "2030-01-31T12:00:00Z";
    const body = { project_permissions: [{ ...permission, revoked_at: ended }] };
    await platform().fault({ method: "GET", path: "/permissions$", status: 200, body });
    const [found] = await neon.getPermissions({ projectId });
    assert.equal(found?.revokedAt, ended);
    await platform().clearFaults();
  });

  it("fails where there is no such project, and where the key is refused, never with an empty list", async () => {
    await assertFails(neon.getPermissions({ projectId: "no-such-project-1" }), /HTTP 404: project not found/);
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getPermissions({ projectId }), /HTTP 401/);
  });
});

describe("looking up what is managed elsewhere, by its id in state", () => {
  suiteAccount();

  it("tells what the id says of a permission, an assignment and a restriction", async () => {
    const permission = neon.ProjectPermission.get("permission", "spring-example-302709/a%2Fb");
    assert.equal(await valueOf(permission.projectId), "spring-example-302709");
    assert.equal(await valueOf(permission.permissionId), "a/b");
    const assignment = neon.VpcEndpointAssignment.get("assignment", "org-quiet-river-302709/aws-us-east-2/vpce-1");
    const told = [assignment.orgId, assignment.regionId, assignment.vpcEndpointId].map((one) => valueOf(one));
    assert.deepEqual(await Promise.all(told), ["org-quiet-river-302709", "aws-us-east-2", "vpce-1"]);
    const restriction = neon.VpcEndpointRestriction.get("restriction", "spring-example-302709/vpce-1");
    assert.equal(await valueOf(restriction.projectId), "spring-example-302709");
    assert.equal(await valueOf(restriction.vpcEndpointId), "vpce-1");
  });

  it("knows each for what it is", () => {
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
