import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { unknownText, type Values } from "../support/provider-server";
import { EngineResource } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { assertReadOnce, type BranchFixture, fixtureFor } from "../support/branch-fixture";
import { suiteGated } from "../support/gated";
import { concurrently, onStages, type Stage, suiteServer, suiteStage } from "../support/stage";
import { until } from "../support/until";

/** Asserts that a role has a password, which is in force as far as the platform reports it, and that nothing is left to do. */
async function assertPassword(
  fixture: BranchFixture,
  role: EngineResource,
  args: Values,
  isStored = true,
): Promise<void> {
  assert.match(String(role.outputs["password"]), /^npg_/);
  if (isStored) assert.equal(role.outputs["password"], await fixture.passwordOf(role.name));
  await assertReadOnce(fixture, role, args);
}

/** A role that a program has created on a branch of its own. */
async function createdRole(stage: Stage, project: Values = {}) {
  const { fixture, base, resource: role } = await fixtureFor(stage, "Role", project);
  await role.up(base);
  const { password } = role.outputs;
  return { fixture, base, role, password, reset: `POST /roles/${role.name}/reset_password` };
}

describe("Role", () => {
  const stage = suiteStage();
  /** Another run, which has adopted nothing. */
  const later = suiteServer(stage);
  const test = concurrently();

  test("create › §6.7 keeps the password in a project that stores no passwords", async () => {
    const { fixture, base, role, password } = await createdRole(stage(), { store_passwords: false });
    assert.match(String(password), /^npg_/);
    await assertReadOnce(fixture, role, base);
    assert.equal(role.outputs["password"], password);
    assert.equal((await stage().platform.call("GET", `${fixture.role(role.name)}/reveal_password`)).status, 412);
    // A reset returns the new password.
    await role.up({ ...base, passwordTrigger: "1" });
    assert.match(String(role.outputs["password"]), /^npg_/);
    assert.notEqual(role.outputs["password"], password);
  });

  test("create › returns and reads no password for a role that cannot log in", async () => {
    const { fixture, base, resource: role } = await fixtureFor(stage(), "Role");
    const args = { ...base, noLogin: true };
    const asked = await fixture.requestsBy(() => role.up(args));
    // The first request looks for what is there, the last one reads the owner of the project: each once in a run.
    assert.deepEqual(asked, ["GET /roles", "POST /roles", `GET /roles/${role.name}`, "GET "]);
    assert.deepEqual([role.outputs["noLogin"], role.outputs["authenticationMethod"]], [true, "no_login"]);
    assert.ok(!("password" in role.outputs));
    await assertReadOnce(fixture, role, args);
    const adopted = new EngineResource(later(), "Role", stage().name("role"));
    await adopted.up({ ...base, name: role.name, adopt: true });
    assert.ok(!("password" in adopted.outputs));
    assert.equal(adopted.outputs["noLogin"], true);
  });

  test("refresh › keeps the password if the authentication method is an unknown one", async () => {
    const { fixture, role, password } = await createdRole(stage());
    const { role: now } = await fixture.call("GET", fixture.role(role.name));
    const body = { role: { ...now, authentication_method: "scram_2030" } };
    await stage().platform.fault({ method: "GET", path: `/roles/${role.name}$`, status: 200, body });
    await role.refresh();
    assert.deepEqual([role.outputs["authenticationMethod"], role.outputs["password"]], ["scram_2030", password]);
  });

  test("adopt › defaults the name to that of a whole id, even if project and branch are unknown", async () => {
    const role = stage().resource("Role");
    const { fixture, base } = await fixtureFor(stage(), "Role");
    await fixture.call("POST", fixture.role(), { role: { name: "some/long_role_name" } });
    const adopt = `${base.projectId}/${base.branchId}/some%2Flong_role_name`;
    const plan = await role.preview({ projectId: unknownText, branchId: unknownText, adopt });
    assert.equal(plan.inputs["name"], "some/long_role_name");
    assert.equal(
      (await role.preview({ projectId: unknownText, branchId: unknownText, adopt: "app" })).inputs["name"],
      "app",
    );
  });

  for (const name of ["a/b", "50%"]) {
    test(`adopt › never replaces the role that it names: ${name}`, async () => {
      const { fixture, base, resource: role } = await fixtureFor(stage(), "Role");
      await fixture.call("POST", fixture.role(), { role: { name } });
      const address = `${base.projectId}/${base.branchId}`;
      // A percent sign that encodes nothing is part of the name.
      await role.up({ ...base, adopt: name === "50%" ? `${address}/50%` : name });
      assert.equal(role.outputs["name"], name);
      for (const adopt of [`${address}/${encodeURIComponent(name)}`, name]) {
        await assert.rejects(
          role.preview({ ...base, adopt, noLogin: true }),
          failsWith(`replaces the role ${adopt}, and \`adopt\` names the same object`),
        );
      }
      const elsewhere = await role.preview({ ...base, branchId: unknownText, adopt: name });
      assert.equal(elsewhere.step, "replace", "the branch may be another one");
    });
  }

  test("adopt › §6.7 returns no password in a project that stores no passwords", async () => {
    const { fixture, base, resource: role } = await fixtureFor(stage(), "Role", { store_passwords: false });
    const args = { ...base, name: "neondb_owner", adopt: true };
    await role.up(args);
    assert.equal(role.outputs["password"], undefined);
    await assertReadOnce(fixture, role, args);
    await role.up({ ...args, passwordTrigger: "give it one" });
    await assertPassword(fixture, role, { ...args, passwordTrigger: "give it one" }, false);
  });

  test("adopt › keeps the password, whatever the trigger", async () => {
    const { fixture, base, resource: role } = await fixtureFor(stage(), "Role");
    const args = { ...base, name: "neondb_owner", adopt: true, passwordTrigger: "1" };
    const before = await fixture.passwordOf("neondb_owner");
    assert.deepEqual(await fixture.sentBy(() => role.up(args)), []);
    assert.equal(role.outputs["password"], before);
    await assertReadOnce(fixture, role, args);
    await role.up({ ...args, passwordTrigger: "2" });
    assert.notEqual(role.outputs["password"], before);
  });

  test("delete › fails if the role owns databases, and names them", async () => {
    const { fixture, role } = await createdRole(stage());
    for (const name of ["shop", "stock"]) {
      await fixture.call("POST", fixture.database(), { database: { name, owner_name: role.name } });
    }
    await assert.rejects(
      role.destroy(),
      failsWith(
        `The role ${role.name} was not deleted: it owns the databases "shop", "stock" (DELETE `,
        /failed with HTTP 422: .*\)\. Give them another owner \(`ownerName`\), then delete the role\. If the program deletes them too, declare .* `deletedWith` of the role to the branch\./,
      ),
    );
    assert.ok(role.state);
    assert.ok(await fixture.exists(fixture.role(role.name)));
    for (const name of ["shop", "stock"]) {
      await fixture.call("PATCH", fixture.database(name), { database: { owner_name: "neondb_owner" } });
    }
    await role.destroy();
    assert.ok(!(await fixture.exists(fixture.role(role.name))));
  });

  test("delete › leaves an adopted role that owns a database, says so, and its branch can be deleted", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId, compute: {} });
    const { branchId } = branch.outputs;
    const role = stage().resource("Role");
    await role.up({ projectId, branchId, name: "neondb_owner", adopt: true });
    await stage().nextRun(role);
    assert.deepEqual(await stage().sentBy(projectId, () => role.destroy()), []);
    assert.deepEqual(role.said("warning"), [
      'The role neondb_owner owns the database "neondb", and Neon deletes no role that owns a database. Pulumi only removes it from the state.',
    ]);
    branch.server = role.server;
    await branch.destroy();
    assert.deepEqual((await stage().branches(projectId)).length, 1);
  });

  for (const kind of ["Branch", "Project"] as const) {
    test(`delete › leaves a role that owns a database of others to the deletion of its ${kind}`, async () => {
      const place = stage().resource(kind);
      await place.up(kind === "Project" ? {} : { projectId: (await stage().project()).id, compute: {} });
      const role = await heldRole(place);
      await stage().nextRun(role);
      place.server = role.server;
      await role.destroy();
      assert.equal(role.state, undefined);
      assert.deepEqual(role.said("warning"), [
        `The role ${role.name} owns the database "shop", and Neon deletes no role that owns a database. It goes with its ${place.kind.toLowerCase()}. Pulumi only removes it from the state.`,
      ]);
      await place.destroy();
    });
  }

  test("delete › fails for a role that owns a database of others, if the program keeps its branch", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    const program = { projectId, compute: {} };
    await branch.up(program);
    const role = await heldRole(branch);
    await stage().nextRun(role);
    branch.server = role.server;
    await branch.up(program);
    await assert.rejects(role.destroy(), failsWith(/it owns the database "shop"/));
    assert.ok(role.state);
  });

  /** A role on a branch or in a project that the stack has, and that owns a database which no resource has. */
  async function heldRole(place: EngineResource): Promise<EngineResource> {
    const { projectId, branchId = place.outputs["defaultBranchId"] } = place.outputs;
    const role = stage().resource("Role");
    await role.up({ projectId, branchId });
    const path = `/projects/${String(projectId)}/branches/${String(branchId)}/databases`;
    const { status } = await stage().platform.call("POST", path, { database: { name: "shop", owner_name: role.name } });
    assert.equal(status, 201);
    await stage().settled(String(projectId));
    return role;
  }

  test("delete › deletes an adopted role after the databases that it owns, if the program has both", async () => {
    const { id: projectId } = await stage().project();
    const { id: branchId } = await stage().branch(projectId, { endpoints: [{ type: "read_write" }] });
    const base = { projectId, branchId, adopt: true };
    const [role, database] = [stage().resource("Role"), stage().resource("Database")];
    await role.up({ ...base, name: "neondb_owner" });
    await database.up({ ...base, name: "neondb", ownerName: "neondb_owner" });
    await stage().nextRun(role);
    database.server = role.server;
    // The delete of the database begins while that of the role asks what the role owns.
    const list = { method: "GET", path: `^/projects/${projectId}/branches/${branchId}/databases$`, delayMs: 500 };
    await stage().platform.fault(list);
    await Promise.all([role.destroy(), database.destroy()]);
    assert.deepEqual(role.said("warning"), []);
    const path = `/projects/${projectId}/branches/${branchId}`;
    assert.deepEqual((await stage().platform.call("GET", `${path}/roles`)).body.roles, []);
    assert.deepEqual((await stage().platform.call("GET", `${path}/databases`)).body.databases, []);
  });

  const { gate, server } = suiteGated(stage);
  it("update › sends the reset again if it never arrived, although somebody else has reset the password while it waited", async () => {
    const { fixture, base, resource: role } = await fixtureFor(stage(), "Role");
    role.server = server();
    await role.up(base);
    const path = `${fixture.role(role.name)}/reset_password`;
    const held = gate().holdNextChange();
    const args = { ...base, passwordTrigger: "1" };
    const updated = role.up(args);
    await held.arrived;
    await fixture.call("POST", path);
    const theirs = await fixture.passwordOf(role.name);
    await stage().platform.fault({ method: "POST", path: `^${path}$`, status: 423 });
    await stage().platform.fault({ method: "POST", path: `^${path}$`, reset: "before" });
    held.pass();
    await updated;
    assert.notEqual(await fixture.passwordOf(role.name), theirs);
    await assertPassword(fixture, role, args);
  });
});

