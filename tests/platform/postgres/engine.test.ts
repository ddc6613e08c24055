import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import sinon from "sinon";

import { testPostgres, processesOn } from "../../support/postgres-files";
import { until } from "../../support/until";
import { copyCluster, copyStopped } from "../../../platform/postgres/cluster-copy";
import { walFile } from "../../../platform/postgres/control-file";
import { Engine, logFileName } from "../../../platform/postgres/engine";
import { findInstallations } from "../../../platform/postgres/installation";
import { isAlive } from "../../../platform/postgres/is-alive";
import { Postmaster, watch } from "../../../platform/postgres/postmaster";
import { suitePaths } from "../support/paths";

const installations = findInstallations(testPostgres());
const major = installations[0]?.major ?? 0;

describe("a Postgres that refuses to start", function () {
  const folder = suitePaths();

  it("is reported with its own words, also if it has ended before the log file is closed", async () => {
    const engine = new Engine(folder("engine"), installations);
    const data = join(engine.root, "data");
    await engine.create(major, data);
    rmSync(join(data, "global", "pg_control"));

    const log = join(engine.root, logFileName);
    const hasEnded = (): boolean => existsSync(log) && statSync(log).size > 0 && processesOn(engine.root).length === 0;
    const { open } = fs;
    const opening = sinon.stub(fs, "open").callsFake(async (path, ...options) => {
      const file = await open(path, ...options);
      const close = file.close.bind(file);
      file.close = async () => {
        await until(hasEnded);
        // The event of its end arrives a moment later.
        await new Promise((resolve) => setTimeout(resolve, 50));
        await close();
      };
      return file;
    });
    try {
      await assert.rejects(engine.start(data), /could not open file .*pg_control/);
      sinon.assert.calledOnce(opening);
    } finally {
      opening.restore();
    }
  });
});

describe("a copy of a running Postgres whose first recovery was interrupted", function () {
  const folder = suitePaths();
  let engine: Engine;
  let copies = 0;
  before(() => {
    engine = new Engine(folder("engine"), installations);
  });

  /** A copy of a cluster with a table, whose first start has not found the end of its log. */
  async function interrupted(): Promise<string> {
    copies += 1;
    const [data, copy] = [join(engine.root, `data-${copies}`), join(engine.root, `copy-${copies}`)];
    await engine.create(major, data);
    await engine.within(data, async (admin, running) => {
      await admin.query("CREATE TABLE item AS SELECT 1 AS value");
      const copied = new AbortController();
      const copying = copyCluster(engine, data, running, copy).finally(() => copied.abort());
      // The log of the backup is longer than one of its files.
      while (!copied.signal.aborted) {
        await admin.query("SELECT pg_logical_emit_message(false, '', 'x')");
        await admin.query("SELECT pg_switch_wal()");
      }
      await copying;
    });
    const log = join(copy, "pg_wal");
    const files = readdirSync(log)
      .filter((name) => walFile.test(name))
      .sort();
    const last = join(log, files.at(-1) ?? "");
    assert.ok(files.length > 1);
    renameSync(last, `${copy}.last`);
    await assert.rejects(engine.start(copy), /WAL ends before end of online backup/);
    renameSync(`${copy}.last`, last);
    return copy;
  }

  async function valuesIn(data: string): Promise<readonly object[]> {
    return await engine.within(data, async (admin) => (await admin.query<{ value: number }>("TABLE item")).rows);
  }

  it("recovers at its next start", async () => {
    assert.deepEqual(await valuesIn(await interrupted()), [{ value: 1 }]);
  });

  it("can be copied, and the copy recovers, too", async () => {
    const copy = await interrupted();
    await copyStopped(engine, copy, `${copy}.stopped`);
    assert.deepEqual(await valuesIn(`${copy}.stopped`), [{ value: 1 }]);
    await copyCluster(engine, copy, undefined, `${copy}.recovered`);
    assert.deepEqual(await valuesIn(`${copy}.recovered`), [{ value: 1 }]);
  });
});

/** A Postgres that ends each session with the same packet that accepts it. */
const endingAtOnce = `#!/usr/bin/env node
const [, , , data, , sockets] = process.argv;
const packet = (type, body) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const accepted = [packet("R", Buffer.alloc(4)), packet("Z", Buffer.from("I"))];
const ended = packet("E", Buffer.from("SFATAL\\0C57P01\\0Mterminating connection due to administrator command\\0\\0"));
const server = require("node:net").createServer((socket) => {
  socket.once("data", () => socket.end(Buffer.concat([...accepted, ended]))).on("error", () => undefined);
});
server.listen(sockets + "/.s.PGSQL.5432", () => {
  const lines = [process.pid, data, 0, 5432, sockets, "", "", "ready"];
  require("node:fs").writeFileSync(data + "/postmaster.pid", lines.join("\\n") + "\\n");
});
process.on("SIGINT", () => process.exit(0));
`;

describe("a Postgres that ends a session at the moment in which it is opened", function () {
  const folder = suitePaths();

  it("does not end the platform", async function () {
    if (process.platform === "win32") this.skip();
    mkdirSync(folder("bin"));
    mkdirSync(folder("data"));
    writeFileSync(folder("bin/postgres"), endingAtOnce, { mode: 0o755 });
    const running = await Postmaster.start({
      installation: { folder: folder(), version: "17.0", major: 17 },
      environment: { PATH: process.env["PATH"] },
      user: undefined,
      dataFolder: folder("data"),
      logFile: folder("log"),
    });
    await running.admin().catch(() => undefined);
    await running.stop();
  });
});

describe("a Postgres whose platform is killed at the moment in which it is started", function () {
  const folder = suitePaths();

  it("ends, and its socket's folder is removed", async function () {
    if (process.platform === "win32") this.skip();
    const [sockets, pidFile, unread] = [folder("sockets"), folder("pid"), folder("unread")];
    mkdirSync(sockets);
    const postgres = ["sh", "-c", `echo $$ > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'; exec sleep 600`];
    const script = `until [ -e '${unread}' ]; do sleep 0.01; done; ${watch}`;
    const child = spawn("sh", ["-c", script, "sh", sockets, ...postgres], { stdio: ["pipe", "pipe", "ignore"] });
    await new Promise((resolve) => child.stdout.once("close", resolve).destroy());
    writeFileSync(unread, "");
    await until(() => existsSync(pidFile));
    child.stdin.end();
    await until(() => !existsSync(sockets));
    assert.ok(!isAlive(Number(readFileSync(pidFile, "utf8"))));
  });
});
