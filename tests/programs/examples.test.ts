import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";
import { Client } from "pg";

import { testPostgres } from "../support/postgres-files";
import { samples } from "../support/samples";
import { suitePlatform, type TestPlatform } from "../support/platform";
import { inventory, suiteStacks } from "../support/stack";

describe("examples", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const withPostgres = suitePlatform({ operationTime: "20ms", postgres: testPostgres() });
  const newStack = suiteStacks();

  it("multi-account: each project is in its own account", async () => {
    const stack = await newStack({ example: "multi-account", config: { "neon:apiUrl": platform().apiUrl } });
    const { key } = (await platform().call("POST", "/api_keys", { key_name: "staging" })).body as unknown as {
      key: string;
    };
    stack.configure({}, { productionKey: platform().apiKey, stagingKey: key });
    await stack.up();
    const { stagingRegions } = stack.outputs();
    assert.ok(Array.isArray(stagingRegions) && stagingRegions.includes("aws-eu-central-1"));
    assert.ok((await inventory(platform()))["shop-rehearsal"]);
  });

  it("adopt-existing: only reads, finds nothing to change, and refuses to delete", async () => {
    const { project, branch } = await platform().project({ name: "by-hand" });
    const stack = await newStack({ example: "adopt-existing", platform: platform() });
    stack.configure({ projectId: project.id, branchId: branch.id });
    await platform().clearRequests();
    await stack.up();
    assert.deepEqual(await mutations(platform()), []);
    assert.equal(stack.outputs()["projectName"], "by-hand");
    assert.ok(!("password" in stack.outputs()));
    await stack.command("preview", "--expect-no-changes");
    assert.match((await stack.failing("destroy")).text, /protected/);
    assert.deepEqual(await mutations(platform()), []);
  });

  it("environments and application: each stack has its project, and another stack gets the URL as a secret", async () => {
    const dev = await newStack({ example: "environments", platform: platform() });
    await dev.up();
    const place = {
      home: dev.environment["PULUMI_HOME"] ?? "",
      backend: dev.environment["PULUMI_BACKEND_URL"] ?? "",
      folder: join(dev.folder, "..", "production"),
      project: "environments",
      stack: "production",
    };
    const applicationFolder = join(dev.folder, "..", "application");
    for (const folder of [place.folder, applicationFolder]) mkdirSync(folder, { recursive: true });
    const production = await newStack({ example: "environments", platform: platform(), place });
    production.configure({ maxCu: "8", historyDays: "7", isProtected: "true" });
    await production.up();
    const names = Object.keys(await inventory(platform()));
    assert.ok(names.includes("shop-dev") && names.includes("shop-production"), names.join());
    assert.match((await production.failing("destroy")).text, /protected/);

    const application = await newStack({
      example: "application",
      place: { ...place, project: "application", folder: applicationFolder },
    });
    application.configure({ databaseStack: "organization/environments/production" });
    await application.up();
    assert.equal(application.outputs()["databaseUrl"], production.outputs()["databaseUrl"]);
    const shown = await application.command("stack", "output");
    assert.match(shown.text, /databaseUrl +\[secret\]/);
  });

  it("migrations and vector-search: their SQL runs on a branch by a URL for a session, and production does not see it", async () => {
    const { project, connection_uris: uris } = await withPostgres().project({ name: "with-tables" });
    const stack = await newStack({ example: "migrations", platform: withPostgres() });
    const expiresAt = new Date(Date.now() + 7 * 86_400_000).toISOString().replace(/\.\d+/, "");
    stack.configure({ projectId: project.id, pullRequest: "42", expiresAt });
    await stack.up();
    assert.doesNotMatch(new URL(String(stack.outputs()["databaseUrl"])).hostname, /-pooler/);
    const files = [join("migrations", "drizzle", "0000_orders.sql"), join("vector-search", "schema.sql")];
    const scripts = files.map((file) => readFileSync(join("examples", file), "utf8"));
    await query(String(stack.outputs()["databaseUrl"]), scripts.join(";\n"));
    const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1";
    const onPreview = await query(String(stack.outputs()["databaseUrl"]), tables);
    assert.deepEqual(onPreview, [{ tablename: "document" }, { tablename: "orders" }]);
    assert.deepEqual(await query(uris[0]?.connection_uri ?? "", tables), []);
  });

  it("monorepo: a component of another package of the workspace creates the databases of two services", async () => {
    const stack = await newStack({ example: "examples/monorepo/infrastructure", platform: platform() });
    const component = join(stack.folder, "node_modules", "service-database");
    const source = join("examples", "monorepo", "packages", "service-database");
    cpSync(source, component, { recursive: true });
    cpSync(join("dist", source), join(component, "dist"), { recursive: true });
    await stack.up();
    const { ordersUrl, usersUrl } = stack.outputs();
    assert.match(String(ordersUrl), /^postgresql:\/\/orders:[^@]+@ep-[^/]+\/orders\b/);
    assert.match(String(usersUrl), /^postgresql:\/\/users:[^@]+@ep-[^/]+\/users\b/);
    await stack.destroy();
  });

  it("rotate-keys: the new key is in use before the old one is revoked", async () => {
    const stack = await newStack({
      example: "rotate-keys",
      platform: platform(),
      config: { "neon:orgId": await platform().firstOrganization() },
    });
    stack.configure({ rotation: "first" });
    await stack.up();
    const before = stack.outputs()["deployerKey"];
    stack.configure({ rotation: "second" });
    await platform().clearRequests();
    const rotated = await stack.up();
    assert.match(rotated.text, /neon:ProjectApiKey deployer replaced/);
    const changes = await mutations(platform());
    assert.match(changes.at(0) ?? "", /^POST \/organizations\/[\w-]+\/api_keys$/);
    assert.match(changes.at(-1) ?? "", /^DELETE \/organizations\/[\w-]+\/api_keys\/\d+$/);
    const after = stack.outputs()["deployerKey"];
    assert.notEqual(after, before);
    const status = async (key: unknown): Promise<number> =>
      (await platform().call("GET", "/projects", undefined, { key: String(key) })).status;
    assert.deepEqual([await status(before), await status(after)], [401, 200]);
    await stack.destroy();
    assert.equal(await status(after), 401);
  });

  it("every kind goes up, stays, and leaves nothing", async () => {
    const config = { "neon:orgId": await platform().firstOrganization() };
    const account = async (): Promise<unknown[]> => {
      const paths = ["/api_keys", "/api_keys", "/vpc/vpc_endpoints"].map((path, index) =>
        index === 0 ? path : `/organizations/${config["neon:orgId"]}${path}`,
      );
      const lists = await Promise.all(paths.map(async (path) => (await platform().call("GET", path)).body as unknown));
      const projects = Object.keys(await inventory(platform()));
      return [...lists.map((list) => JSON.stringify(list).match(/"(id|vpc_endpoint_id)":[^,]+/g)), projects];
    };
    await platform().signIn("colleague@example.com");
    const before = await account();
    const stack = await newStack({ example: "tests/programs/all-resources", platform: platform(), config });
    await stack.up();
    const own = stack.everyResource().filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/neon:"));
    const kinds = new Set(own.map(({ type }) => type.slice(type.lastIndexOf(":") + 1)));
    assert.deepEqual([...kinds].sort(), Object.keys(samples).sort(), "every kind is in it");
    await platform().clearRequests();
    assert.match((await stack.up("--refresh")).text, /Resources:\n +\d+ unchanged/);
    assert.deepEqual(await mutations(platform()), []);
    await stack.destroy();
    stack.assertEmpty();
    assert.deepEqual(await account(), before);
  });
});

async function query(uri: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: uri });
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** What was sent to change something. */
async function mutations(platform: TestPlatform): Promise<string[]> {
  return (await platform.requests())
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path.replace("/api/v2", "").split("?", 1)[0] ?? ""}`);
}
