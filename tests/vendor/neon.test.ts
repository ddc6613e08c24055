import assert from "node:assert/strict";

import type { Branch, Endpoint, Organization, Project } from "@neondatabase/api-client";
import { before, describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { hostPattern } from "../support/postgres-files";
import { suiteVendorCli } from "../support/vendor-cli";

/** The command sends its requests with the vendor's SDK, which platform/tests/vendor-sdk.test.ts covers. */
describe("vendor: the command `neon`", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const cli = suiteVendorCli("neon", () => platform());
  let projectId: string;
  let main: Branch;
  /** The project, as most commands want it. */
  let of: readonly [string, string];
  before(async () => {
    const { project, branch } = await platform().project({ name: "by hand" });
    [projectId, main] = [project.id, branch];
    of = ["--project-id", projectId];
  });

  /** The CLI does not wait for operations, and is slow to try again. */
  async function made<Answer>(...args: readonly string[]): Promise<Answer> {
    const answer = await cli().json<Answer>(...args, ...of);
    await platform().settled(projectId);
    return answer;
  }

  async function branchNamed(name: string): Promise<Branch> {
    const { branches } = (await platform().call("GET", `/projects/${projectId}/branches`)).body;
    const found = branches.find((branch) => branch.name === name);
    assert.ok(found, name);
    return found;
  }

  it("creates a project of an organization, restricts it, and creates a key that reaches no further", async () => {
    const [organization] = await cli().json<Organization[]>("orgs", "list");
    assert.ok(organization);
    const inIt = ["--org-id", organization.id];
    const { project, connection_uris: uris } = await cli().json<{ project: Project; connection_uris: object[] }>(
      ...["projects", "create", "--name", "by the CLI", "--region-id", "aws-eu-central-1", ...inIt],
      ...["--database", "shop", "--role", "keeper", "--cu", "0.5-2"],
    );
    assert.equal(project.region_id, "aws-eu-central-1");
    assert.equal(project.default_endpoint_settings?.autoscaling_limit_max_cu, 2);
    assert.match(JSON.stringify(uris), /postgresql:\/\/keeper:[^@]+@[^/]+\/shop/);
    await platform().settled(project.id);
    const ofIt = ["--project-id", project.id];
    await cli().text("ip-allow", "add", "10.0.0.1", "10.0.0.2", "--protected-only", ...ofIt);
    await platform().settled(project.id);
    const { settings } = (await platform().call("GET", `/projects/${project.id}`)).body.project;
    assert.deepEqual(settings?.allowed_ips, { ips: ["10.0.0.1", "10.0.0.2"], protected_branches_only: true });

    const id = "vpce-0123456789abcdef0";
    const region = [...inIt, "--region-id", project.region_id];
    await cli().text("vpc", "endpoint", "assign", id, "--label", "office", ...region);
    await cli().text("vpc", "project", "restrict", id, "--label", "only here", ...ofIt);
    const assigned = await cli().json<Record<string, unknown>>("vpc", "endpoint", "status", id, ...region);
    assert.deepEqual([assigned["label"], assigned["num_restricted_projects"]], ["office", 1]);

    const { key } = await cli().json<{ key: string }>("api-keys", "create", "--name", "ci", ...ofIt);
    assert.equal((await platform().call("GET", `/projects/${project.id}`, undefined, { key })).status, 200);
    assert.equal((await platform().call("DELETE", `/projects/${project.id}`, undefined, { key })).status, 403);
  });

  it("creates branches, clears an expiry, and restores a branch", async () => {
    const { branch, endpoints } = await made<{ branch: Branch; endpoints: Endpoint[] }>(
      ...["branches", "create", "--name", "dev", "--cu", "0.25-1", "--suspend-timeout", "600"],
    );
    assert.equal(branch.parent_id, main.id);
    assert.deepEqual(
      endpoints.map((one) => [one.type, one.autoscaling_limit_max_cu, one.suspend_timeout_seconds]),
      [["read_write", 1, 600]],
    );
    await made(
      ...["branches", "create", "--name", "bare", "--no-compute", "--parent", "dev"],
      ...["--expires-at", new Date(Date.now() + 86_400_000).toISOString()],
    );
    const bare = await branchNamed("bare");
    assert.equal(bare.parent_id, branch.id);
    assert.ok(bare.expires_at);
    await made("branches", "set-expiration", bare.id);
    assert.equal((await branchNamed("bare")).expires_at ?? undefined, undefined);

    // What was before its creation is the parent's past, not its own.
    const moment = `^self@${new Date(Date.parse(branch.created_at) + 1).toISOString()}`;
    const restored = await made<{ restored_branch: Branch; backup_branch: Branch }>(
      ...["branches", "restore", "dev", moment, "--preserve-under-name", "before"],
    );
    assert.deepEqual([restored.restored_branch.id, restored.backup_branch.name], [branch.id, "before"]);
    assert.match(await cli().complaint(["branches", "delete", main.name, ...of]), /ERROR: .*default/);
  });

  it("shows URIs: through the pooler, for reading, and in parts", async () => {
    const reader = await made<Endpoint>("branches", "add-compute", main.name, "--type", "read_only");
    const whose = ["--database-name", "neondb", "--role-name", "neondb_owner", ...of];
    const [pooled, reading, parts] = await Promise.all([
      cli().text("connection-string", main.name, "--pooled", ...whose),
      cli().text("connection-string", main.name, "--endpoint-type", "read_only", ...whose),
      cli().json<Record<string, string>>("connection-string", main.name, "--extended", ...of),
    ]);
    assert.match(new URL(pooled).hostname, hostPattern({ pooled: true }));
    assert.equal(new URL(reading).hostname, reader.host);
    assert.deepEqual([parts["role"], parts["database"]], ["neondb_owner", "neondb"]);
  });

  it("sends any request, and reports that a key is wrong", async () => {
    const [regions, wrong] = await Promise.all([
      cli().json<{ regions: unknown[] }>("api", "/regions"),
      cli().complaint(["me"], "napi_never_made"),
    ]);
    assert.ok(regions.regions.length > 0);
    assert.match(wrong, /ERROR/);
  });
});
