import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { describe, it } from "mocha";
import { Client } from "pg";

import { environmentWith, run } from "../package/compatibility/programs";
import { testPostgres } from "../support/postgres-files";
import { suitePlatform, type TestPlatform } from "../support/platform";
import { inventory, type Stack, suiteStacks } from "../support/stack";
import { examples, installWorkspace, suiteExamples } from "./example-copies";

describe("examples: a copy in an empty folder", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const withPostgres = suitePlatform({ operationTime: "20ms", postgres: testPostgres() });
  const newStack = suiteStacks();
  const copies = suiteExamples();
  /** A stack of a copy. Each command of it that succeeds must print no warning, apart from those that match `said`. */
  const newCopy = async (name: string, account: TestPlatform, stack?: string, said = /$^/): Promise<Stack> => {
    const copy = await newStack({ platform: account, place: copies.place(name, stack) });
    const command = copy.command.bind(copy);
    copy.command = async (...args) => {
      const result = await command(...args);
      const warnings = result.text.split("\n").filter((line) => /\bwarn(ing)?\b/i.test(line) && !said.test(line));
      assert.deepEqual(warnings, [], `the example ${name} warns`);
      return result;
    };
    return copy;
  };
  /** Runs a script of the example, with the URL of its stack. */
  const runScript = async (stack: Stack, script: string): Promise<string> => {
    const { databaseUrl } = stack.outputs();
    const environment = environmentWith(process.execPath, { DATABASE_URL: String(databaseUrl) });
    return await run("npm", ["run", "--silent", script], stack.folder, environment);
  };

  for (const name of examples) {
    it(`${name}: the compiler accepts it`, async () => {
      await compile(copies.folder(name));
    });

    it(`${name}: declares each package that it imports`, () => {
      const read = (file: string): string => readFileSync(join(copies.folder(name), file), "utf8");
      const { dependencies } = JSON.parse(read("package.json")) as { readonly dependencies: object };
      const files = ["index.ts", "app.mjs", "migrate.mjs", join("api", "index.ts")].filter((file) =>
        existsSync(join(copies.folder(name), file)),
      );
      for (const [, imported = ""] of files
        .map(read)
        .join("\n")
        .matchAll(/ from "((?:@[^/"]+\/)?[^./"][^/"]*)/g)) {
        if (!imported.startsWith("node:")) assert.ok(imported in dependencies, imported);
      }
    });
  }

  it("quickstart: creates a project, and a branch that answers", async () => {
    const stack = await newCopy("quickstart", withPostgres());
    await stack.up();
    assert.deepEqual(await query(String(stack.outputs()["databaseUrl"]), "SELECT 1 AS one"), [{ one: 1 }]);
    await stack.destroy();
  });

  it("branch-per-pull-request: creates a branch that ends", async () => {
    const { project } = await withPostgres().project({ name: "previews" });
    const stack = await newCopy("branch-per-pull-request", withPostgres());
    stack.configure({ projectId: project.id, pullRequest: "42", commit: "0af76519" });
    await stack.up();
    assertInAWeek(stack.outputs()["expiresAt"]);
  });

  it("multi-account: each project is in its own account", async () => {
    const stack = await newStack({
      place: copies.place("multi-account"),
      config: { "neon:apiUrl": platform().apiUrl },
    });
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
    const stack = await newCopy("adopt-existing", platform());
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

  it("environments and application: each stack has its project, and an application connects with the URL of another stack", async () => {
    const dev = await newCopy("environments", withPostgres());
    await dev.up();
    // The protection is a change of a branch that Neon creates without it.
    const protection = /Adopting the branch \S+ changes it: `protected` \(now false\)\.$/;
    const production = await newCopy("environments", withPostgres(), "production", protection);
    production.configure({ maxCu: "8", historyDays: "7", isProtected: "true" });
    await production.up();
    const names = Object.keys(await inventory(withPostgres()));
    assert.ok(names.includes("shop-dev") && names.includes("shop-production"), names.join());
    assert.match((await production.failing("destroy")).text, /protected/);
    await dev.destroy();

    const application = await newStack({ place: copies.place("application") });
    application.configure({ databaseStack: "organization/environments/production" });
    await application.up();
    assert.equal(application.outputs()["databaseUrl"], production.outputs()["databaseUrl"]);
    const shown = await application.command("stack", "output");
    assert.match(shown.text, /databaseUrl +\[secret\]/);
    assert.equal(await runScript(application, "start"), "Connected to the database neondb as neondb_owner.\n");
  });

  it("migrations: `pulumi up` changes a branch that ends, production does not see it, and a new file runs it again", async () => {
    const { project, connection_uris: uris } = await withPostgres().project({ name: "with-tables" });
    const stack = await newCopy("migrations", withPostgres());
    stack.configure({ projectId: project.id, pullRequest: "42" });
    await stack.up();
    assertInAWeek(stack.resource("preview").outputs["expiresAt"]);
    const url = String(stack.outputs()["databaseUrl"]);
    assert.doesNotMatch(new URL(url).hostname, /-pooler/);
    const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1";
    assert.deepEqual(await query(url, tables), [{ tablename: "orders" }]);
    await stack.command("preview", "--expect-no-changes");
    const folder = join(stack.folder, "drizzle");
    const journal = join(folder, "meta", "_journal.json");
    const { entries, ...others } = JSON.parse(readFileSync(journal, "utf8")) as { readonly entries: object[] };
    const entry = { idx: 1, version: "7", when: 1_767_225_700_000, tag: "0001_customers", breakpoints: true };
    writeFileSync(join(folder, "0001_customers.sql"), "CREATE TABLE customers (id bigint PRIMARY KEY);");
    writeFileSync(journal, JSON.stringify({ ...others, entries: [...entries, entry] }));
    assert.match((await stack.up()).text, /This migration runs again, because the files changed\./);
    assert.deepEqual(await query(url, tables), [{ tablename: "customers" }, { tablename: "orders" }]);
    // vector-search needs a plugin that must be downloaded, so only its SQL is run.
    await query(url, readFileSync(join(copies.folder("vector-search"), "schema.sql"), "utf8"));
    assert.ok((await query(url, tables)).some((row) => isDeepStrictEqual(row, { tablename: "document" })));
    assert.deepEqual(await query(uris[0]?.connection_uri ?? "", tables), []);
  });

  it("migrations: without a project of its own, it creates one", async () => {
    const stack = await newCopy("migrations", withPostgres(), "alone");
    await stack.up();
    const { databaseUrl } = stack.outputs();
    assert.deepEqual(await query(String(databaseUrl), "SELECT count(*)::int AS orders FROM orders"), [{ orders: 0 }]);
    assert.equal(stack.resource("migrations").outputs["name"], "migrations");
    await stack.destroy();
  });

  it("function: `pulumi up` bundles it with its router and its driver, and it reads and writes the database of its branch", async () => {
    const stack = await newCopy("function", withPostgres());
    const token = "a-token-for-writing";
    stack.configure({}, { token });
    await stack.up();
    const url = String(stack.outputs()["url"]);
    const notes = async (): Promise<unknown> => (await fetch(url)).json();
    const add = async (authorization: string): Promise<number> =>
      (await fetch(url, { method: "POST", body: "Hello", headers: { authorization } })).status;
    assert.deepEqual(await notes(), []);
    assert.equal(await add("Bearer another"), 401);
    assert.equal(await add(`Bearer ${token}`), 201);
    assert.deepEqual(await notes(), [{ id: "1", text: "Hello" }]);
    await stack.command("preview", "--expect-no-changes");
    await stack.destroy();
  });

  it("monorepo: a component of another package of the workspace creates the databases of two services", async () => {
    await installWorkspace(copies.folder("monorepo"));
    const place = { ...copies.place("monorepo"), folder: join(copies.folder("monorepo"), "infrastructure") };
    await compile(place.folder);
    const stack = await newStack({ platform: platform(), place });
    await stack.up();
    const { ordersUrl, usersUrl } = stack.outputs();
    assert.match(String(ordersUrl), /^postgresql:\/\/orders:[^@]+@ep-[^/]+\/orders\b/);
    assert.match(String(usersUrl), /^postgresql:\/\/users:[^@]+@ep-[^/]+\/users\b/);
    await stack.destroy();
  });

  it("rotate-keys: the new key is in use before the old one is revoked", async () => {
    const stack = await newStack({
      place: copies.place("rotate-keys"),
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
});

/** Checks the types of a program. */
async function compile(folder: string): Promise<void> {
  const compiler = join("node_modules", "typescript-7", "bin", "tsc");
  const args = [compiler, "--noEmit", "-p", folder];
  await run(process.execPath, args, process.cwd(), environmentWith(process.execPath));
}

/** Asserts that a branch that was just created ends in 7 days. */
function assertInAWeek(expiresAt: unknown): void {
  const days = (Date.parse(String(expiresAt)) - Date.now()) / 86_400_000;
  assert.ok(days > 6.9 && days <= 7, String(expiresAt));
}

async function query(uri: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: uri });
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The mutations that a platform has received. */
async function mutations(platform: TestPlatform): Promise<string[]> {
  return (await platform.requests())
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path.replace("/api/v2", "").split("?", 1)[0] ?? ""}`);
}
