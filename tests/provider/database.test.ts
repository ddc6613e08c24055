import assert from "node:assert/strict";

import { describe } from "mocha";

import { unknownText, type Values } from "../support/dynamic-server";
import { EngineResource, urnOf } from "../support/engine";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { assertReadOnce, assertTimesOut, Ground } from "../support/ground";
import { suiteHome } from "../support/home";
import { concurrently, onStages, type Stage, suiteServer, suiteStage } from "../support/stage";
import { until } from "../support/until";

const owner = { ownerName: "neondb_owner" };

/** A branch with another role that can own databases. */
async function groundWith(role: string, stage: Stage): Promise<Ground> {
  const ground = await Ground.on(stage);
  await ground.call("POST", ground.role(), { role: { name: role } });
  return ground;
}

/** The database with this name, as the platform reports it. */
async function databaseOf(ground: Ground, name: string) {
  return (await ground.call("GET", ground.database(name))).database;
}

async function namesOf(ground: Ground): Promise<string[]> {
  return (await ground.call("GET", ground.database())).databases.map(({ name }) => name);
}

/** The bodies of the mutations of the branch that a step sends. */
async function bodiesBy(ground: Ground, step: () => Promise<unknown>): Promise<unknown[]> {
  return (await ground.stage.sentBy(ground.base.branchId, step)).map(({ body }) => body);
}

