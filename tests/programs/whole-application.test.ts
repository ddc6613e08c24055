import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { apply, loadConfigFromFile, plan, type PushResult } from "@neon/config-runtime";
import { before, describe, it } from "mocha";

import { doors } from "../support/door";
import { filesIn } from "../support/files";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { testPostgres } from "../support/postgres-files";
import { leakText, SecretSearch } from "../support/secret-search";
import { type CliResult, inventory, type Stack, suiteStacks } from "../support/stack";

const token = "t0p-of-the-application";

const program = `
  const project = new neon.Project("shop", { regionId: "aws-us-east-2" });
  const branch = new neon.Branch("pr", { projectId: project.id, compute: {}, ttl: "7d" });
  const { projectId, branchId } = branch;
  const schema = new neon.Migration("schema", {
    projectId,
    branchId,
    run: "node migrate.mjs",
    files: new pulumi.asset.FileArchive("migrations"),
  });
  const api = new neon.Function("api", {
    projectId,
    branchId,
    code: neon.bundle("api/index.ts"),
    environment: { TOKEN: new pulumi.Config().requireSecret("token") },
  }, { dependsOn: schema });
  new neon.Trigger("yearly", { projectId, branchId, functionSlug: api.slug, schedule: { cron: "0 3 1 1 *" } });
  const bucket = new neon.Bucket("site", { projectId, branchId, accessLevel: "public_read" });
  new neon.BucketFolder("site", { projectId, branchId, bucketName: bucket.name, path: "www" });
  exports.url = api.invocationUrl;
  exports.site = pulumi.interpolate\`\${neon.getBranchStorageOutput({ projectId, branchId }).s3Endpoint}/\${bucket.name}\`;
  exports.connectionUri = branch.connectionUri;
`;

const handler = (greeting: string): string => `
  import { readFileSync } from "node:fs";
  import pg from "pg";

  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
  const greeting: string = "${greeting}";

  export default {
    async fetch({ url }: Request): Promise<Response> {
      const { pathname } = new URL(url);
      if (pathname !== "/") return new Response(readFileSync(new URL("." + pathname, import.meta.url)));
      const { rows } = await pool.query("SELECT name FROM products ORDER BY name");
      return Response.json([greeting, process.env.TOKEN?.length, ...rows.map(({ name }) => name)]);
    },
  };
`;

/** Applies each new file in a transaction, and adds a line to a file for each run. */
const migrate = `
  import { appendFileSync, readdirSync, readFileSync } from "node:fs";
  import pg from "pg";

  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  const applied = [];
  await client.connect();
  try {
    await client.query("CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY)");
    const { rows } = await client.query("SELECT name FROM migrations");
    for (const name of readdirSync("migrations").sort()) {
      if (rows.some((row) => row.name === name)) continue;
      await client.query("BEGIN");
      await client.query(readFileSync("migrations/" + name, "utf8"));
      await client.query("INSERT INTO migrations VALUES ($1)", [name]);
      await client.query("COMMIT");
      applied.push(name);
    }
  } catch (error) {
    console.error(error.message);
    applied.push("failed");
    process.exitCode = 1;
  } finally {
    await client.end();
    appendFileSync("runs", applied.join() + "\\n");
  }
`;

/** Declares a bucket that the program declares, too, and Neon Auth, which the program does not. */
const policy = `
  import { defineConfig } from "@neon/config/v1";
  export default defineConfig({ auth: true, buckets: { site: { access: "public_read" } } });
`;

/** Requests that change nothing. A refresh reveals the access key with which it reads the header fields of the files. */
const reading = /^(GET|HEAD) |^POST .*\/reveal$/;
const unchanged = ["GET branch", "GET branch/storage"];
const deployment = "POST branch/functions/api/deployments";

