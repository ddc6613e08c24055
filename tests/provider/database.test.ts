import assert from "node:assert/strict";

import { describe } from "mocha";

import type { Values } from "../support/provider-server";
import { urnOf } from "../support/door";
import { failsWith } from "../support/expected-errors";
import { assertReadOnce, type BranchFixture, fixtureFor } from "../support/branch-fixture";
import { concurrently, onStages, type Stage, suiteServer, suiteStage } from "../support/stage";

const owner = { ownerName: "neondb_owner" };

/** A branch, what a program declares of a database there, and the database that is not created yet. */
async function setting(stage: Stage, own: Values = {}) {
  const { fixture, base, resource: database } = await fixtureFor(stage, "Database");
  return { fixture, args: { ...base, ...owner, ...own }, database };
}

/** The database with this name, as the platform reports it. */
async function databaseOf(fixture: BranchFixture, name: string) {
  return (await fixture.call("GET", fixture.database(name))).database;
}

async function namesOf(fixture: BranchFixture): Promise<string[]> {
  return (await fixture.call("GET", fixture.database())).databases.map(({ name }) => name);
}

/** The bodies of the mutations of the branch that a step sends. */
async function bodiesBy(fixture: BranchFixture, step: () => Promise<unknown>): Promise<unknown[]> {
  return (await fixture.stage.sentBy(fixture.base.branchId, step)).map(({ body }) => body);
}

describe("Database", () => {
  const stage = suiteStage();
  /** Another run, which has adopted nothing. */
  const later = suiteServer(stage);
  const test = concurrently();

  test("read › finds a database by an id whose name is not encoded, as a person types it", async () => {
    const { args, database } = await setting(stage());
    await database.up({ ...args, name: "my data 100%" });
    for (const name of ["my data 100%", "my%20data%20100%25"]) {
      const about = { urn: urnOf("Database", stage().name("looked-up")) };
      const read = await stage().server.lookUp("Database", `${args.projectId}/${args.branchId}/${name}`, about);
      assert.equal(read.outputs["name"], "my data 100%");
    }
  });

  test("refresh › finds a new name and owner, and up reverts both, with or without a refresh", async () => {
    const { fixture, args, database } = await setting(stage(), { name: "shop" });
    await fixture.call("POST", fixture.role(), { role: { name: "seller" } });
    await database.up(args);
    await fixture.call("PATCH", fixture.database("shop"), { database: { name: "theirs", owner_name: "seller" } });
    assert.equal(await database.refresh(), "changed");
    assert.deepEqual([database.outputs["name"], database.outputs["ownerName"]], ["theirs", "seller"]);
    assert.deepEqual(await fixture.sentBy(() => database.up(args)), ["PATCH /databases/theirs"]);
    await assertReadOnce(fixture, database, args);
    // Without a refresh, the database is found by its number.
    await fixture.call("PATCH", fixture.database("shop"), { database: { name: "theirs" } });
    assert.deepEqual(await fixture.sentBy(() => database.up({ ...args, ownerName: "seller" })), [
      "PATCH /databases/theirs",
    ]);
    await fixture.call("PATCH", fixture.database("theirs"), { database: { name: "theirs again" } });
    await database.destroy();
    assert.deepEqual(await namesOf(fixture), ["neondb"]);
  });

  test("update › renames the database, keeps its id in state, and then uses the new name", async () => {
    const { fixture, args, database } = await setting(stage());
    await database.up({ ...args, name: "one" });
    const { id } = database;
    const { databaseId } = database.outputs;
    for (const [from, to] of [
      ["one", "two/2"],
      ["two/2", "50% off"],
      ["50% off", "%2F"],
      ["%2F", "größe 名前?#"],
    ] as const) {
      const sent = await fixture.sentBy(async () => assert.equal(await database.up({ ...args, name: to }), "update"));
      assert.deepEqual(sent, [`PATCH /databases/${encodeURIComponent(from)}`]);
      assert.deepEqual([database.id, database.outputs["name"]], [id, to]);
      assert.equal((await databaseOf(fixture, to)).id, databaseId);
      await assertReadOnce(fixture, database, { ...args, name: to });
    }
    const gone = await fixture.sentBy(() => database.destroy());
    assert.deepEqual(gone, [`DELETE /databases/${encodeURIComponent("größe 名前?#")}`]);
    assert.deepEqual(await namesOf(fixture), ["neondb"]);
  });

  test("update › continues with a rename that a killed run has sent, without sending it again", async () => {
    for (const next of ["up", "refresh", "destroy"] as const) {
      const { fixture, args, database } = await setting(stage());
      await database.up({ ...args, name: "old" });
      await fixture.call("PATCH", fixture.database("old"), { database: { name: "new" } });
      if (next === "destroy") {
        await database.destroy();
        assert.deepEqual(await namesOf(fixture), ["neondb"]);
        continue;
      }
      if (next === "refresh") assert.equal(await database.refresh(), "changed");
      const bodies = await bodiesBy(fixture, () => database.up({ ...args, name: "new" }));
      // A run that has not read the new name does not know whether the rename was applied.
      assert.deepEqual(bodies, next === "refresh" ? [] : [{ database: { owner_name: "neondb_owner" } }]);
      await assertReadOnce(fixture, database, { ...args, name: "new" });
    }
  });

  test("delete › releases the database that was created with the project under another name, and deletes its copies", async () => {
    const { fixture, args, database } = await setting(stage());
    const { id: branchId } = await stage().branch(args.projectId, { endpoints: [{ type: "read_write" }] });
    const copy = stage().resource("Database");
    await database.up({ ...args, name: "neondb", adopt: true });
    await copy.up({ ...args, branchId, name: "neondb", adopt: true });
    // A run does not delete what it has adopted.
    database.server = copy.server = later();
    await database.up({ ...args, name: "main" });
    assert.deepEqual(await fixture.sentBy(() => database.destroy()), []);
    assert.match(database.warning, /^The database main was created with its project/);
    assert.deepEqual(await namesOf(fixture), ["main"]);
    await copy.destroy();
    assert.deepEqual(copy.said("warning"), []);
    assert.ok(!(await fixture.exists(fixture.database("neondb").replace(args.branchId, branchId))));
  });
});

