import assert from "node:assert/strict";

import { it } from "mocha";

import { EngineLog } from "../support/engine-log";
import { suiteStage } from "../support/stage";

const stage = suiteStage();

it("a call ends after the engine has received its warnings, because the engine may stop the provider then", async () => {
  const engine = await EngineLog.start(200);
  const server = await stage().anotherServer({ engine });
  const branch = stage().resource("Branch");
  branch.server = server;
  const { id: projectId } = await stage().project();
  await branch.up({ projectId, initSource: "parent-data" });
  await branch.preview({ projectId, initSource: "schema-only" });
  await server.stop("SIGINT");
  engine.stop();
  assert.match(branch.warning, /^Changing `initSource` replaces this branch\. /);
});
