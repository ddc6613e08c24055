import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

import { type AnswerBody, TestPlatform } from "../../support/platform";
import { type ServingProcess, startProcess } from "../../support/platform-process";
import { postmasterPid, testPostgres } from "../../support/postgres-files";
import { isAlive } from "../../../platform/postgres/is-alive";
import { until } from "../../support/until";
import { suitePaths } from "../support/paths";
import { query, withClient } from "../support/sql";
import { CopyBarrier } from "./barrier";

type Operations = AnswerBody["operations"];

const hasLimits = process.platform === "linux" && spawnSync("prlimit", ["--version"]).status === 0;

/** Less than a file of the log of Postgres, and more than any other file here. */
const smallLimit = 1_000_000;

/** Lets a process write no larger files: its writes fail as on a full disk, without the rights that a full disk needs. */
function limitFiles(pid: number, bytes: number | "unlimited"): void {
  // For root, Postgres is the process of another user, whom the system wants to ask for this.
  const owner = statSync(`/proc/${pid}`, { throwIfNoEntry: false });
  if (owner === undefined) return;
  const { uid, gid } = owner;
  const args = ["--pid", String(pid), `--fsize=${bytes}:`];
  const { status, stderr } = spawnSync("prlimit", args, { encoding: "utf8", uid, gid });
  assert.ok(status === 0 || !isAlive(pid), stderr);
}

describe("local platform with Postgres: a full disk", () => {
  after(async () => {
    if (hasLimits) assert.equal(await running.end(), 0);
  });
  const folder = suitePaths();
  let running: ServingProcess;
  let platform: TestPlatform;
  let projectId: string;
  let main: string;
  let uri: string;
  const data = () => folder("data");
  const branches = () => folder("data/postgres/branches");
  const start = async () => {
    running = await startProcess(["--postgres", testPostgres(), "--operation-time", "0", "--data", data()]);
    platform = new TestPlatform(running.platform);
  };
  const createBranch = async (): Promise<Operations> => {
    const body = { endpoints: [{ type: "read_write" }] };
    return (await platform.call("POST", `/projects/${projectId}/branches`, body)).body.operations;
  };
  /** How the operation that creates a branch has ended. */
  const ended = async (started: Operations): Promise<Operations[number]> => {
    const creation = started.find(({ action }: { readonly action: string }) => action === "create_branch");
    const settled = await platform.settled(projectId);
    return settled.find(({ id }) => id === creation?.id) ?? assert.fail("no branch is created");
  };

  before(async function () {
    if (!hasLimits) this.skip();
    await start();
    const created = await platform.project();
    projectId = created.project.id;
    main = created.branch.id;
    uri = created.connection_uris[0]?.connection_uri ?? "";
    // The log of the control plane begins again, so that it is smaller than the limit.
    await running.end();
    await start();
  });

  it("ends the operation that copies a branch with the reason, and the part that was copied is removed", async () => {
    limitFiles(running.pid, smallLimit);
    const { status, error } = await ended(await createBranch());
    assert.equal(status, "error");
    assert.match(error ?? "", /the disk of .* is full, or a limit is reached \(EFBIG\)\. Free some space/);
    assert.deepEqual(readdirSync(branches()), [main]);
    limitFiles(running.pid, "unlimited");
    assert.equal((await ended(await createBranch())).status, "finished");
  });

  it("lets operations end as soon as that can be stored", async () => {
    const barrier = new CopyBarrier(join(branches(), main, "data"));
    const started = await createBranch();
    const before = running.stderr().length;
    const logged = () => running.stderr().slice(before);
    await barrier.whileHeld(async () => {
      await until(() => existsSync(join(data(), "platform.db-wal")));
      limitFiles(running.pid, statSync(join(data(), "platform.db-wal")).size);
    });
    await until(() => /the disk reports an error/.test(logged()));
    const { operation } = (await platform.call("GET", `/projects/${projectId}/operations/${started[0]?.id ?? ""}`))
      .body;
    assert.equal(operation.status, "running");
    limitFiles(running.pid, "unlimited");
    // The copy may be complete before it reaches the limit.
    const { status, error = "" } = await ended(started);
    assert.match(`${status} ${error}`, /^finished |EFBIG/);
    assert.equal(logged().match(/the disk reports an error/g)?.length, 1, logged());
  });

  it("a compute whose Postgres could not write its log serves again, with all that was acknowledged", async () => {
    await query({ connectionString: uri }, "CREATE TABLE item (value int)");
    const postmaster = postmasterPid(join(branches(), main, "data"));
    limitFiles(postmaster, smallLimit);
    let acknowledged = 0;
    const writing = withClient({ connectionString: uri }, async (writer) => {
      for (;;) {
        await writer.query("INSERT INTO item VALUES ($1)", [acknowledged]);
        acknowledged += 1;
        await writer.query("SELECT pg_logical_emit_message(false, 'filler', repeat('x', 100000))");
      }
    });
    await assert.rejects(writing, /File too large|Connection terminated|terminating connection/);
    // Unlike on a full disk, its recovery can fail without ending it.
    if (isAlive(postmaster)) limitFiles(postmaster, "unlimited");
    let count = -1;
    await until(async () => {
      try {
        count = (await query({ connectionString: uri }, "SELECT FROM item")).length;
        return true;
      } catch {
        // It is being recovered.
        return false;
      }
    });
    assert.ok(count === acknowledged || count === acknowledged + 1, `${count} of ${acknowledged}`);
  });

  it("a folder that is moved away while a branch is copied gets no other in its place", async () => {
    const barrier = new CopyBarrier(join(branches(), main, "data"));
    const started = await createBranch();
    const before = running.stderr().length;
    await barrier.whileHeld(
      async () => {
        renameSync(data(), `${data()}.away`);
        await Promise.resolve();
      },
      join(`${data()}.away`, "postgres", "branches", main, "data"),
    );
    await until(() => /moved or removed/.test(running.stderr().slice(before)));
    assert.equal(existsSync(data()), false);
    renameSync(`${data()}.away`, data());
    const { status, error } = await ended(started);
    assert.equal(status, "error");
    assert.match(error ?? "", /it was moved or removed/);
    assert.equal((await ended(await createBranch())).status, "finished");
  });

  it("concurrent requests share the session of a compute without a warning", async () => {
    await query({ connectionString: uri }, "SELECT 1");
    const requests = Array.from({ length: 10 }, () => platform.call("GET", `/projects/${projectId}`));
    assert.deepEqual([...new Set((await Promise.all(requests)).map(({ status }) => status))], [200]);
    assert.doesNotMatch(running.stderr(), /warning/i);
  });
});
