import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, describe } from "mocha";

import { unknownText, type Values } from "../support/dynamic-server";
import { CheckError, EngineResource, urnOf } from "../support/engine";
import { assertTimesOut, failsWith, Ground } from "../support/ground";
import { concurrently, onStages, suiteStage } from "../support/stage";
import { until } from "../support/until";

const owner = { ownerName: "neondb_owner" };

/** A ground with another role that can own databases. */
async function groundWith(role: string, stage: Parameters<typeof Ground.on>[0]): Promise<Ground> {
  const ground = await Ground.on(stage);
  await ground.call("POST", ground.role(), { role: { name: role } });
  return ground;
}

/** The database of this name, as the platform tells it. */
async function databaseOf(ground: Ground, name: string) {
  return (await ground.call("GET", ground.database(name))).database;
}

async function namesOf(ground: Ground): Promise<string[]> {
  return (await ground.call("GET", ground.database())).databases.map(({ name }) => name);
}

/** Nothing differs, and one look at the database is all that a refresh needs. */
async function assertAtRest(ground: Ground, database: EngineResource, args: Values): Promise<void> {
  assert.deepEqual(await ground.requestsBy(async () => assert.equal(await database.up(args), "same")), []);
  const { outputs } = database.present;
  const asked = await ground.requestsBy(async () => assert.equal(await database.refresh(), "same"));
  assert.deepEqual(asked, [`GET /databases/${encodeURIComponent(String(outputs["name"]))}`]);
  assert.deepEqual(database.present.outputs, outputs);
  assert.equal(await database.up(args), "same");
}

/** The bodies of what a step sends to change something on the branch. */
async function bodiesBy(ground: Ground, step: () => Promise<unknown>): Promise<unknown[]> {
  const before = (await ground.stage.sent(ground.base.branchId)).length;
  await step();
  return (await ground.stage.sent(ground.base.branchId)).slice(before).map(({ body }) => body);
}

