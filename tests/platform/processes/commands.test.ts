import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { type Answer, startTestPlatform, type TestPlatform } from "../../support/platform";
import type { Ended } from "../../support/ended";
import { runPlatform, spawnCommand, spawnPlatform } from "../../support/platform-process";
import { testPostgres } from "../../support/postgres-files";
import { until } from "../../support/until";
import { failed } from "../support/command";
import { suitePaths } from "../support/paths";

/** A `psql` that runs the text behind `-c` by the variables of libpq, and prints its own arguments. */
const psqlScript = (node: string, pg: string): string => `#!${node}
const { Client } = require(${JSON.stringify(pg)});
const [flag, text] = process.argv.slice(2);
const client = new Client();
client.connect()
  .then(() => client.query(text))
  .then(({ rows }) => { console.log(JSON.stringify({ args: process.argv.slice(2), rows })); return client.end(); })
  .catch((error) => { console.error(error.message); process.exit(3); });
`;

describe("local platform: commands", () => {
  let data = "";
  let platform: TestPlatform;
  let created: Answer["body"];
  // Before the folder is removed.
  after(() => platform.close());
  const folder = suitePaths();

  before(async () => {
    data = folder("data");
    mkdirSync(folder("bin"));
    writeFileSync(folder("bin/psql"), psqlScript(process.execPath, require.resolve("pg")), { mode: 0o755 });
    platform = await startTestPlatform({ operationTime: "0", postgres: testPostgres(), data });
    created = await platform.project({ name: "shop", branch: { name: "main" } });
  });

  const psql = (...args: string[]): Promise<Ended> =>
    runPlatform(["psql", ...args], {
      ...process.env,
      PATH: [folder("bin"), process.env["PATH"]].join(delimiter),
      PGUSER: "somebody",
      PGHOST: "elsewhere.invalid",
    });
  const succeeded = ({ code, stderr, stdout }: Ended): string => {
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it("keys creates, lists and revokes keys of each kind", async () => {
    const key = succeeded(await runPlatform(["keys", "create", "of a command", "--data", data])).trim();
    assert.equal((await platform.call("GET", "/projects", undefined, { key })).status, 200);
    const organization = ["--organization", "Local organization"];
    const other = succeeded(await runPlatform(["keys", "create", "shared", ...organization, "--data", data])).trim();
    assert.equal((await platform.call("GET", "/projects", undefined, { key: other })).status, 200);
    const listed = succeeded(await runPlatform(["keys", "list", "--data", data]));
    assert.match(listed, /^\d+ +organization +shared +Local organization/m);
    const id = /^(\d+) +personal +of a command/m.exec(listed)?.[1] ?? "";
    assert.ok(!listed.includes(key));
    succeeded(await runPlatform(["keys", "revoke", id, "--data", data]));
    assert.equal((await platform.call("GET", "/projects", undefined, { key })).status, 401);
    assert.match(failed(await runPlatform(["keys", "revoke", id, "--data", data])), /API key not found/);
    const unknown = ["keys", "create", "x", "--organization", "none", "--data", data];
    assert.match(failed(await runPlatform(unknown)), /there is no organization "none"; there are: Local organization/);
  });

  it("operations lists operations, and follows them", async () => {
    const listed = succeeded(await runPlatform(["operations", "--data", data]));
    assert.match(listed, /create_timeline +OK .*shop \/ main/);
    const child = spawnCommand(["operations", "--follow", "--data", data]);
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    try {
      await until(() => printed.includes("start_compute"));
      const path = `/projects/${created.project.id}/endpoints/${created.endpoints[0]?.id ?? ""}`;
      await platform.call("PATCH", path, { endpoint: { autoscaling_limit_max_cu: 1 } });
      await until(() => /apply_config +OK .*shop \/ main/.test(printed));
    } finally {
      child.kill();
    }
  });

  it("timeline writes the picture of a run, of a running and of a stopped platform", async () => {
    const own = folder("timeline");
    const running = await startTestPlatform({ operationTime: "5ms", data: own });
    const headers = { "user-agent": "neon-pulumi (node)" };
    const project = await running.call("POST", "/projects", { project: { name: "drawn" } }, { headers });
    await running.settled(project.body.project.id);
    const picture = folder("up.svg");
    const summary = succeeded(await runPlatform(["timeline", "--data", own, "--out", picture]));
    assert.match(summary, /^Run \w+: 1 created$/m);
    assert.match(summary, /project drawn/);
    assert.match(readFileSync(picture, "utf8"), /<svg[^]*drawn/);
    await running.close();
    assert.equal(succeeded(await runPlatform(["timeline", "--data", own])), summary);
    assert.match(
      failed(await runPlatform(["timeline", "--data", own, "--run", "none"])),
      /no run of Pulumi with the id/,
    );
    assert.match(
      failed(await runPlatform(["timeline", "--data", folder("nowhere")])),
      /is not the data folder of a platform/,
    );
  });

  it("status lists projects, branches and computes with their memory and disk", async () => {
    const stdout = succeeded(await runPlatform(["status", "--data", data]));
    assert.match(stdout, new RegExp(`^Project shop \\(${created.project.id}\\), Postgres \\d+$`, "m"));
    const [endpoint] = created.endpoints;
    const memory = process.platform === "linux" ? "\\d+\\.\\d MB" : "-";
    const row = ["main \\(default\\)", created.branch.id, endpoint?.id, "active", endpoint?.host, memory];
    assert.match(stdout, new RegExp(`^  ${row.join(" +")} +[1-9]\\d\\.\\d MB$`, "m"));
    const byUrl = succeeded(await runPlatform(["status", "--url", platform.platform.consoleUrl]));
    assert.equal(byUrl.split("\n")[0], stdout.split("\n")[0]);
  });

  it("the file that leads commands to a platform is for its user only and ends with it", async () => {
    const other = folder("other");
    const { child, platform: second } = await spawnPlatform(["--data", other]);
    const file = join(other, "running.json");
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { consoleUrl: second.consoleUrl, pid: child.pid });
    await second.close();
    assert.equal(existsSync(file), false);
    assert.match(failed(await runPlatform(["status", "--data", other])), /no platform runs on .*other\n$/);
    // A killed platform leaves this file behind, and another platform may have its port.
    writeFileSync(file, JSON.stringify({ consoleUrl: platform.platform.consoleUrl, pid: process.pid }));
    assert.match(failed(await runPlatform(["status", "--data", other])), /no platform runs on .*other\n$/);
  });

  it("psql opens the branch with the given arguments and without a password among them", async () => {
    const sql = "select current_user as role, current_database() as database";
    const stdout = succeeded(await psql(created.branch.id, "--data", data, "--", "-c", sql));
    const { args, rows } = JSON.parse(stdout) as { readonly args: string[]; readonly rows: unknown[] };
    assert.deepEqual(args, ["-c", sql]);
    const [database] = created.databases;
    assert.deepEqual(rows, [{ role: database?.owner_name, database: database?.name }]);
  });

  it("psql names what is missing: the program, the branch, the platform", async () => {
    const inEmptyPath = { ...process.env, PATH: folder("nothing") };
    const missing = await runPlatform(["psql", "main", "--data", data], inEmptyPath);
    assert.match(failed(missing), /^neon-platform: there is no psql on the PATH; install /);
    assert.match(failed(await psql("mian", "--data", data)), /there is no branch "mian"; there are: main\n$/);
    assert.match(
      failed(await psql("main", "--url", "http://example.com")),
      /is not the consoleUrl of a local platform/,
    );
  });

  it("logs prints the Postgres log of a branch and follows it", async () => {
    const child = spawnCommand(["logs", "main", "--data", data, "-f"]);
    const seen = new Promise<void>((resolve, reject) => {
      let said = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        if (said === "")
          psql("main", "--data", data, "--", "-c", "select unheard_of")
            .then(({ code }) => assert.equal(code, 3))
            .catch(reject);
        said += text;
        if (/ready to accept connections[^]*column "unheard_of" does not exist/.test(said)) resolve();
      });
    });
    await seen;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  });

  it("doctor reports the Postgres that runs, and exits with 1 and the remedy if there is none", async () => {
    const found = succeeded(await runPlatform(["doctor", "--data", data, "--postgres", testPostgres()]));
    assert.match(found, /^✔ Postgres runs as /m);
    assert.match(found, new RegExp(`^✔ Postgres \\d+\\.\\d+ runs: ${testPostgres()}$`, "m"));
    assert.match(found, /^[✔!] .*(port 5432|loopback address)/m);
    const { code, stdout } = await runPlatform(["doctor", "--postgres", folder("bin")]);
    assert.equal(code, 1);
    assert.match(stdout, /^✘ .* holds no Postgres: there is no bin\/postgres in it\n {2}Name the folder /m);
  });

  it("export, reset and import need a stopped platform, and move all its data", async () => {
    const file = folder("data.tar.gz");
    const copy = folder("copy");
    for (const args of [
      ["export", file],
      ["reset", "--yes"],
    ]) {
      assert.match(failed(await runPlatform([...args, "--data", data])), /a platform runs on .*data; stop it first\n$/);
    }
    assert.equal(existsSync(file), false);
    succeeded(await psql("main", "--data", data, "--", "-c", "create table item as select 7 as value"));
    await platform.close();

    succeeded(await runPlatform(["export", file, "--data", data]));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.match(failed(await runPlatform(["reset", "--data", data])), /confirm with --yes/);
    assert.ok(existsSync(join(data, "platform.db")));
    writeFileSync(join(data, "notes.txt"), "the user's own");
    succeeded(await runPlatform(["reset", "--data", data, "--yes"]));
    assert.deepEqual(readdirSync(data), ["notes.txt"]);
    assert.match(failed(await runPlatform(["import", file, "--data", data])), /is not empty/);
    succeeded(await runPlatform(["import", file, "--data", copy]));

    platform = await startTestPlatform({ operationTime: "0", postgres: testPostgres(), data: copy });
    const stdout = succeeded(await psql("main", "--data", copy, "--", "-c", "select value from item"));
    assert.deepEqual((JSON.parse(stdout) as { readonly rows: unknown[] }).rows, [{ value: 7 }]);
  });

  it("import leaves nothing behind if the file is no archive of a platform", async () => {
    const target = folder("imported");
    writeFileSync(folder("text"), "no archive");
    assert.match(failed(await runPlatform(["import", folder("text"), "--data", target])), /tar failed: /);
    assert.ok(!readdirSync(folder()).some((name) => name.startsWith("imported")));
  });
});
