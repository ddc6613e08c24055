import assert from "node:assert/strict";

import type { Branch, Database, Endpoint, Role, Snapshot } from "@neondatabase/api-client";
import { before, describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { suiteVendorCli } from "../support/vendor-cli";

describe("vendor: the command `neon`, about branches", () => {
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

  it("makes branches with and without a compute, and lists them", async () => {
    const { branch, endpoints } = await made<{ branch: Branch; endpoints: Endpoint[] }>(
      ...["branches", "create", "--name", "dev", "--cu", "0.25-1", "--suspend-timeout", "600"],
    );
    assert.equal(branch.parent_id, main.id);
    assert.deepEqual(
      endpoints.map((one) => [one.type, one.autoscaling_limit_max_cu, one.suspend_timeout_seconds]),
      [["read_write", 1, 600]],
    );
    const bare = await made<Branch | { branch: Branch }>(
      ...["branches", "create", "--name", "bare", "--no-compute", "--parent", "dev"],
      ...["--expires-at", new Date(Date.now() + 86_400_000).toISOString()],
    );
    assert.equal(("branch" in bare ? bare.branch : bare).parent_id, branch.id);
    const listed = await cli().json<Branch[]>("branches", "list", ...of);
    assert.deepEqual(listed.map(({ name }) => name).sort(), ["bare", "dev", main.name]);
  });

  it("finds branches by name and by id: renames one, clears its expiry, gives one a compute, deletes one", async () => {
    await made("branches", "rename", "bare", "renamed");
    assert.ok((await branchNamed("renamed")).expires_at);
    await made("branches", "set-expiration", (await branchNamed("renamed")).id);
    assert.equal((await branchNamed("renamed")).expires_at ?? undefined, undefined);
    const reader = await made<Endpoint>("branches", "add-compute", "dev", "--type", "read_only");
    assert.equal(reader.type, "read_only");
    await made("branches", "delete", "renamed");
    assert.equal((await platform().call("GET", `/projects/${projectId}/branches/count`)).body.count, 2);
  });

  it("resets a branch to its parent, and restores it to a moment of its own", async () => {
    await made("branches", "reset", "dev", "--parent");
    const dev = await branchNamed("dev");
    assert.ok(dev.last_reset_at);
    // What was before the reset is the parent's past, not its own.
    const moment = `^self@${new Date(Date.parse(dev.last_reset_at) + 1).toISOString()}`;
    const restored = await made<{ restored_branch: Branch; backup_branch: Branch }>(
      ...["branches", "restore", "dev", moment, "--preserve-under-name", "before"],
    );
    assert.equal(restored.restored_branch.id, dev.id);
    assert.equal(restored.backup_branch.name, "before");
  });

  it("makes another branch the default one, is told why it cannot go, and compares schemas", async () => {
    await made("branches", "create", "--name", "next", "--no-compute", "--protected");
    await made("branches", "set-default", "next");
    assert.equal((await branchNamed("next")).default, true);
    const [refusal, diff] = await Promise.all([
      cli().complaint(["branches", "delete", "next", ...of]),
      cli().text("branches", "schema-diff", main.name, "dev", "--database", "neondb", ...of),
    ]);
    assert.match(refusal, /ERROR: .*(protected|default)/);
    assert.match(diff, /^--- Database: neondb.*\n\+\+\+ Database: neondb/m);
  });

  it("makes, lists and deletes roles and databases", async () => {
    const role = await made<Role>("roles", "create", "--name", "app", "--branch", "dev");
    assert.ok(role.password);
    const database = await made<Database>(
      ...["databases", "create", "--name", "shop", "--owner-name", "app", "--branch", "dev"],
    );
    assert.equal(database.owner_name, "app");
    const [roles, databases] = await Promise.all([
      cli().json<Role[]>("roles", "list", "--branch", "dev", ...of),
      cli().json<Database[]>("databases", "list", "--branch", "dev", ...of),
    ]);
    assert.deepEqual(roles.map(({ name }) => name).sort(), ["app", "neondb_owner"]);
    assert.deepEqual(databases.map(({ name }) => name).sort(), ["neondb", "shop"]);
    assert.equal((await made<Database>("databases", "delete", "shop", "--branch", "dev")).name, "shop");
    assert.equal((await made<Role>("roles", "delete", "app", "--branch", "dev")).name, "app");
  });

  it("tells URIs: through the pooler, for reading, and in parts", async () => {
    const dev = await branchNamed("dev");
    const { endpoints } = (await platform().call("GET", `/projects/${projectId}/branches/${dev.id}/endpoints`)).body;
    const reader = endpoints.find(({ type }) => (type as string) === "read_only");
    const whose = ["--database-name", "neondb", "--role-name", "neondb_owner", ...of];
    const [pooled, reading, parts] = await Promise.all([
      cli().text("connection-string", "dev", "--pooled", ...whose),
      cli().text("connection-string", "dev", "--endpoint-type", "read_only", ...whose),
      cli().json<Record<string, string>>("connection-string", main.name, "--extended", ...of),
    ]);
    assert.match(new URL(pooled).hostname, /^ep-[a-z0-9-]+-pooler\./);
    assert.equal(new URL(reading).hostname, reader?.host);
    assert.deepEqual([parts["role"], parts["database"]], ["neondb_owner", "neondb"]);
  });

  it("takes, restores and deletes snapshots, and plans them", async () => {
    const taken = await made<Snapshot>("snapshots", "create", "--branch", main.name, "--name", "before");
    const { restored_branch: restored } = await made<{ restored_branch: Branch }>(
      ...["snapshots", "restore", "before", "--name", "from the snapshot"],
    );
    assert.equal(restored.name, "from the snapshot");
    await made("snapshots", "schedule", "set", "--branch", main.name, "--frequency", "daily", "--hour", "3");
    const [plan, listed] = await Promise.all([
      cli().json<{ frequency: string }[]>("snapshots", "schedule", "get", "--branch", main.name, ...of),
      cli().json<Snapshot[]>("snapshots", "list", ...of),
    ]);
    assert.deepEqual(
      plan.map(({ frequency }) => frequency),
      ["daily"],
    );
    assert.deepEqual(
      listed.map(({ id }) => id),
      [taken.id],
    );
    await made("snapshots", "delete", taken.id);
    const { snapshots } = (await platform().call("GET", `/projects/${projectId}/snapshots`)).body as unknown as {
      snapshots: unknown[];
    };
    assert.deepEqual(snapshots, []);
  });
});
