import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestPlatform } from "../../support/platform";
import { spawnPlatform } from "../../support/platform-process";
import { testPostgres, processesOn, socketFolderOf } from "../../support/postgres-files";
import { until } from "../../support/until";
import { suitePaths } from "../support/paths";
import { query, withClient } from "../support/sql";

const rounds = 2;

/** Empty if the process has ended meanwhile. */
const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("local platform with Postgres: kill -9", function () {
  before(function () {
    if (process.platform !== "linux") this.skip();
  });
  const folder = suitePaths();

  it("of the platform loses no acknowledged row, leaves no process, and the next start completes what was begun", async () => {
    const args = ["--data", folder("data"), "--operation-time", "0", "--postgres", testPostgres()];
    const first = await spawnPlatform(args);
    let { child } = first;
    const { apiKey } = first.platform;
    let platform = new TestPlatform(first.platform);
    const { project, branch, connection_uris } = await platform.project();
    const connectionString = connection_uris[0]?.connection_uri;
    await query({ connectionString }, "CREATE TABLE written (number int)");

    let acknowledged = 0;
    let next = 1;
    for (let round = 1; round <= rounds; round += 1) {
      const before = acknowledged;
      const writing = withClient({ connectionString }, async (writer) => {
        for (;;) {
          await writer.query("INSERT INTO written VALUES ($1)", [next]);
          acknowledged += 1;
          next += 1;
        }
      }).catch(() => undefined);
      const failed = writing.then(() => assert.fail("the writer has ended"));
      await Promise.race([until(() => acknowledged >= before + 20), failed]);
      const created = await platform.call("POST", `/projects/${project.id}/branches`, {
        endpoints: [{ type: "read_write" }],
      });
      await pause(40 * round);
      const socketFolder = socketFolderOf(folder(`data/postgres/branches/${branch.id}/data`));
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      await writing;
      // They stop by themselves.
      await until(() => processesOn(folder()).length === 0);
      assert.equal(existsSync(socketFolder), false, "its socket is gone");

      const again = await spawnPlatform(args);
      ({ child } = again);
      // An earlier key stays valid.
      platform = new TestPlatform({ ...again.platform, apiKey });
      for (const { action, status, error } of await platform.settled(project.id)) {
        assert.equal(status, "finished", `${action}: ${error ?? ""}`);
      }
      const branchUri = created.body.connection_uris[0]?.connection_uri;
      for (const uri of [connectionString, branchUri]) {
        const sql = "SELECT count(*)::int AS count, max(number) AS last FROM written";
        const [row] = await query({ connectionString: uri }, sql);
        const count = Number(row?.["count"]);
        assert.equal(count, row?.["last"], "no gap");
        if (uri !== connectionString) continue;
        // The row that was in flight may be there, although nobody was told so.
        assert.ok([acknowledged, acknowledged + 1].includes(count));
        acknowledged = count;
      }
      next = acknowledged + 1;
    }
    await platform.close();
    assert.deepEqual(processesOn(folder()), []);
  });

  it("of the platform also ends a Postgres that does not handle signals yet", async () => {
    const postgres = folder("package/native");
    mkdirSync(join(postgres, "bin"), { recursive: true });
    for (const name of ["../package.json", "pg-symlinks.json", "lib", "share", "bin/initdb"]) {
      symlinkSync(join(testPostgres(), name), join(postgres, name));
    }
    const real = join(testPostgres(), "bin", "postgres");
    const script = `#!/bin/sh\ncase "$*" in *.new/data*) cd "$2" && exec sleep 1000;; *) exec "${real}" "$@";; esac\n`;
    writeFileSync(join(postgres, "bin", "postgres"), script, { mode: 0o755 });
    const args = ["--data", folder("other"), "--operation-time", "0", "--postgres", postgres];
    const { child, platform: address } = await spawnPlatform(args);
    const platform = new TestPlatform(address);
    const { project } = await platform.project();
    await platform.call("POST", `/projects/${project.id}/branches`, { branch: { init_source: "schema-only" } });
    await until(() => processesOn(folder()).some((pid) => commandOf(pid).startsWith("sleep")));
    child.kill("SIGKILL");
    await until(() => processesOn(folder()).length === 0);
  });
});