describe("Database", () => {
  const test = onStages(2);

  test("create › applies a creation whose operation failed, without deleting the database", async (stage) => {
    const { fixture, args, database } = await setting(stage);
    await stage.platform.fault({ action: "apply_config", end: "error" });
    await assert.rejects(database.up(args), failsWith("(apply_config) ended with status error", "resumes from here"));
    const { databaseId } = database.outputs;
    const bodies = await bodiesBy(fixture, async () => assert.equal(await database.up(args), "update"));
    assert.deepEqual(bodies, [{ database: { owner_name: "neondb_owner" } }]);
    assert.equal(database.outputs["databaseId"], databaseId);
    await assertReadOnce(fixture, database, args);
  });

  test("update › applies a rename whose operation failed, without renaming again", async (stage) => {
    const { fixture, args, database } = await setting(stage, { name: "old" });
    await database.up(args);
    const { id } = database;
    const renamed = { ...args, name: "new" };
    await stage.platform.fault({ action: "apply_config", end: "error" });
    await assert.rejects(
      database.up(renamed),
      failsWith("(apply_config) ended with status error", "resumes from here"),
    );
    assert.deepEqual([database.id, database.outputs["name"]], [id, "new"]);
    const bodies = await bodiesBy(fixture, async () => assert.equal(await database.up(renamed), "update"));
    assert.deepEqual(bodies, [{ database: { owner_name: "neondb_owner" } }]);
    await assertReadOnce(fixture, database, renamed);
  });

  test("update › reverts a rename whose operation was cancelled if the program does", async (stage) => {
    const { fixture, args, database } = await setting(stage, { name: "old" });
    await database.up(args);
    await stage.platform.fault({ action: "apply_config", end: "cancelled" });
    await assert.rejects(database.up({ ...args, name: "new" }), failsWith("ended with status cancelled"));
    assert.deepEqual(await bodiesBy(fixture, () => database.up(args)), [{ database: { name: "old" } }]);
    await assertReadOnce(fixture, database, args);
  });
});
