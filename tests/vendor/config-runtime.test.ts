import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";

import { apply, loadConfigFromFile, plan, type PushResult } from "@neon/config-runtime";
import type { Trigger } from "@neon/sdk";
import { before, describe, it } from "mocha";

import { suitePaths } from "../platform/support/paths";
import { waitForBuild } from "../platform/support/function";
import { suitePlatform } from "../support/platform";

const policy = (source: string, cron: string): string => `
  import { defineConfig } from "@neon/config/v1";

  export default defineConfig({
    auth: true,
    dataApi: true,
    aiGateway: true,
    functions: {
      api: { name: "API", source: ${JSON.stringify(source)}, env: { GREETING: "by neon.ts" }, customDomains: ["api.example.com"] },
    },
    buckets: { uploads: { access: "private" } },
    triggers: {
      hourly: { type: "schedule", function: "api", cron: ${JSON.stringify(cron)} },
      thumbnails: { type: "storage_object_created", function: "api", bucket: "uploads", prefix: "in/", functionPath: "/thumbnail" },
    },
  });
`;

describe("vendor: `neon.ts`, applied by `@neon/config-runtime`", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const folder = suitePaths();
  let where: Parameters<typeof plan>[1];
  let branch: string;
  before(async () => {
    const { project, branch: main } = await platform().project({ name: "shop", region_id: "aws-us-east-2" });
    await platform().settled(project.id);
    branch = `/projects/${project.id}/branches/${main.id}`;
    where = {
      projectId: project.id,
      branchId: main.id,
      apiKey: platform().apiKey,
      apiHost: platform().apiUrl,
    };
    mkdirSync(folder("node_modules/@neon"), { recursive: true });
    symlinkSync(`${process.cwd()}/node_modules/@neon/config`, folder("node_modules/@neon/config"));
    writeFileSync(folder("api.ts"), "export default (): Response => new Response(process.env.GREETING);");
    writeFileSync(folder("neon.ts"), policy(folder("api.ts"), "0 * * * *"));
  });

  const config = async () => (await loadConfigFromFile({ path: folder("neon.ts") })).config;
  const changesOf = ({ applied, conflicts, warnings }: PushResult): string[] => {
    assert.deepEqual([conflicts, warnings], [[], []]);
    return applied.filter(({ action }) => action !== "noop").map(({ action, identifier }) => `${action} ${identifier}`);
  };
  /** What changes something, without the names that the platform gives. */
  const changesSent = async (): Promise<string[]> =>
    (await platform().requests())
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path.slice(path.indexOf(branch) + branch.length)}`);

  it("creates everything of a branch, and the function answers", async () => {
    const planned = changesOf(await plan(await config(), where));
    const applied = changesOf(await apply(await config(), where));
    await platform().settled(where.projectId);
    assert.deepEqual(applied, planned);
    assert.deepEqual(applied.sort(), [
      "create auth",
      "create bucket:uploads",
      "create dataApi",
      "create domain:api.example.com",
      "create function:api",
      "create trigger:api:hourly",
      "create trigger:api:thumbnails",
    ]);
    const { invocation_url: url } = await waitForBuild(platform(), `${branch}/functions/api`);
    assert.equal(await (await fetch(url)).text(), "by neon.ts");
  });

  it("changes nothing the second time, but deploys the function as each time", async () => {
    await platform().clearRequests();
    assert.deepEqual(changesOf(await apply(await config(), where)), ["update function:api"]);
    assert.deepEqual(await changesSent(), ["POST /functions/api/deployments"]);
  });

  it("changes what the policy changes, and nothing else", async () => {
    writeFileSync(folder("neon.ts"), policy(folder("api.ts"), "30 * * * *"));
    await platform().clearRequests();
    const changes = changesOf(await apply(await config(), where));
    assert.deepEqual(changes.sort(), ["update function:api", "update trigger:api:hourly"]);
    const [deployed, patched, ...rest] = await changesSent();
    assert.deepEqual([deployed, rest], ["POST /functions/api/deployments", []]);
    assert.match(patched ?? "", /^PATCH \/triggers\/trigger-/);
  });

  it("enables the inherited triggers of a child and its Data API, and leaves the domain to its parent", async () => {
    const { body } = await platform().call("POST", `/projects/${where.projectId}/branches`, {
      branch: { name: "child" },
      endpoints: [{ type: "read_write" }],
    });
    await platform().settled(where.projectId);
    const child = { ...where, branchId: body.branch.id };
    const changes = changesOf(await apply(await config(), child));
    assert.deepEqual(changes.sort(), [
      "create dataApi",
      "update function:api",
      "update trigger:api:hourly",
      "update trigger:api:thumbnails",
    ]);
    const listed = await platform().call("GET", `/projects/${where.projectId}/branches/${child.branchId}/triggers`);
    const { triggers } = listed.body as unknown as { readonly triggers: readonly Trigger[] };
    assert.deepEqual(triggers.map(({ name, enabled, inherited }) => [name, enabled, inherited]).sort(), [
      ["hourly", true, false],
      ["thumbnails", true, false],
    ]);
    assert.deepEqual(changesOf(await apply(await config(), child)), ["update function:api"]);
  });
});
