import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { engineAddress, engineRows } from "../../provider/pulumi/engine";
import { EngineLog } from "../support/engine-log";
import { suiteStage } from "../support/stage";
import { until } from "../support/until";

const stage = suiteStage();

it("a call ends after the engine has received its warnings, because the engine may stop the provider then", async () => {
  const engine = await EngineLog.start(200);
  const server = await stage().anotherServer({ engine, isProcess: true });
  const branch = stage().resource("Branch");
  branch.server = server;
  const { id: projectId } = await stage().project();
  await branch.up({ projectId, initSource: "parent-data" });
  await branch.preview({ projectId, initSource: "schema-only" });
  await server.stop("SIGINT");
  engine.stop();
  assert.match(branch.warning, /^Changing `initSource` replaces this branch\. /);
});

describe("engineAddress", () => {
  const address = "127.0.0.1:12345";
  for (const [title, args, expected] of [
    ["is the only argument", [address], address],
    ["follows the flags of --logflow", ["--logtostderr", "-v=9", address], address],
    ["follows the address of --tracing", ["--tracing", "tcp://127.0.0.1:4317", address], address],
    ["can be a name", ["localhost:1"], "localhost:1"],
    ["is missing", ["-v=9"], undefined],
    ["is of another machine", ["192.0.2.1:12345"], undefined],
  ] as const) {
    it(`returns ${expected ?? "undefined"} if it ${title}`, () => {
      assert.equal(engineAddress(args), expected);
    });
  }
});

it("a provider that gets the flags of --logflow shows rows and ends with its engine", async () => {
  const engine = await EngineLog.start();
  const server = await stage().anotherServer({ engine, isProcess: true, flags: ["--logtostderr", "-v=9"] });
  const branch = stage().resource("Branch");
  branch.server = server;
  const { id: projectId } = await stage().project();
  await branch.up({ projectId });
  assert.ok(engine.lines.length > 0);
  engine.stop();
  await until(() => server.process.exitCode !== null);
  await server.stop();
});

it("rows show their last text before a call ends, and a warning does not wait for the texts of other rows", async () => {
  const engine = await EngineLog.start(50);
  const rows = engineRows(engine.address);
  const urns = Array.from({ length: 20 }, (_, index) => `urn:${index}`);
  for (const text of ["first", "second", "last"]) for (const urn of urns) rows.progress(urn, text);
  await rows.afterLines(() => {
    rows.warn("urn:other", "careful");
    return Promise.resolve();
  });
  engine.stop();
  assert.equal(engine.lines.length, 61, "the call ends when the engine has received all of them");
  for (const urn of urns) {
    const texts = engine.lines.filter((line) => line.urn === urn).map(({ text }) => text);
    assert.deepEqual(texts, ["first", "second", "last"]);
  }
  const order = engine.lines.map(({ text }) => text);
  assert.ok(order.indexOf("careful") < order.indexOf("second"), order.join(" "));
});
