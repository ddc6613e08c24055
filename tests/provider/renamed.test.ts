import assert from "node:assert/strict";

import { after, afterEach, before, beforeEach, describe, it } from "mocha";

import type { EngineResource } from "../support/engine";
import { renamed, Runs } from "../support/runs";
import { Stage } from "../support/stage";
import { until } from "../support/until";

describe("a resource that the user renames", () => {
  let stage: Stage;
  let runs: Runs;

  before(async () => {
    stage = await Stage.set();
  });
  after(() => stage.strike());
  beforeEach(() => {
    runs = new Runs(stage);
  });
  afterEach(() => runs.close());

  async function mutationsBy(resource: EngineResource, step: () => Promise<unknown>): Promise<string[]> {
    return (await stage.sentBy(String(resource.outputs["projectId"]), step)).map(({ method, path }) =>
      [method, path.split("/").slice(3).join("/")].join(" "),
    );
  }

  it("with an alias, between a killed restore and the next run, is restored once", async () => {
    const { id: projectId } = await stage.project();
    const branch = stage.resource("Branch");
    const args = { projectId, name: "restored" };
    branch.server = await runs.start(runs.place());
    await branch.up(args);
    const branchId = String(branch.outputs["branchId"]);
    const { state } = branch;
    await stage.platform.fault({ action: "create_branch", end: "stuck" });
    branch.up({ ...args, resetTrigger: "1" }).catch(() => undefined);
    await until(async () => (await stage.requests(`${branchId}/restore`))[0]?.status === 200);
    await runs.end(branch.server, "SIGKILL");
    await stage.platform.clearFaults();

    branch.state = state;
    const later = renamed(branch, stage.name("branch"));
    await runs.run(runs.place(), [later], async () => {
      assert.equal(await later.up({ ...args, resetTrigger: "1" }), "update");
      assert.equal(await later.up({ ...args, resetTrigger: "1" }), "same");
    });
    assert.equal((await stage.sent(`${branchId}/restore`)).length, 1);
  });

  it("with an alias keeps its default name, and is replaced by an object with the new one before it is deleted", async () => {
    const { id: projectId } = await stage.project();
    const parent = await stage.branch(projectId);
    const branch = stage.resource("Branch");
    await branch.up({ projectId });
    const later = renamed(branch, stage.name("branch"));
    assert.equal(await later.up({ projectId }), "same");
    assert.equal(later.outputs["name"], branch.name);
    const old = String(later.outputs["branchId"]);
    const sent = await mutationsBy(later, async () =>
      assert.equal(await later.up({ projectId, parentId: parent.id }), "replace"),
    );
    assert.deepEqual(sent, ["POST branches", `DELETE branches/${old}`]);
    assert.equal(later.outputs["name"], later.name);
  });

  it("on the platform keeps its id, which names no database for a lookup any longer (Database.get)", async () => {
    const { id: projectId, branchId } = await stage.project();
    const database = stage.resource("Database");
    const args = { projectId, branchId, ownerName: "neondb_owner" };
    await database.up({ ...args, name: "shop" });
    const { id } = database;
    assert.equal(await database.up({ ...args, name: "store" }), "update");
    assert.equal(database.id, id);
    assert.equal(await database.refresh(), "same");
    const lookup = async (name: string) =>
      await stage.server.read("Database", `${projectId}/${branchId}/${name}`, { __neon: { urn: stage.name("urn") } });
    assert.equal((await lookup("shop")).id, "");
    assert.equal((await lookup("store")).outputs["name"], "store");
  });
});