describe("Database", () => {
  const stage = suiteStage();
  /** Another run, which has adopted nothing. */
  const later = suiteServer(stage);
  const test = concurrently();

  describe("check", () => {
    test("refuses invalid inputs, and accepts unknown ones", async () => {
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
        await assert.rejects(database.up({ ...base, ...args }), refusesInputs({ [property]: reason }));
      }
      assert.deepEqual(await stage().requests(base.projectId), []);
      for (const args of [{ ownerName: unknownText, name: unknownText }, { name: `${"é".repeat(31)}x` }]) {
        assert.equal((await database.preview({ ...base, ...args })).step, "create");
      }
    });
  });

  describe("create", () => {
    test("defaults the name, outputs what the platform returns, and can be looked up by id", async () => {
      const ground = await Ground.on(stage());
      const database = stage().resource("Database");
      const args = { ...ground.base, ...owner };
      assert.deepEqual(await bodiesBy(ground, () => database.up(args)), [
        { database: { name: database.name, owner_name: "neondb_owner" } },
      ]);
      assert.equal(database.id, `${args.projectId}/${args.branchId}/${database.name}`);
      const { id: databaseId, created_at: createdAt } = await databaseOf(ground, database.name);
      assert.deepEqual(database.ownOutputs, { ...args, name: database.name, databaseId, createdAt });
      await assertReadOnce(ground, database, args);
      const read = await stage().server.read("Database", database.id, {
        __neon: { urn: urnOf("Database", "looked-up") },
      });
      assert.deepEqual([read.id, read.outputs["ownerName"]], [database.id, "neondb_owner"]);
      const absent = `${args.projectId}/${args.branchId}/nothing`;
      assert.equal((await stage().server.read("Database", absent, {})).id, "");
    });

    test("fails if the name is taken, and names the adopt line, which applies the declared inputs", async () => {
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
      // Adopting applies the declared inputs.
      const adopting = { ...args, adopt: id };
      assert.deepEqual(await bodiesBy(ground, () => database.up(adopting)), [
        { database: { owner_name: "neondb_owner" } },
      ]);
      assert.equal(database.id, id);
      await assertReadOnce(ground, database, adopting);
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

    test("fails if the owner does not exist, and stores nothing", async () => {
      const ground = await Ground.on(stage());
      const database = stage().resource("Database");
      await assert.rejects(
        database.up({ ...ground.base, ownerName: "nobody" }),
        failsWith('role "nobody", which is to own the database, does not exist on the branch'),
      );
      assert.equal(database.state, undefined);
      assert.deepEqual(await namesOf(ground), ["neondb"]);
    });
  });

  describe("refresh", () => {
    test("finds a new name and owner, and up reverts both, with or without a refresh", async () => {
      const ground = await groundWith("seller", stage());
      const database = stage().resource("Database");
      const args = { ...ground.base, ...owner, name: "shop" };
      await database.up(args);
      await ground.call("PATCH", ground.database("shop"), { database: { name: "theirs", owner_name: "seller" } });
      assert.equal(await database.refresh(), "changed");
      assert.deepEqual([database.outputs["name"], database.outputs["ownerName"]], ["theirs", "seller"]);
      assert.deepEqual(await ground.sentBy(() => database.up(args)), ["PATCH /databases/theirs"]);
      await assertReadOnce(ground, database, args);
      // Without a refresh, the database is found by its number.
      await ground.call("PATCH", ground.database("shop"), { database: { name: "theirs" } });
      assert.deepEqual(await ground.sentBy(() => database.up({ ...args, ownerName: "seller" })), [
        "PATCH /databases/theirs",
      ]);
      await ground.call("PATCH", ground.database("theirs"), { database: { name: "theirs again" } });
      await database.destroy();
      assert.deepEqual(await namesOf(ground), ["neondb"]);
    });
  });

  describe("update", () => {
    test("renames the database, keeps its id in state, and then uses the new name", async () => {
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
        await assertReadOnce(ground, database, { ...args, name: to });
      }
      const gone = await ground.sentBy(() => database.destroy());
      assert.deepEqual(gone, [`DELETE /databases/${encodeURIComponent("größe 名前?#")}`]);
      assert.deepEqual(await namesOf(ground), ["neondb"]);
    });

    test("changes the owner, and owner and name in one request", async () => {
      const ground = await groundWith("seller", stage());
      const database = stage().resource("Database");
      const args = { ...ground.base, ...owner };
      await database.up(args);
      const { id } = database;
      const sold = { ...args, ownerName: "seller" };
      assert.deepEqual(await bodiesBy(ground, () => database.up(sold)), [{ database: { owner_name: "seller" } }]);
      await assertReadOnce(ground, database, sold);
      const both = { ...args, name: "both" };
      assert.deepEqual(await bodiesBy(ground, () => database.up(both)), [
        { database: { name: "both", owner_name: "neondb_owner" } },
      ]);
      assert.equal(database.id, id);
      await assertReadOnce(ground, database, both);
    });

    test("continues with a rename that a killed run has sent, without sending it again", async () => {
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
        // A run that has not read the new name does not know whether the rename was applied.
        assert.deepEqual(bodies, next === "refresh" ? [] : [{ database: { owner_name: "neondb_owner" } }]);
        await assertReadOnce(ground, database, { ...args, name: "new" });
      }
    });
  });

  describe("replace", () => {
    test("creates the database on the new branch before it deletes the old one, and warns of the loss", async () => {
      const ground = await Ground.on(stage());
      const database = stage().resource("Database");
      const args = { ...ground.base, ...owner };
      const branch = await stage().branch(ground.base.projectId);
      await database.up(args);
      const elsewhere = { ...args, branchId: branch.id };
      assert.equal(await database.up(elsewhere), "replace");
      assert.deepEqual(database.plan?.replaces, ["branchId"]);
      assert.equal(database.plan.deleteBeforeReplace, false);
      assert.match(
        await database.warning(),
        /^Changing `branchId` replaces this database\. The data in the old database is deleted/,
      );
      assert.deepEqual(await namesOf(ground), ["neondb"]);
      assert.equal(database.id, `${args.projectId}/${branch.id}/${database.name}`);
      await assert.doesNotReject(database.destroy());
    });
  });

  describe("delete", () => {
    test("releases the database that was created with the project, and deletes every other one", async () => {
      const ground = await Ground.on(stage());
      await ground.call("POST", ground.database(), { database: { name: "later", owner_name: "neondb_owner" } });
      const branch = await stage().branch(ground.base.projectId);
      const adopted = async (args: Values): Promise<EngineResource> => {
        const database = stage().resource("Database");
        await database.up({ ...ground.base, ...owner, ...args, adopt: true });
        // A run does not delete what it has adopted.
        database.server = later();
        return database;
      };
      const original = await adopted({ name: "neondb" });
      // The same database under another name.
      await original.up({ ...ground.base, ...owner, name: "main" });
      assert.deepEqual(await ground.sentBy(() => original.destroy()), []);
      assert.equal(
        await original.warning(),
        "The database main was created with its project and is deleted only with it. It was removed from the Pulumi state but not deleted.",
      );
      const own = await adopted({ name: "later" });
      await own.destroy();
      assert.deepEqual(await namesOf(ground), ["main"]);
      // A copy on another branch was not created with the project.
      const copy = await adopted({ name: "neondb", branchId: branch.id });
      await copy.destroy();
      assert.deepEqual(copy.said("warning"), []);
      const { status } = await stage().platform.call(
        "GET",
        ground.database("neondb").replace(ground.base.branchId, branch.id),
      );
      assert.equal(status, 404);
    });

    test("§6.18 succeeds if somebody else has deleted the database, and update advises `pulumi refresh`", async () => {
      const ground = await Ground.on(stage());
      const database = stage().resource("Database");
      const args = { ...ground.base, ...owner };
      await database.up(args);
      await ground.call("DELETE", ground.database(database.name));
      await assert.rejects(
        database.up({ ...args, name: "renamed" }),
        failsWith(`The database ${database.id} no longer exists`, "Run `pulumi refresh`"),
      );
      await database.destroy();
      const branch = await stage().branch(args.projectId, { branch: { name: "short-lived" } });
      const other = stage().resource("Database");
      await other.up({ ...args, branchId: branch.id });
      await ground.call("DELETE", `/projects/${args.projectId}/branches/${branch.id}`);
      assert.equal(await other.refresh(), "gone");
    });
  });
});

