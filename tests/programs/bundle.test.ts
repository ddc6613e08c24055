import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { testPostgres } from "../support/postgres-files";
import { suitePlatform } from "../support/platform";
import { suiteStacks } from "../support/stack";

const program = `
  const project = new neon.Project("shop", { regionId: "aws-us-east-2" });
  const api = new neon.Function("api", {
    projectId: project.id,
    branchId: project.defaultBranchId,
    code: neon.bundle("api/index.ts"),
    environment: { TOKEN: new pulumi.Config().requireSecret("token") },
  });
  exports.url = api.invocationUrl;
`;

/** A function with a router and two drivers. */
const source = (greeting: string): string => `
  import { neon, neonConfig } from "@neondatabase/serverless";
  import { Hono } from "hono";
  import pg from "pg";

  const { DATABASE_URL: url = "" } = process.env;
  // Without this setting, queries go to the real service.
  neonConfig.fetchEndpoint = (host) => \`http://\${host}:5432/sql\`;
  const pool = new pg.Pool({ connectionString: url });
  const greeting: string = "${greeting}";

  export default new Hono().get("/:name", async (context) => {
    const [one] = await neon(url)\`SELECT 1 AS one\`;
    const { rows: [two] } = await pool.query("SELECT 2 AS two");
    return context.json({ text: \`\${greeting}, \${context.req.param("name")}\`, ...one, ...two });
  });
`;

describe("programs: a function that is bundled from TypeScript", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms", postgres: testPostgres() });
  const newStack = suiteStacks();

  it("is deployed once for a change of one line, not at all without one, and fails in a preview that shows the line", async () => {
    const stack = await newStack({ platform: platform(), program });
    stack.configure({}, { token: "a-token" });
    stack.linkPackages(["esbuild", "hono", "pg", "@neondatabase/serverless"]);
    const write = (greeting: string): void => stack.writeFiles({ "api/index.ts": source(greeting) });
    const changes = async (step: () => Promise<unknown>): Promise<readonly string[]> => {
      const before = await platform().latestRequest();
      await step();
      const sent = (await platform().requests(before)).filter(({ method }) => method !== "GET");
      return sent.map(({ method, path }) => `${method} ${path.split("/").at(-1) ?? ""}`);
    };
    const answer = async (): Promise<unknown> => (await fetch(`${String(stack.outputs()["url"])}Ann`)).json();

    write("Hello");
    await stack.up();
    assert.deepEqual(await answer(), { text: "Hello, Ann", one: 1, two: 2 });
    const { code } = stack.resource("api").inputs as { readonly code: object };
    assert.ok(!JSON.stringify(code).includes("Hello"), "the state has the code");

    assert.deepEqual(await changes(() => stack.up()), []);
    await stack.command("preview", "--expect-no-changes");

    write("Good morning");
    assert.deepEqual(await changes(() => stack.up()), ["POST deployments"]);
    assert.deepEqual(await answer(), { text: "Good morning, Ann", one: 1, two: 2 });

    write('Hello" + ;');
    const before = await platform().latestRequest();
    const { text } = await stack.failing("preview");
    const [, shown = ""] = text.split("Diagnostics:");
    assert.match(shown, /neon\.bundle\("api\/index\.ts"\) failed: ✘ \[ERROR\] Unexpected ";"\s+api\/index\.ts:10:37:/);
    assert.equal(shown.match(/error:/g)?.length, 1, shown);
    assert.ok((await platform().requests(before)).every(({ method }) => method === "GET"));
    await stack.destroy();
  });
});
