import assert from "node:assert/strict";

import type { NeonFunction } from "@neon/sdk";
import type { Branch, Endpoint } from "@neondatabase/api-client";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "mocha";

import { suitePaths } from "../platform/support/paths";
import { suitePlatform } from "../support/platform";
import { hostPattern } from "../support/postgres-files";
import { suiteVendorCli } from "../support/vendor-cli";

/** The command sends its requests with the SDK of `tests/platform/vendor-sdk.test.ts`. */
describe("vendor: the command `neon`", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const cli = suiteVendorCli("neon", () => platform());
  const folder = suitePaths();
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

  it("deploys a function, and lists it", async () => {
    mkdirSync(folder("function"));
    const source = join(folder("function"), "index.ts");
    writeFileSync(source, "export default { fetch: (): Response => new Response(process.env.GREETING) };");
    const deploy = [
      "functions",
      "deploy",
      "cli",
      "--src",
      source,
      "--env",
      "GREETING=by the CLI",
      "--branch",
      main.name,
    ];
    const { invocation_url: url } = await cli().json<NeonFunction>(...deploy, ...of);
    assert.equal(await (await fetch(url)).text(), "by the CLI");
    const listed = await cli().json<readonly NeonFunction[]>("functions", "list", "--branch", main.name, ...of);
    assert.deepEqual(
      listed.map((one) => [one.slug, one.active_deployment?.environment]),
      [["cli", ["GREETING"]]],
    );
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

  it("puts, lists, gets and deletes objects", async () => {
    const where = [...of, "--branch", main.id];
    const [sent, received] = [join(folder(), "sent.txt"), join(folder(), "received.txt")];
    mkdirSync(folder(), { recursive: true });
    writeFileSync(sent, "hello");
    await cli().text("bucket", "create", "files", ...where);
    const target = "files/in/ä b.txt";
    await cli().text("bucket", "object", "put", target, "--file", sent, "--content-type", "text/plain", ...where);
    const list = (...flags: readonly string[]) =>
      cli().json<{ folders: string[]; objects: { key: string }[] }>(
        "bucket",
        "object",
        "list",
        "files",
        ...flags,
        ...where,
      );
    assert.deepEqual((await list()).folders, ["in/"]);
    assert.deepEqual(
      (await list("--recursive")).objects.map(({ key }) => key),
      ["in/ä b.txt"],
    );
    await cli().text("bucket", "object", "get", target, "--file", received, ...where);
    assert.equal(readFileSync(received, "utf8"), "hello");
    assert.match(await cli().complaint(["bucket", "delete", "files", ...where]), /not empty/);
    await cli().text("bucket", "object", "delete", "files/in/", "--recursive", ...where);
    assert.match(await cli().complaint(["bucket", "object", "get", target, ...where]), /object not found/);
    await cli().text("bucket", "delete", "files", ...where);
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