describe("Database", () => {
  const home = suiteHome();
  const test = onStages(3, { home });

  describe("create", () => {
    test("creates, changes and deletes with one request each when every answer is lost", async (stage) => {
      const ground = await groundWith("seller", stage);
      const database = stage.resource("Database");
      const args = { ...ground.base, ...owner, name: "old" };
      const lose = (method: string) => stage.platform.fault({ method, path: "/databases", reset: "after" });
      await lose("POST");
      assert.deepEqual(await ground.sentBy(() => database.up(args)), ["POST /databases"]);
      await assertReadOnce(ground, database, args);
      const changed = { ...args, name: "new", ownerName: "seller" };
      await lose("PATCH");
      assert.deepEqual(await ground.sentBy(() => database.up(changed)), ["PATCH /databases/old"]);
      assert.equal((await databaseOf(ground, "new")).owner_name, "seller");
      await assertReadOnce(ground, database, changed);
      await lose("DELETE");
      assert.deepEqual(await ground.sentBy(() => database.destroy()), ["DELETE /databases/new"]);
      assert.deepEqual(await namesOf(ground), ["neondb"]);
    });

    test("applies a creation whose operation failed, without deleting the database", async (stage) => {
      const ground = await Ground.on(stage);
      const database = stage.resource("Database");
      const args = { ...ground.base, ...owner };
      await stage.platform.fault({ action: "apply_config", end: "error" });
      await assert.rejects(database.up(args), failsWith("(apply_config) ended with status error", "resumes from here"));
      const { databaseId } = database.outputs;
      const bodies = await bodiesBy(ground, async () => assert.equal(await database.up(args), "update"));
      assert.deepEqual(bodies, [{ database: { owner_name: "neondb_owner" } }]);
      assert.equal(database.outputs["databaseId"], databaseId);
      await assertReadOnce(ground, database, args);
    });
  });

  describe("update", () => {
    test("sends a rename again if the first request never arrived", async (stage) => {
      const ground = await Ground.on(stage);
      const database = stage.resource("Database");
      const args = { ...ground.base, ...owner, name: "old" };
      await database.up(args);
      await stage.platform.fault({ method: "PATCH", path: "/databases", reset: "before" });
      const sent = await ground.sentBy(() => database.up({ ...args, name: "new" }));
      assert.deepEqual(sent, ["PATCH /databases/old", "PATCH /databases/old"]);
      await assertReadOnce(ground, database, { ...args, name: "new" });
    });

    test("applies a rename whose operation failed, without renaming again", async (stage) => {
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
      await assertReadOnce(ground, database, renamed);
    });

    test("reverts a rename whose operation was cancelled if the program does", async (stage) => {
      const ground = await Ground.on(stage);
      const database = stage.resource("Database");
      const args = { ...ground.base, ...owner, name: "old" };
      await database.up(args);
      await stage.platform.fault({ action: "apply_config", end: "cancelled" });
      await assert.rejects(database.up({ ...args, name: "new" }), failsWith("ended with status cancelled"));
      assert.deepEqual(await bodiesBy(ground, () => database.up(args)), [{ database: { name: "old" } }]);
      await assertReadOnce(ground, database, args);
    });

    test("continues in the next up to wait for a rename that timed out", async (stage) => {
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
      await assertReadOnce(ground, database, renamed);
    });
  });

  describe("delete", () => {
    test("keeps the database in the state until its operation succeeds", async (stage) => {
      const ground = await Ground.on(stage);
      const database = stage.resource("Database");
      await database.up({ ...ground.base, ...owner });
      await stage.platform.fault({ action: "apply_config", end: "error" });
      await assert.rejects(database.destroy(), failsWith("(apply_config) ended with status error"));
      await stage.platform.fault({ method: "DELETE", path: "/databases/", status: 204 });
      await assert.rejects(database.destroy(), failsWith(`The database ${database.name} still exists`));
      assert.ok(database.state);
      await database.destroy();
      assert.deepEqual(await namesOf(ground), ["neondb"]);
    });
  });

  describe("recover", () => {
    test("adopts the database of a killed run, and finishes its rename", async (stage) => {
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
      // Both fail, because their process is killed.
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
      await assertReadOnce(ground, made, args);
      const again = stage.resource("Database", renaming.name);
      again.state = renaming.state;
      await again.up(renamed);
      await assertReadOnce(ground, again, renamed);
      assert.deepEqual(await namesOf(ground), ["neondb", "renamed", making.name]);
    });
  });
});