describe("Role", () => {
  const test = onStages(2);

  for (const store of [true, false]) {
    const where = store ? "" : ", in a project that stores no passwords";

    test(`create › returns a valid password when the answer is lost${where}`, async (stage) => {
      const { fixture, base, resource: role } = await fixtureFor(stage, "Role", { store_passwords: store });
      await stage.platform.fault({ method: "POST", path: "/roles$", reset: "after" });
      const sent = await fixture.sentBy(() => role.up(base));
      const reset = `POST /roles/${role.name}/reset_password`;
      assert.deepEqual(sent, ["POST /roles", ...(store ? [] : [reset])]);
      await assertPassword(fixture, role, base, store);
    });

    test(`update › returns the new password when the answer to the reset is lost${where}`, async (stage) => {
      const { fixture, base, role, password, reset } = await createdRole(stage, { store_passwords: store });
      await stage.platform.fault({ method: "POST", path: "/reset_password$", reset: "after" });
      const args = { ...base, passwordTrigger: "1" };
      const sent = await fixture.sentBy(() => role.up(args));
      // If the passwords can be compared, one reset is enough. Otherwise only another one returns the password.
      assert.deepEqual(sent, store ? [reset] : [reset, reset]);
      assert.notEqual(role.outputs["password"], password);
      await assertPassword(fixture, role, args, store);
    });
  }

  for (const noLogin of [false, true]) {
    test(`create › ${noLogin ? "replaces a role without a password" : "resets the password of the role"} in the next up if its operation failed`, async (stage) => {
      const { fixture, base, resource: role } = await fixtureFor(stage, "Role");
      const args = { ...base, noLogin };
      await stage.platform.fault({ action: "apply_config", end: "error" });
      await assert.rejects(
        role.up(args),
        failsWith("(apply_config) ended with status error", noLogin ? "replaces it" : "resumes from here"),
      );
      const sent = await fixture.sentBy(() => role.up(args));
      assert.deepEqual(
        sent,
        noLogin ? [`DELETE /roles/${role.name}`, "POST /roles"] : [`POST /roles/${role.name}/reset_password`],
      );
      assert.equal(role.outputs["noLogin"], noLogin);
      await (noLogin ? assertReadOnce(fixture, role, args) : assertPassword(fixture, role, args));
    });
  }

  test("update › resets the password again in the next up if the reset failed", async (stage) => {
    const { fixture, base, role } = await createdRole(stage);
    const args = { ...base, passwordTrigger: "1" };
    await stage.platform.fault({ action: "apply_config", end: "error" });
    await assert.rejects(role.up(args), failsWith("(apply_config) ended with status error"));
    assert.equal(await role.up(args), "update");
    await assertPassword(fixture, role, args);
  });

  test("update › keeps the password of a reset that times out", async (stage) => {
    const { fixture, base, role, password: old } = await createdRole(stage);
    const args = { ...base, passwordTrigger: "1" };
    await stage.platform.fault({ action: "apply_config", end: "stuck" });
    await assert.rejects(role.up(args, { timeouts: { update: "1s" } }), failsWith(/^Timed out after \d/));
    const { password } = role.outputs;
    assert.notEqual(password, old);
    assert.equal(await fixture.passwordOf(role.name), old);
    await stage.platform.clearFaults();
    const sent = await fixture.sentBy(async () => assert.equal(await role.up(args), "update"));
    assert.deepEqual(sent, []);
    assert.equal(role.outputs["password"], password);
    assert.equal(await fixture.passwordOf(role.name), password);
    await assertReadOnce(fixture, role, args);
  });

  test("update › resets the password after an earlier reset has finished if the trigger changes meanwhile", async (stage) => {
    const { fixture, base, role, reset } = await createdRole(stage);
    const impatient = { timeouts: { update: "400ms" } };
    await stage.platform.fault({ action: "apply_config", end: "stuck" });
    await assert.rejects(role.up({ ...base, passwordTrigger: "1" }, impatient), failsWith("Timed out after"));
    const args = { ...base, passwordTrigger: "2" };
    await assert.rejects(role.up(args, impatient), failsWith("Timed out after"));
    await stage.platform.clearFaults();
    const sent = await fixture.sentBy(async () => assert.equal(await role.up(args), "update"));
    assert.deepEqual(sent, [reset]);
    await assertPassword(fixture, role, args);
  });

  test("delete › waits for a deletion that somebody else has started", async (stage) => {
    const { fixture, role } = await createdRole(stage);
    await stage.platform.fault({ action: "apply_config", end: "stuck" });
    await stage.platform.call("DELETE", fixture.role(role.name));
    const requests = async () => (await stage.requests("/operations")).length;
    const before = await requests();
    let isDestroyed = false;
    const destroyed = role.destroy().then(() => (isDestroyed = true));
    // One request finds the operation; from the next one on, the provider waits for it.
    await Promise.race([destroyed, until(async () => (await requests()) > before + 1)]);
    assert.ok(!isDestroyed);
    await stage.platform.clearFaults();
    await destroyed;
    assert.ok(!(await fixture.exists(fixture.role(role.name))));
  });
});