describe("a database", () => {
  const stage = suiteStage();
  const test = concurrently();

  test("is made by its logical name for its owner, and is found by both", async () => {
    const ground = await Ground.on(stage());
    const database = stage().resource("Database");
    const args = { ...ground.base, ...owner };
    assert.deepEqual(await bodiesBy(ground, () => database.up(args)), [
      { database: { name: database.name, owner_name: "neondb_owner" } },
    ]);
    assert.equal(database.id, `${args.projectId}/${args.branchId}/${database.name}`);
    const there = await databaseOf(ground, database.name);
    const { __neon: _, __provider: __, ...shown } = database.outputs;
    assert.deepEqual(shown, { ...args, name: database.name, databaseId: there.id, createdAt: there.created_at });
    await assertAtRest(ground, database, args);
    const read = await stage().server.read("Database", database.id, {
      __neon: { urn: urnOf("Database", "looked-up") },
    });
    assert.deepEqual([read.id, read.outputs["ownerName"]], [database.id, "neondb_owner"]);
    const absent = `${args.projectId}/${args.branchId}/nothing`;
    assert.equal((await stage().server.read("Database", absent, {})).id, "");
  });

  test("is renamed in place: its id in state stays, and its address follows", async () => {
    const ground = await Ground.on(stage());
    const database = stage().resource("Database");
    const args = { ...ground.base, ...owner };
    await database.up({ ...args, name: "one" });
    const { id } = database;
    const { databaseId } = database.outputs;
    for (const [from, to] of [
      ["one", "two/2"],
      ["two/2", "50% off"],
      ["50% off", "%2F"],
      ["%2F", "größe 名前?#"],
    ] as const) {
      const sent = await ground.sentBy(async () => assert.equal(await database.up({ ...args, name: to }), "update"));
      assert.deepEqual(sent, [`PATCH /databases/${encodeURIComponent(from)}`]);
      assert.deepEqual([database.id, database.outputs["name"]], [id, to]);
      assert.equal((await databaseOf(ground, to)).id, databaseId);
      await assertAtRest(ground, database, { ...args, name: to });
    }
    const gone = await ground.sentBy(() => database.destroy());
    assert.deepEqual(gone, [`DELETE /databases/${encodeURIComponent("größe 名前?#")}`]);
    assert.deepEqual(await namesOf(ground), ["neondb"]);
  });

  test("gets another owner in place, and both in one request if both change", async () => {
    const ground = await groundWith("seller", stage());
    const database = stage().resource("Database");
    const args = { ...ground.base, ...owner };
    await database.up(args);
    const { id } = database;
    const sold = { ...args, ownerName: "seller" };
    assert.deepEqual(await bodiesBy(ground, () => database.up(sold)), [{ database: { owner_name: "seller" } }]);
    await assertAtRest(ground, database, sold);
    const both = { ...args, name: "both" };
    assert.deepEqual(await bodiesBy(ground, () => database.up(both)), [
      { database: { name: "both", owner_name: "neondb_owner" } },
    ]);
    assert.equal(database.id, id);
    await assertAtRest(ground, database, both);
  });

  test("that someone else has renamed, or given away, is brought back", async () => {
    const ground = await groundWith("seller", stage());
    const database = stage().resource("Database");
    const args = { ...ground.base, ...owner, name: "shop" };
    await database.up(args);
    await ground.call("PATCH", ground.database("shop"), { database: { name: "theirs", owner_name: "seller" } });
    assert.equal(await database.refresh(), "changed");
    assert.deepEqual([database.outputs["name"], database.outputs["ownerName"]], ["theirs", "seller"]);
    assert.deepEqual(await ground.sentBy(() => database.up(args)), ["PATCH /databases/theirs"]);
    await assertAtRest(ground, database, args);
    // The same without a refresh in between: it is found by its number.
    await ground.call("PATCH", ground.database("shop"), { database: { name: "theirs" } });
    assert.deepEqual(await ground.sentBy(() => database.up({ ...args, ownerName: "seller" })), [
      "PATCH /databases/theirs",
    ]);
    await ground.call("PATCH", ground.database("theirs"), { database: { name: "theirs again" } });
    await database.destroy();
    assert.deepEqual(await namesOf(ground), ["neondb"]);
  });

  test("goes on from a rename that a killed run has sent, and never sends that again", async () => {
    for (const next of ["up", "refresh", "destroy"] as const) {
      const ground = await Ground.on(stage());
      const database = stage().resource("Database");
      const args = { ...ground.base, ...owner };
      await database.up({ ...args, name: "old" });
      await ground.call("PATCH", ground.database("old"), { database: { name: "new" } });
      if (next === "destroy") {
        await database.destroy();
        assert.deepEqual(await namesOf(ground), ["neondb"]);
        continue;
      }
      if (next === "refresh") assert.equal(await database.refresh(), "changed");
      const bodies = await bodiesBy(ground, () => database.up({ ...args, name: "new" }));
      // Whether it was ever applied is not known to a run that has not read it.
      assert.deepEqual(bodies, next === "refresh" ? [] : [{ database: { owner_name: "neondb_owner" } }]);
      await assertAtRest(ground, database, { ...args, name: "new" });
    }
  });

  test("is replaced by another branch or project only, with the new one first", async () => {
    const ground = await Ground.on(stage());
    const database = stage().resource("Database");
    const args = { ...ground.base, ...owner };
    const branch = await stage().branch(ground.base.projectId);
    await database.up(args);
    const elsewhere = { ...args, branchId: branch.id };
    assert.equal(await database.up(elsewhere), "replace");
    assert.deepEqual(database.plan?.replaces, ["branchId"]);
    assert.equal(database.plan.deleteBeforeReplace, false);
    assert.match(await database.warning(), /^This database is replaced, .* The data in the old one goes with it/);
    assert.deepEqual(await namesOf(ground), ["neondb"]);
    assert.equal(database.id, `${args.projectId}/${branch.id}/${database.name}`);
    await assert.doesNotReject(database.destroy());
  });

  test("§6.20 is offered when one of that name is there already, with the line that heals it", async () => {
    const ground = await groundWith("seller", stage());
    const name = "team/shop";
    await ground.call("POST", ground.database(), { database: { name, owner_name: "seller" } });
    const database = stage().resource("Database");
    const args = { ...ground.base, ...owner, name };
    const id = `${args.projectId}/${args.branchId}/team%2Fshop`;
    await assert.rejects(
      database.up(args),
      failsWith(`A database with this name already exists: ${id}`, `adopt: "${id}"`),
    );
    assert.equal(database.state, undefined);
    // Taking over applies what is declared.
    const adopting = { ...args, adopt: id };
    assert.deepEqual(await bodiesBy(ground, () => database.up(adopting)), [
      { database: { owner_name: "neondb_owner" } },
    ]);
    assert.equal(database.id, id);
    await assertAtRest(ground, database, adopting);
    const { name: _, ...byLogicalName } = args;
    const other = await stage().nextRun(stage().resource("Database"));
    const sent = await bodiesBy(ground, () => other.up({ ...byLogicalName, adopt: name }));
    assert.deepEqual(sent, [{ database: { name: other.name } }]);
    assert.equal((await databaseOf(ground, other.name)).id, database.outputs["databaseId"]);
    const nothing = await stage().nextRun(stage().resource("Database"));
    await assert.rejects(
      nothing.up({ ...args, adopt: "nothing" }),
      failsWith('There is no database "nothing" to adopt'),
    );
    await nothing.up({ ...byLogicalName, adopt: true });
    assert.equal((await databaseOf(ground, nothing.name)).owner_name, "neondb_owner");
  });

  test("that came with the project is released, and one that did not is deleted, on any branch", async () => {
    const ground = await Ground.on(stage());
    await ground.call("POST", ground.database(), { database: { name: "later", owner_name: "neondb_owner" } });
    const branch = await stage().branch(ground.base.projectId);
    const later = await stage().anotherServer();
    after(() => later.stop());
    const adopted = async (args: Values): Promise<EngineResource> => {
      const database = stage().resource("Database");
      await database.up({ ...ground.base, ...owner, ...args, adopt: true });
      // What a run has taken over it does not delete.
      database.server = later;
      return database;
    };
    const born = await adopted({ name: "neondb" });
    // It is the same one under another name.
    await born.up({ ...ground.base, ...owner, name: "main" });
    assert.deepEqual(await ground.sentBy(() => born.destroy()), []);
    assert.equal(
      await born.warning(),
      "The database main came with its project and goes only with it. It was removed from the Pulumi state but not deleted.",
    );
    const own = await adopted({ name: "later" });
    await own.destroy();
    assert.deepEqual(await namesOf(ground), ["main"]);
    // A copy on another branch is nothing that a project was born with.
    const copy = await adopted({ name: "neondb", branchId: branch.id });
    await copy.destroy();
    assert.deepEqual(copy.said("warning"), []);
    const { status } = await stage().platform.call(
      "GET",
      ground.database("neondb").replace(ground.base.branchId, branch.id),
    );
    assert.equal(status, 404);
  });

  test("§6.18 that was deleted by someone else is gone after a refresh, and made again by the next up", async () => {
    const ground = await Ground.on(stage());
    const database = stage().resource("Database");
    const args = { ...ground.base, ...owner };
    await database.up(args);
    await ground.call("DELETE", ground.database(database.name));
    await assert.rejects(
      database.up({ ...args, name: "renamed" }),
      failsWith(`The database ${database.id} no longer exists`, "Run `pulumi refresh`"),
    );
    assert.equal(await database.refresh(), "gone");
    assert.equal(await database.up(args), "create");
    await ground.call("DELETE", ground.database(database.name));
    await database.destroy();
    const branch = await stage().branch(args.projectId, { branch: { name: "short-lived" } });
    const other = stage().resource("Database");
    await other.up({ ...args, branchId: branch.id });
    await ground.call("DELETE", `/projects/${args.projectId}/branches/${branch.id}`);
    assert.equal(await other.refresh(), "gone");
  });

  test("with an owner that is not there is refused by the platform, and nothing is stored", async () => {
    const ground = await Ground.on(stage());
    const database = stage().resource("Database");
    await assert.rejects(
      database.up({ ...ground.base, ownerName: "nobody" }),
      failsWith('role "nobody", which is to own the database, does not exist on the branch'),
    );
    assert.equal(database.state, undefined);
    assert.deepEqual(await namesOf(ground), ["neondb"]);
  });

  test("with a name that cannot be is refused before anything is sent", async () => {
    const base = { projectId: "some-project-1", branchId: "br-some-branch-1", ...owner };
    const database = stage().resource("Database");
    const tooLong = "must be at most 63 bytes long in UTF-8";
    const cases: readonly (readonly [Values, string, string])[] = [
      [{ name: "é".repeat(32) }, "name", tooLong],
      [{ ownerName: "a".repeat(64) }, "ownerName", tooLong],
      [{ name: "" }, "name", "must be at least 1 character long"],
      [{ name: "a\0b" }, "name", "must not contain a NUL character"],
      [{ name: "." }, "name", 'must not be "." or ".."'],
      [{ ownerName: undefined }, "ownerName", "is required"],
      [{ branchId: undefined }, "branchId", "is required"],
      [
        { owner: "app" },
        "owner",
        "there is no such property here; there are projectId, branchId, name, ownerName, adopt",
      ],
    ];
    for (const [args, property, reason] of cases) {
      await assert.rejects(database.up({ ...base, ...args }), (error) => {
        assert.ok(error instanceof CheckError);
        assert.deepEqual(error.failures, [{ property, reason }]);
        return true;
      });
    }
    assert.deepEqual(await stage().requests(base.projectId), []);
    for (const args of [{ ownerName: unknownText, name: unknownText }, { name: `${"é".repeat(31)}x` }]) {
      assert.equal((await database.preview({ ...base, ...args })).step, "create");
    }
  });
});

