import assert from "node:assert/strict";

import type { Operation, Organization, Project } from "@neondatabase/api-client";
import { before, describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { suiteVendorCli } from "../support/vendor-cli";

describe("vendor: the command `neon`, about an account and its projects", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const cli = suiteVendorCli("neon", () => platform());
  let projectId: string;
  before(async () => {
    ({ id: projectId } = (await platform().project({ name: "by hand" })).project);
  });

  it("makes, changes, deletes and recovers a project", async () => {
    const { project, connection_uris: uris } = await cli().json<{ project: Project; connection_uris: object[] }>(
      ...["projects", "create", "--name", "by the CLI", "--region-id", "aws-eu-central-1"],
      ...["--database", "shop", "--role", "keeper", "--cu", "0.5-2"],
    );
    assert.equal(project.region_id, "aws-eu-central-1");
    assert.equal(project.default_endpoint_settings?.autoscaling_limit_max_cu, 2);
    assert.match(JSON.stringify(uris), /postgresql:\/\/keeper:[^@]+@[^/]+\/shop/);
    await platform().settled(project.id);
    const [updated, listed] = await Promise.all([
      cli().json<Project>("projects", "update", project.id, "--name", "renamed", "--block-public-connections"),
      cli().json<{ projects: Project[] }>("projects", "list"),
    ]);
    assert.equal(updated.name, "renamed");
    assert.equal(updated.settings?.block_public_connections, true);
    assert.deepEqual(listed.projects.map(({ id }) => id).sort(), [project.id, projectId].sort());
    assert.equal((await cli().json<Project>("projects", "delete", project.id)).id, project.id);
    assert.equal((await platform().call("GET", `/projects/${project.id}`)).status, 404);
    await cli().text("projects", "recover", project.id);
    assert.equal((await platform().call("GET", `/projects/${project.id}`)).status, 200);
  });

  it("sets and resets the addresses that are let in, and lists operations", async () => {
    const of = ["--project-id", projectId];
    await cli().text("ip-allow", "add", "10.0.0.1", "10.0.0.2", "--protected-only", ...of);
    await platform().settled(projectId);
    const [allowed, listed] = await Promise.all([
      cli().json<Record<string, unknown>>("ip-allow", "list", ...of),
      cli().json<Operation[]>("operations", "list", ...of),
    ]);
    assert.deepEqual(allowed["IP_addresses"], ["10.0.0.1", "10.0.0.2"]);
    assert.equal(allowed["protected_branches_only"], true);
    const { operations } = (await platform().call("GET", `/projects/${projectId}/operations`)).body;
    assert.deepEqual(
      listed.map(({ id }) => id),
      operations.map(({ id }) => id),
    );
    await cli().text("ip-allow", "reset", ...of);
    const { project } = (await platform().call("GET", `/projects/${projectId}`)).body;
    assert.deepEqual(project.settings?.allowed_ips?.ips, []);
  });

  it("makes a project of an organization, and a key that reaches no further than that project", async () => {
    const [organization] = await cli().json<Organization[]>("orgs", "list");
    assert.ok(organization);
    const inIt = ["--org-id", organization.id];
    const { project } = await cli().json<{ project: Project }>("projects", "create", "--name", "ours", ...inIt);
    await platform().settled(project.id);
    const path = `/projects/${project.id}`;
    const key = await cli().json<{ id: number; key: string }>(
      ...["api-keys", "create", "--name", "ci", "--project-id", project.id],
    );
    assert.equal((await platform().call("GET", path, undefined, { key: key.key })).status, 200);
    const [listed, deletion] = await Promise.all([
      cli().json<{ id: number; name: string }[]>("api-keys", "list", ...inIt),
      cli().complaint(["projects", "delete", project.id], key.key),
    ]);
    assert.ok(listed.some(({ id, name }) => id === key.id && name === "ci"));
    assert.match(deletion, /ERROR/);
    await cli().text("api-keys", "revoke", String(key.id), ...inIt);
    assert.equal((await platform().call("GET", path, undefined, { key: key.key })).status, 401);

    const id = "vpce-0123456789abcdef0";
    const region = [...inIt, "--region-id", project.region_id];
    await cli().text("vpc", "endpoint", "assign", id, "--label", "office", ...region);
    await cli().text("vpc", "project", "restrict", id, "--label", "only here", "--project-id", project.id);
    const [assigned, restricted] = await Promise.all([
      cli().json<Record<string, unknown>>("vpc", "endpoint", "status", id, ...region),
      cli().json<object[]>("vpc", "project", "list", "--project-id", project.id),
    ]);
    assert.deepEqual([assigned["label"], assigned["num_restricted_projects"]], ["office", 1]);
    assert.deepEqual(restricted, [{ vpc_endpoint_id: id, label: "only here" }]);
    await cli().text("vpc", "project", "remove", id, "--project-id", project.id);
    await cli().text("vpc", "endpoint", "remove", id, ...region);
  });

  it("says who it is, sends any request, and is told that a key is wrong", async () => {
    const [me, regions, wrong] = await Promise.all([
      cli().json<{ email: string }>("me"),
      cli().json<{ regions: unknown[] }>("api", "/regions"),
      cli().complaint(["me"], "napi_never_made"),
    ]);
    assert.match(me.email, /@/);
    assert.ok(regions.regions.length > 0);
    assert.match(wrong, /ERROR/);
  });
});
