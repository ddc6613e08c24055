import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assertError, namesOf } from "../support/responses";
import { type RealProject, suiteDatabases } from "./support";

describe("local platform with Postgres: roles and databases", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  const admin = (text: string, database = "neondb") => project.sql(project.main, text, { database });
  const path = (kind: "roles" | "databases", name = "") => `/branches/${project.main}/${kind}${name && `/${name}`}`;
  const roles = async () => namesOf((await project.call("GET", path("roles"))).body.roles).sort();
  const databases = async () => namesOf((await project.call("GET", path("databases"))).body.databases).sort();
  const verifierOf = async (name: string) =>
    (await admin(`SELECT rolpassword FROM pg_authid WHERE rolname = '${name}'`))[0]?.["rolpassword"] as string;
  const createRole = async (name: string, input = {}) =>
    (await project.done("POST", path("roles"), { role: { name, ...input } })).role;

  const major = () => project.created.project.pg_version;
  /** Below 16, only a superuser changes the password of a role that can replicate. */
  const changesItself = () => (major() >= 16 ? { user: "app" } : {});

  before(async () => {
    project = await suite.project();
    await createRole("app");
    await createRole("another");
  });

  it("a role of the API can log in with a password that Postgres knows as a verifier only, and is no superuser", async () => {
    const [row] = await admin(
      "SELECT rolcanlogin, rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = 'app'",
    );
    assert.deepEqual(row, { rolcanlogin: true, rolsuper: false, rolcreatedb: true, rolcreaterole: major() >= 16 });
    assert.match(await verifierOf("app"), /^SCRAM-SHA-256\$4096:/);
    await assert.rejects(
      project.sql(project.main, "COPY (SELECT 1) TO PROGRAM 'true'", { user: "app" }),
      /permission denied to COPY to or from an external program|must be .*pg_execute_server_program/,
    );
    await createRole("group_role", { no_login: true });
    assert.deepEqual(await admin("SELECT rolcanlogin FROM pg_roles WHERE rolname = 'group_role'"), [
      { rolcanlogin: false },
    ]);
  });

  it("a role passes on the rights to monitor and to end sessions, and may call functions of replication in each database", async () => {
    const asOwner = (text: string, database = "neondb") =>
      project.sql(project.main, text, { user: "neondb_owner", database });
    await createRole("watcher", { no_login: true });
    await asOwner("GRANT pg_monitor, pg_signal_backend TO watcher");
    assert.deepEqual(await admin("SELECT pg_has_role('watcher', 'pg_signal_backend', 'MEMBER') AS can"), [
      { can: true },
    ]);
    await project.done("POST", path("databases"), { database: { name: "by_api", owner_name: "neondb_owner" } });
    await asOwner("CREATE DATABASE by_sql");
    for (const database of ["neondb", "by_api", "by_sql", "postgres"]) {
      assert.deepEqual(await asOwner("SELECT * FROM pg_show_replication_origin_status()", database), []);
      if (major() >= 16) assert.equal((await asOwner("SELECT pg_log_standby_snapshot()", database)).length, 1);
    }
    await assert.rejects(asOwner("CREATE PUBLICATION every FOR ALL TABLES"), /must be superuser/);
  });

  it("a role reads and writes the tables of others, as members of neon_superuser do", async () => {
    await project.sql(project.main, "CREATE TABLE shared (value int)", { user: "neondb_owner" });
    await project.sql(project.main, "INSERT INTO shared VALUES (1)", { user: "app" });
    assert.deepEqual(await project.sql(project.main, "SELECT * FROM shared", { user: "app" }), [{ value: 1 }]);
  });

  it("a new password replaces the old one, and one that is set in SQL cannot be revealed", async () => {
    const before = await verifierOf("app");
    const { role } = await project.done("POST", path("roles", "app/reset_password"));
    assert.notEqual(await verifierOf("app"), before);
    const revealed = await project.call("GET", path("roles", "app/reveal_password"));
    assert.equal(revealed.body.password, role.password);
    await project.sql(project.main, "ALTER ROLE app PASSWORD 'set in SQL'", changesItself());
    assertError(await project.call("GET", path("roles", "app/reveal_password")), 412, /not stored/);
    const changed = await verifierOf("app");
    await project.act("restart");
    assert.equal(await verifierOf("app"), changed, "the password of the API is not set again");
  });

  it("an operation that fails leaves the old password", async () => {
    const before = await verifierOf("neondb_owner");
    await suite.platform().fault({ action: "apply_config", end: "error" });
    await project.call("POST", path("roles", "neondb_owner/reset_password"));
    await suite.platform().settled(project.id);
    assert.equal(await verifierOf("neondb_owner"), before);
    assert.equal((await project.call("GET", path("roles", "neondb_owner/reveal_password"))).status, 200);
  });

  it("roles and databases made, renamed and dropped in SQL show in the API", async () => {
    await admin("CREATE ROLE made_in_sql LOGIN PASSWORD 'secret'");
    await admin("CREATE DATABASE made_in_sql OWNER app");
    assert.ok((await roles()).includes("made_in_sql"));
    const { database } = (await project.call("GET", path("databases", "made_in_sql"))).body;
    assert.equal(database.owner_name, "app");
    await admin("ALTER ROLE made_in_sql RENAME TO renamed_in_sql");
    await admin("ALTER DATABASE made_in_sql RENAME TO renamed_in_sql");
    assert.deepEqual(
      [(await roles()).includes("made_in_sql"), (await roles()).includes("renamed_in_sql")],
      [false, true],
    );
    const renamed = (await project.call("GET", path("databases", "renamed_in_sql"))).body.database;
    assert.equal(renamed.id, database.id);
    await admin("DROP DATABASE renamed_in_sql");
    await admin("DROP ROLE renamed_in_sql");
    assert.equal((await roles()).includes("renamed_in_sql"), false);
    assert.equal((await databases()).includes("renamed_in_sql"), false);
    assert.ok(!(await roles()).includes("cloud_admin"));
  });

  it("roles and tables made in SQL survive changes through the API", async () => {
    await admin("CREATE ROLE kept_role; CREATE TABLE kept_table ()");
    await createRole("made_by_the_api");
    await project.act("restart");
    assert.ok((await roles()).includes("kept_role"));
    assert.deepEqual(await admin("SELECT * FROM kept_table"), []);
  });

  it("a database is created, given away, renamed while in use, and deleted", async () => {
    await project.done("POST", path("databases"), { database: { name: "shop", owner_name: "app" } });
    const owner = "SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = 'shop'";
    assert.deepEqual(await admin(owner), [{ owner: "app" }]);
    await project.done("PATCH", path("databases", "shop"), { database: { owner_name: "another" } });
    assert.deepEqual(await admin(owner), [{ owner: "another" }]);
    await admin("CREATE TABLE goods ()", "shop");
    const session = await project.session(project.main, { database: "shop" });
    await project.done("PATCH", path("databases", "shop"), { database: { name: "store" } });
    assert.deepEqual(await admin("SELECT * FROM goods", "store"), []);
    await session.end();
    await project.done("DELETE", path("databases", "store"));
    assert.deepEqual(await admin("SELECT datname FROM pg_database WHERE datname IN ('shop', 'store')"), []);
    await project.act("restart");
    assert.ok(!(await databases()).includes("store"));
  });

  it("a deleted role leaves what it owns to the owner of the database", async () => {
    await createRole("leaver");
    await admin("GRANT CREATE ON SCHEMA public TO leaver");
    await project.sql(project.main, "CREATE TABLE left_behind ()", { user: "leaver" });
    await project.done("DELETE", path("roles", "leaver"));
    assert.deepEqual(await admin("SELECT tableowner FROM pg_tables WHERE tablename = 'left_behind'"), [
      { tableowner: "neondb_owner" },
    ]);
    assert.deepEqual(await admin("SELECT rolname FROM pg_roles WHERE rolname = 'leaver'"), []);
  });

  it("a role that is deleted while the compute is disabled does not come back", async () => {
    await admin("CREATE ROLE inherited");
    const child = await project.branch();
    const compute = `/endpoints/${(await project.endpointOf(child)).id}`;
    await project.done("PATCH", compute, { endpoint: { disabled: true } });
    await project.done("DELETE", `/branches/${child}/roles/another`);
    await project.done("POST", `/branches/${child}/roles`, { role: { name: "later" } });
    await project.done("PATCH", compute, { endpoint: { disabled: false } });
    const names = namesOf((await project.call("GET", `/branches/${child}/roles`)).body.roles);
    assert.deepEqual(
      [names.includes("another"), names.includes("later"), names.includes("inherited")],
      [false, true, true],
    );
  });

  it("roles and databases that were deleted while the compute was disabled do not come back in its branches, resets and snapshots", async () => {
    const suitable = await suite.project();
    const { main } = suitable;
    await suitable.done("POST", `/branches/${main}/roles`, { role: { name: "leaver" } });
    const database = { name: "gone", owner_name: "neondb_owner" };
    await suitable.done("POST", `/branches/${main}/databases`, { database });
    const earlier = await suitable.branch();
    await suitable.done("PATCH", `/endpoints/${suitable.endpointId}`, { endpoint: { disabled: true } });
    const beforeDeletion = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await suitable.done("DELETE", `/branches/${main}/databases/gone`);
    await suitable.done("DELETE", `/branches/${main}/roles/leaver`);

    const namesOn = async (id: string) => {
      const { roles: inBranch } = (await suitable.call("GET", `/branches/${id}/roles`)).body;
      const { databases: all } = (await suitable.call("GET", `/branches/${id}/databases`)).body;
      return [...namesOf(inBranch), ...namesOf(all)].sort();
    };
    const kept = ["neondb", "neondb_owner"];
    assert.deepEqual(await namesOn(await suitable.branch()), kept);
    const now = { source_branch_id: main, preserve_under_name: "before" };
    await suitable.done("POST", `/branches/${earlier}/restore`, now);
    assert.deepEqual(await namesOn(earlier), kept);
    await suitable.act("start", earlier);
    assert.deepEqual(await namesOn(earlier), kept);
    const { snapshot } = await suitable.done("POST", `/branches/${main}/snapshot`);
    const restored = (await suitable.done("POST", `/snapshots/${snapshot.id}/restore`, { name: "restored" })).branch.id;
    assert.deepEqual(await namesOn(restored), kept);
    const past = await suitable.branch({ parent_timestamp: beforeDeletion });
    assert.deepEqual(await namesOn(past), ["gone", "leaver", ...kept]);
    const before = { source_branch_id: main, source_timestamp: beforeDeletion, preserve_under_name: "after" };
    await suitable.done("POST", `/branches/${main}/restore`, before);
    await suitable.done("PATCH", `/endpoints/${suitable.endpointId}`, { endpoint: { disabled: false } });
    await suitable.act("start");
    assert.deepEqual(await namesOn(main), ["gone", "leaver", ...kept]);
  });

  it("a branch of a protected parent has other passwords, any other branch the same", async () => {
    const hash = async (branchId: string) =>
      (await project.sql(branchId, "SELECT rolpassword FROM pg_authid WHERE rolname = 'neondb_owner'"))[0]?.[
        "rolpassword"
      ];
    const parents = await hash(project.main);
    assert.equal(await hash(await project.branch()), parents);
    await project.done("PATCH", `/branches/${project.main}`, { branch: { protected: true } });
    assert.notEqual(await hash(await project.branch()), parents);
    await project.done("PATCH", `/branches/${project.main}`, { branch: { protected: false } });
  });

  it("no password is in a file or a log", async () => {
    const { role } = await project.done("POST", path("roles", "neondb_owner/reset_password"));
    const { password } = role;
    assert.ok(password);
    const data = suite.dataFolder(project.main);
    for (const file of [`${data}.log`, join(suite.folder(), "platform.db"), join(suite.folder(), "platform.db-wal")]) {
      assert.equal(readFileSync(file).includes(password), false, file);
    }
  });

  it("roles of a project that stores no passwords can log in", async () => {
    const other = await suite.project({ store_passwords: false });
    const [row] = await other.sql(other.main, "SELECT rolpassword FROM pg_authid WHERE rolname = 'neondb_owner'");
    assert.match(String(row?.["rolpassword"]), /^SCRAM-SHA-256\$/);
  });
});