describe("a database whose change does not go well", () => {
  const home = mkdtempSync(join(tmpdir(), "neon-pulumi-home-"));
  after(() => rmSync(home, { recursive: true, force: true }));
  const test = onStages(3, { home });

  test("§6.6 is made, changed and deleted once each when every answer is lost", async (stage) => {
    const ground = await groundWith("seller", stage);
    const database = stage.resource("Database");
    const args = { ...ground.base, ...owner, name: "old" };
    const lose = (method: string) => stage.platform.fault({ method, path: "/databases", reset: "after" });
    await lose("POST");
    assert.deepEqual(await ground.sentBy(() => database.up(args)), ["POST /databases"]);
    await assertAtRest(ground, database, args);
    const changed = { ...args, name: "new", ownerName: "seller" };
    await lose("PATCH");
    assert.deepEqual(await ground.sentBy(() => database.up(changed)), ["PATCH /databases/old"]);
    assert.equal((await databaseOf(ground, "new")).owner_name, "seller");
    await assertAtRest(ground, database, changed);
    await lose("DELETE");
    assert.deepEqual(await ground.sentBy(() => database.destroy()), ["DELETE /databases/new"]);
    assert.deepEqual(await namesOf(ground), ["neondb"]);
  });

  test("§6.6 is renamed by another request when the first one never arrived", async (stage) => {
    const ground = await Ground.on(stage);
    const database = stage.resource("Database");
    const args = { ...ground.base, ...owner, name: "old" };
    await database.up(args);
    await stage.platform.fault({ method: "PATCH", path: "/databases", reset: "before" });
    const sent = await ground.sentBy(() => database.up({ ...args, name: "new" }));
    assert.deepEqual(sent, ["PATCH /databases/old", "PATCH /databases/old"]);
    await assertAtRest(ground, database, { ...args, name: "new" });
  });

  test("is applied again when a rename has ended badly, without renaming it again", async (stage) => {
    const ground = await Ground.on(stage);
    const database = stage.resource("Database");
    const args = { ...ground.base, ...owner, name: "old" };
    await database.up(args);
    const { id } = database;
    const renamed = { ...args, name: "new" };
    await stage.platform.fault({ action: "apply_config", end: "error" });
    await assert.rejects(
      database.up(renamed),
      failsWith("(apply_config) ended with status error", "resumes from here"),
    );
    assert.deepEqual([database.id, database.outputs["name"]], [id, "new"]);
    const bodies = await bodiesBy(ground, async () => assert.equal(await database.up(renamed), "update"));
    assert.deepEqual(bodies, [{ database: { owner_name: "neondb_owner" } }]);
    await assertAtRest(ground, database, renamed);
  });

  test("goes back to its old name when the program does, after a rename that has ended badly", async (stage) => {
    const ground = await Ground.on(stage);
    const database = stage.resource("Database");
    const args = { ...ground.base, ...owner, name: "old" };
    await database.up(args);
    await stage.platform.fault({ action: "apply_config", end: "cancelled" });
    await assert.rejects(database.up({ ...args, name: "new" }), failsWith("ended with status cancelled"));
    assert.deepEqual(await bodiesBy(ground, () => database.up(args)), [{ database: { name: "old" } }]);
    await assertAtRest(ground, database, args);
  });

  test("is waited for by the next up when a rename takes longer than the time for it", async (stage) => {
    const ground = await Ground.on(stage);
    const database = stage.resource("Database");
    const args = { ...ground.base, ...owner, name: "old" };
    await database.up(args);
    const renamed = { ...args, name: "new" };
    await stage.platform.fault({ action: "apply_config", end: "stuck" });
    await assertTimesOut(ground, () => database.up(renamed, { timeouts: { update: "1s" } }), 1);
    assert.equal(database.outputs["name"], "new");
    await stage.platform.clearFaults();
    assert.deepEqual(await ground.sentBy(async () => assert.equal(await database.up(renamed), "update")), []);
    await assertAtRest(ground, database, renamed);
  });

  test("is applied again when its creation has ended badly, and never deleted for that", async (stage) => {
    const ground = await Ground.on(stage);
    const database = stage.resource("Database");
    const args = { ...ground.base, ...owner };
    await stage.platform.fault({ action: "apply_config", end: "error" });
    await assert.rejects(database.up(args), failsWith("(apply_config) ended with status error", "resumes from here"));
    const { databaseId } = database.outputs;
    const bodies = await bodiesBy(ground, async () => assert.equal(await database.up(args), "update"));
    assert.deepEqual(bodies, [{ database: { owner_name: "neondb_owner" } }]);
    assert.equal(database.outputs["databaseId"], databaseId);
    await assertAtRest(ground, database, args);
  });

  test("stays in the state while its deletion ends badly, and goes with the next one", async (stage) => {
    const ground = await Ground.on(stage);
    const database = stage.resource("Database");
    await database.up({ ...ground.base, ...owner });
    await stage.platform.fault({ action: "apply_config", end: "error" });
    await assert.rejects(database.destroy(), failsWith("(apply_config) ended with status error"));
    await stage.platform.fault({ method: "DELETE", path: "/databases/", status: 204 });
    await assert.rejects(database.destroy(), failsWith(`The database ${database.name} is there again`));
    assert.ok(database.state);
    await database.destroy();
    assert.deepEqual(await namesOf(ground), ["neondb"]);
  });

  test("§6.8 is found by the next run when this one is killed while it makes or renames it", async (stage) => {
    const ground = await Ground.on(stage);
    const server = await stage.anotherServer({ home });
    const [making, renaming] = [stage.name("database"), stage.name("database")].map(
      (name) => new EngineResource(server, "Database", name),
    );
    assert.ok(making && renaming);
    const args = { ...ground.base, ...owner };
    await renaming.up(args);
    const seen = (name: string) => until(() => ground.exists(ground.database(name)));
    const renamed = { ...args, name: "renamed" };
    // They never end well: their process is killed.
    await stage.platform.fault({ action: "apply_config", end: "stuck" });
    renaming.up(renamed).catch(() => undefined);
    await seen("renamed");
    await stage.platform.clearFaults();
    await stage.settled(args.projectId);
    await stage.platform.fault({ action: "apply_config", end: "stuck" });
    making.up(args).catch(() => undefined);
    await seen(making.name);
    await server.stop("SIGKILL");
    await stage.platform.clearFaults();

    const made = stage.resource("Database", making.name);
    assert.deepEqual(await ground.sentBy(async () => assert.equal(await made.up(args), "create")), []);
    assert.match(await made.warning(), /^An interrupted run created the database /);
    await assertAtRest(ground, made, args);
    const again = stage.resource("Database", renaming.name);
    again.state = renaming.state;
    await again.up(renamed);
    await assertAtRest(ground, again, renamed);
    assert.deepEqual(await namesOf(ground), ["neondb", "renamed", making.name]);
  });
});
