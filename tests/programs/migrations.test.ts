import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";
import { Client } from "pg";

import { isAlive } from "../../platform/postgres/is-alive";
import { suiteFolder } from "../support/folder";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { testPostgres } from "../support/postgres-files";
import { send, type Stack, type StackOptions, suiteStacks, unattended } from "../support/stack";
import { until } from "../support/until";

/** A branch with a migration, and a function that depends on it. */
function program(run: string, more = "", branch = ""): string {
  return `
const project = new neon.Project("shop", { name: "shop-" + new pulumi.Config().require("id") });
const branch = new neon.Branch("pr", { projectId: project.id, compute: {}, ${branch} });
const { projectId, branchId } = branch;
const token = new pulumi.Config().requireSecret("token");
const schema = new neon.Migration("schema", { projectId, branchId, run: ${JSON.stringify(run)}, ${more} environment: { TOKEN: token, LEVEL: "debug" } });
const note = new neon.Bucket("after", { projectId, branchId, name: "after" }, { dependsOn: schema });
exports.url = branch.connectionUri;`;
}

const applying = `node apply.js`;
const tool = `
const postgres = require("postgres");
const sql = postgres(process.env.DATABASE_URL, { max: 1, onnotice: () => undefined });
console.log("token " + process.env.TOKEN + ", level " + process.env.LEVEL + ", to " + process.env.DATABASE_URL);
sql\`CREATE TABLE IF NOT EXISTS orders (id int)\`.then(() => sql.end());
`;

describe("programs: migrations", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "50ms", postgres: testPostgres() });
  const newStack = suiteStacks();
  const folder = suiteFolder("neon-pulumi-migrations-");
  const token = "npg_0123456789abcdef";
  let stacks = 0;
  const stackOf = async (text: string, more: Partial<StackOptions> = {}): Promise<Stack> => {
    const stack = await newStack({ platform: platform(), program: text, ...more });
    // All stacks have the same names, and one account.
    stack.configure({ id: String((stacks += 1)) }, { token });
    stack.writeFiles({ "apply.js": tool });
    return stack;
  };
  const tables = async (stack: Stack): Promise<unknown[]> => {
    const client = new Client({ connectionString: String(stack.outputs()["url"]) });
    await client.connect();
    try {
      return (await client.query<object>("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).rows;
    } finally {
      await client.end();
    }
  };

  it("run in the `pulumi up` that creates their branch, and again when it is reset, and show no secret", async () => {
    const stack = await stackOf(program(applying));
    const first = await stack.up();
    assert.match(first.text, /token \[secret\], level debug, to \[secret\]/);
    assert.deepEqual(await tables(stack), [{ tablename: "orders" }]);
    await stack.command("preview", "--expect-no-changes");
    stack.write(program(applying, "", 'resetTrigger: "1"'));
    const preview = await stack.command("preview", "--diff");
    assert.match(preview.text, /This migration runs again, because the reset of Branch "pr" undoes it\./);
    await stack.up();
    assert.deepEqual(await tables(stack), [{ tablename: "orders" }]);
    await stack.command("preview", "--expect-no-changes", "--refresh");
    await stack.destroy();
    stack.assertEmpty();
  });

  it("that fail leave what depends on them as it was, show the last lines, and run again", async () => {
    const stack = await stackOf(program("echo first line; echo last line >&2; exit 7"));
    const failed = await stack.failing("up");
    assert.match(
      failed.text,
      /The command ended with the exit code 7\. The next `pulumi up` runs it again\. Its last lines:/,
    );
    assert.match(failed.text, /^ +first line$/m);
    assert.match(failed.text, /^ +last line$/m);
    assert.ok(!stack.resources().has("after"));
    stack.write(program(applying));
    const next = await stack.up();
    assert.match(next.text, /This migration runs again, because the last run did not succeed\./);
    assert.ok(stack.resources().has("after"));
  });

  for (const [title, signals, options] of [
    ["killed", ["SIGKILL"], {}],
    ["ended by two Ctrl-C, in a program with the plugin", ["SIGINT", "SIGINT"], { project: withPlugin }],
  ] as const) {
    it(`end with a \`pulumi up\` that is ${title}, and run again in the next one, also if the program is as before`, async () => {
      const stack = await stackOf(program(applying), options);
      await stack.up();
      const file = join(folder, title.replaceAll(/\W+/g, "-"));
      stack.write(program(`sleep 1000 & echo $! > ${file}; wait`));
      const running = stack.start(["up", ...unattended]);
      await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
      const pid = Number(readFileSync(file, "utf8"));
      const [first, ...others] = signals;
      send(running.pid, first);
      for (const signal of others) {
        await until(() => running.output().includes("terminating immediately"));
        assert.ok(isAlive(pid), "Pulumi does not pass on the first Ctrl-C");
        send(running.pid, signal);
      }
      await running.ended;
      await until(() => !isAlive(pid));
      stack.unlock();
      stack.write(program(applying));
      const preview = await stack.command("preview");
      assert.match(preview.text, /This migration runs again, because the last run did not end\./);
      await stack.refresh();
      const next = await stack.up();
      assert.match(next.text, /This migration runs again, because the last run did not end\./);
      assert.match(next.text, /token \[secret\], level debug/);
      await stack.command("preview", "--expect-no-changes");
    });
  }
});
