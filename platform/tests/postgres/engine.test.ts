import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { existsSync, rmSync, statSync } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import sinon from "sinon";

import { testPostgres, makeFastFolder, processesOn } from "../../../tests/support/postgres-files";
import { until } from "../../../tests/support/until";
import { Engine, logFileName } from "../../postgres/engine";
import { findInstallations } from "../../postgres/installation";

describe("a Postgres that refuses to start", function () {
  let folder = "";
  before(() => {
    folder = makeFastFolder("neon-platform-test-");
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("is reported with its own words, also if it has ended before the log file is closed", async () => {
    const [installation] = findInstallations(testPostgres());
    assert.ok(installation);
    const engine = new Engine(join(folder, "engine"), [installation]);
    const data = join(engine.root, "data");
    await engine.create(installation.major, data);
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