for (const door of doors) {
  describe(`programs: a whole application, through the ${door} provider`, function () {
    this.timeout(900_000);
    const platform = suitePlatform({ operationTime: "20ms", postgres: testPostgres() });
    const newStack = suiteStacks();
    let stack: Stack;
    /** The output of the CLI. */
    const texts: string[] = [];
    before(async () => {
      stack = await newStack({ platform: platform(), program, ...(door === "plugin" && { project: withPlugin }) });
      stack.configure({}, { token });
      stack.linkPackages(["esbuild", "pg"]);
      stack.writeFiles({
        "api/index.ts": handler("Hello"),
        "migrate.mjs": migrate,
        "migrations/1.sql": "CREATE TABLE products (name text); INSERT INTO products VALUES ('chair')",
        "www/index.html": "<h1>Shop</h1>",
        "www/assets/main.css": "h1 {}",
      });
    });

    /** The requests of a command, without ids, in alphabetical order. */
    const sentBy = async (run: () => Promise<CliResult>): Promise<readonly string[]> => {
      const latest = await platform().latestRequest();
      texts.push((await run()).text);
      const sent = await platform().requests(latest);
      return sent.map(({ method, path }) => `${method} ${path.replace(/.*\/branches\/[^/]+/, "branch")}`).sort();
    };
    const changesOf = async (run: () => Promise<CliResult>): Promise<readonly string[]> =>
      (await sentBy(run)).filter((one) => !reading.test(one));
    const get = (output: string, path: string): Promise<Response> => fetch(`${String(stack.outputs()[output])}${path}`);
    const answer = async (): Promise<unknown> => (await get("url", "")).json();
    const runs = (): readonly string[] => readFileSync(join(stack.folder, "runs"), "utf8").trimEnd().split("\n");
    const branchPath = (): string => `/projects/${stack.resource("pr").id ?? ""}`.replace(/\/(?=br-)/, "/branches/");

    it("answers with migrated rows after one `pulumi up` in an empty account", async () => {
      assert.deepEqual(await changesOf(() => stack.command("preview", "--diff")), []);
      texts.push((await stack.up()).text);
      assert.deepEqual(await answer(), ["Hello", token.length, "chair"]);
      assert.equal(await (await get("site", "/index.html")).text(), "<h1>Shop</h1>");
      assert.deepEqual(runs(), ["1.sql"]);
      const { branch } = (await platform().call("GET", branchPath())).body;
      assert.ok(branch.expires_at, "the branch does not expire");
      const { triggers } = (await platform().call("GET", `${branchPath()}/triggers`)).body;
      assert.deepEqual(
        triggers.map(({ name, enabled }) => [name, enabled]),
        [["yearly", true]],
      );
    });

    it("is only read by an unchanged `pulumi up`: the branch by the migration, its storage by the program", async () => {
      assert.deepEqual(await sentBy(() => stack.up()), unchanged);
      assert.deepEqual(await changesOf(() => stack.command("preview", "--expect-no-changes", "--refresh")), []);
    });

    it("fails in a preview that shows the line of a mistake in TypeScript once, and changes nothing", async () => {
      stack.writeFiles({ "api/index.ts": handler('Hello" + ;') });
      assert.deepEqual(await changesOf(() => stack.failing("preview")), []);
      const [, shown = ""] = (texts.at(-1) ?? "").split("Diagnostics:");
      assert.match(shown, /neon\.bundle\("api\/index\.ts"\) failed: ✘ \[ERROR\] Unexpected ";"\s+api\/index\.ts:6:37:/);
      assert.equal(shown.match(/error:/g)?.length, 1, shown);
    });

    it("is deployed once, and nothing else, for one changed line of TypeScript, and the state has none of the code", async () => {
      stack.writeFiles({ "api/index.ts": handler("Good morning") });
      assert.deepEqual(await changesOf(() => stack.up()), [deployment]);
      assert.ok(!JSON.stringify(stack.resource("api")).includes("Good morning"), "the state has the code");
      assert.deepEqual([await answer(), runs()], [["Good morning", token.length, "chair"], ["1.sql"]]);
    });

    it("is migrated once, and only read, for a new migration file", async () => {
      stack.writeFiles({ "migrations/2.sql": "INSERT INTO products VALUES ('table')" });
      assert.deepEqual(await changesOf(() => stack.up()), []);
      assert.deepEqual(
        [await answer(), runs()],
        [
          ["Good morning", token.length, "chair", "table"],
          ["1.sql", "2.sql"],
        ],
      );
    });

    it("keeps its function when a migration fails, and continues with the next `pulumi up`", async () => {
      stack.writeFiles({
        "migrations/3.sql": "INSERT INTO product VALUES ('lamp')",
        "api/index.ts": handler("Good day"),
      });
      assert.deepEqual(await changesOf(() => stack.failing("up")), []);
      assert.match(texts.at(-1) ?? "", /relation "product" does not exist/);
      assert.deepEqual(await answer(), ["Good morning", token.length, "chair", "table"]);
      stack.writeFiles({ "migrations/3.sql": "INSERT INTO products VALUES ('lamp')" });
      assert.deepEqual(await changesOf(() => stack.up()), [deployment]);
      assert.deepEqual(await answer(), ["Good day", token.length, "chair", "lamp", "table"]);
      assert.deepEqual(runs(), ["1.sql", "2.sql", "failed", "3.sql"]);
      assert.deepEqual(await sentBy(() => stack.up()), unchanged);
    });

    it("agrees with a `neon.ts` for the same branch, whose second plan is empty", async () => {
      const [projectId = "", branchId = ""] = (stack.resource("pr").id ?? "").split("/");
      const where = { projectId, branchId, apiKey: platform().apiKey, apiHost: platform().apiUrl };
      stack.linkPackages(["@neon/config"]);
      stack.writeFiles({ "neon.ts": policy });
      const { config } = await loadConfigFromFile({ path: join(stack.folder, "neon.ts") });
      const changes = ({ applied, conflicts, warnings }: PushResult): readonly string[] => [
        ...applied.filter(({ action }) => action !== "noop").map(({ action, identifier }) => `${action} ${identifier}`),
        ...[...conflicts, ...warnings].map((one) => JSON.stringify(one)),
      ];
      assert.deepEqual(changes(await apply(config, where)), ["create auth"]);
      await platform().settled(projectId);
      assert.deepEqual(changes(await plan(config, where)), []);
      assert.deepEqual(await sentBy(() => stack.up()), unchanged);
    });

    it("shows no secret in the state, the output of the CLI, the program's folder and the deployed bundle", async () => {
      const secrets = new SecretSearch();
      secrets.add("the account's key", platform().apiKey);
      secrets.add("the program's secret", token);
      secrets.addUri("the connection URI", stack.outputs()["connectionUri"]);
      const { credentials } = (await platform().call("GET", `${branchPath()}/credentials`)).body;
      for (const { token_id: id } of credentials) {
        const { body } = await platform().call("POST", `${branchPath()}/credentials/${id}/reveal`);
        secrets.add(`the token of ${id}`, body.api_token);
        secrets.add(`the access key of ${id}`, body.s3_secret_access_key);
      }
      assert.ok(secrets.count >= 6, `only ${secrets.count} secrets were known`);
      const bundle = await (await get("url", "index.mjs")).text();
      assert.match(bundle, /Good day/);
      const map = await (await get("url", "index.mjs.map")).text();
      assert.match(map, /"mappings"/);
      const leaks = [
        ...texts.flatMap((text) => secrets.search("the output of the CLI", text)),
        ...[stack.kept, stack.folder].flatMap(filesIn).flatMap((file) => secrets.search(file, readFileSync(file))),
        ...secrets.search("index.mjs", bundle),
        ...secrets.search("index.mjs.map", map),
      ];
      assert.deepEqual(leaks.map(leakText), []);
    });

    it("leaves nothing in the account after `pulumi destroy`", async () => {
      await stack.destroy();
      stack.assertEmpty();
      assert.deepEqual(await inventory(platform()), {});
    });
  });
}
