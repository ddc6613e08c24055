import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { schemathesisCampaign } from "./schemathesis/index";
import { readReport } from "./schemathesis/report";

describe("reliability: the cases that schemathesis derives", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "neon-schemathesis-"));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const content = (message: string) => ({ $base64: Buffer.from(JSON.stringify({ message })).toString("base64") });
  const event = (id: string, check: string, status: number, message: string) => ({
    ScenarioFinished: {
      recorder: {
        cases: { [id]: { value: { method: "GET", path: `/${id}` } } },
        checks: { [id]: [{ name: check, status: status < 400 ? "success" : "failure" }] },
        interactions: {
          [id]: {
            request: { method: "GET", uri: `http://127.0.0.1/${id}` },
            response: { status_code: status, content: content(message) },
          },
        },
      },
    },
  });
  const report = async (...events: readonly object[]) => {
    const path = join(folder, "events.ndjson");
    writeFileSync(path, events.map((each) => JSON.stringify(each)).join("\n"));
    return await readReport(path);
  };

  it("are failures unless a reading explains every problem that the answer tells", async () => {
    const acceptance = "positive_data_acceptance";
    const cursor = "query parameter cursor: is not one that a list of projects has returned";
    const { cases, fulfilled, readings, failures } = await report(
      event("fine", acceptance, 200, ""),
      event("explained", acceptance, 400, cursor),
      event("half", acceptance, 400, `${cursor}; query parameter limit: is odd`),
      event("broken", "not_a_server_error", 500, "internal error of the local platform"),
      { EngineFinished: {} },
    );
    assert.equal(cases, 4);
    assert.deepEqual([...fulfilled], ["GET /fine"]);
    assert.deepEqual([...readings.values()], [1]);
    assert.equal(failures.length, 2);
    assert.match(failures.join(), /\/half answers 400.*\/broken answers 500/s);
  });

  it("are a failure, too, if their run was not finished or something could not be tested", async () => {
    assert.deepEqual((await report(event("fine", "x", 200, ""))).failures, ["the run was not finished"]);
    const { failures } = await report({ NonFatalError: { label: "GET /odd" } }, { EngineFinished: {} });
    assert.match(failures.join(), /could not be tested: .*GET \/odd/);
  });

  it("are not left out silently where there is no Python", async () => {
    const { PATH, NEON_PULUMI_CACHE } = process.env;
    Object.assign(process.env, { PATH: folder, NEON_PULUMI_CACHE: join(folder, "cache") });
    try {
      const run = { seed: 1, deadline: 0, say: () => undefined };
      const { failures } = await schemathesisCampaign.carryOut(run);
      assert.match(failures.join(), /there is no python3? or /);
    } finally {
      Object.assign(process.env, { PATH });
      delete process.env["NEON_PULUMI_CACHE"];
      if (NEON_PULUMI_CACHE !== undefined) Object.assign(process.env, { NEON_PULUMI_CACHE });
    }
  });
});
