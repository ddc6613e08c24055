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

/** Nothing differs, and nothing is asked: not the role, nor its password. */
async function assertAtRest(ground: Ground, role: EngineResource, args: Values): Promise<void> {
  assert.deepEqual(await ground.requestsBy(async () => assert.equal(await role.up(args), "same")), []);
  const { inputs, outputs } = role.present;
  // Whether it was adopted is nothing that a refresh finds.
  const { adopt: _, ...declared } = inputs;
  const asked = await ground.requestsBy(async () => assert.equal(await role.refresh(), "same"));
  assert.deepEqual(asked, [`GET /roles/${encodeURIComponent(String(outputs["name"]))}`]);
  assert.deepEqual(role.present.inputs, declared);
  assert.deepEqual(role.present.outputs, outputs);
  assert.equal(await role.up(args), "same");
}

describe("a role", () => {
  const stage = suiteStage();
  const test = concurrently();

  test("is made by its logical name, with nothing but what is declared, and has a password that works", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const role = stage().resource("Role");
    await role.up(base);
    const [creation, ...others] = await stage().sent(base.branchId);
    assert.deepEqual(others, []);
    assert.deepEqual(creation?.body, { role: { name: role.name } });
    assert.equal(role.id, `${base.projectId}/${base.branchId}/${role.name}`);
    const { password, createdAt, ...rest } = role.outputs;
    assert.equal(password, await ground.passwordOf(role.name));
    assert.ok(Date.parse(String(createdAt)) > 0);
    const { __neon: _, __provider: __, ...shown } = rest;
    assert.deepEqual(shown, {
      ...base,
      name: role.name,
      noLogin: false,
      authenticationMethod: "password",
      protected: false,
    });
    await assertAtRest(ground, role, base);
  });

  test("§6.15 is told its password once: an unchanged up or a refresh never reveals it again", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const [own, adopted] = [stage().resource("Role"), stage().resource("Role")];
    const adopting = { ...base, name: "neondb_owner", adopt: true };
    await own.up(base);
    await adopted.up(adopting);
    const reveals = async () =>
      (await stage().requests("reveal_password")).filter(({ path }) => path.includes(base.branchId));
    assert.equal((await reveals()).length, 1);
    await assertAtRest(ground, own, base);
    await assertAtRest(ground, adopted, adopting);
    assert.equal((await reveals()).length, 1);
  });

  test("§6.7 of a project that stores no passwords keeps the one it was made with", async () => {
    const ground = await Ground.on(stage(), { store_passwords: false });
    const { base } = ground;
    const role = stage().resource("Role");
    await role.up(base);
    const { password } = role.outputs;
    assert.match(String(password), /^npg_/);
    await assertAtRest(ground, role, base);
    assert.equal(role.outputs["password"], password);
    assert.equal((await stage().platform.call("GET", `${ground.role(role.name)}/reveal_password`)).status, 412);
    // A reset tells the new one.
    await role.up({ ...base, passwordTrigger: "1" });
    assert.match(String(role.outputs["password"]), /^npg_/);
    assert.notEqual(role.outputs["password"], password);
  });

  test("that is adopted by its name needs to be named only there", async () => {
    const ground = await Ground.on(stage());
    const role = stage().resource("Role");
    await role.up({ ...ground.base, adopt: "neondb_owner" });
    assert.equal(role.outputs["name"], "neondb_owner");
    assert.equal(await role.up(ground.base), "same");
  });

  test("that is adopted by its whole id is named by it, even while project and branch are still to be made", async () => {
    const role = stage().resource("Role");
    const adopt = "cool-darkness-12345678/br-cool-darkness-a1b2c3d4/some%2Flong_role_name";
    const plan = await role.preview({ projectId: unknownText, branchId: unknownText, adopt });
    assert.equal(plan.inputs["name"], "some/long_role_name");
    assert.equal(
      (await role.preview({ projectId: unknownText, branchId: unknownText, adopt: "app" })).inputs["name"],
      "app",
    );
  });

  for (const name of ["a/b", "50%"]) {
    test(`that is adopted by a name with any characters in it is not deleted to adopt it again: ${name}`, async () => {
      const ground = await Ground.on(stage());
      await ground.call("POST", ground.role(), { role: { name } });
      const { projectId, branchId } = ground.base;
      for (const adopt of [`${projectId}/${branchId}/${encodeURIComponent(name)}`, name]) {
        const role = await stage().nextRun(stage().resource("Role"));
        await role.up({ ...ground.base, adopt });
        assert.equal(role.outputs["name"], name);
        await assert.rejects(
          role.preview({ ...ground.base, adopt, noLogin: true }),
          failsWith(`replaces the role ${adopt}, which the program also says to adopt`),
        );
      }
      // A percent sign that encodes nothing is one of the name's.
      const plain = await stage().nextRun(stage().resource("Role"));
      if (name === "50%")
        assert.equal(await plain.up({ ...ground.base, adopt: `${projectId}/${branchId}/50%` }), "create");
    });
  }

  test("§6.7 that is adopted in a project that stores none has no password, and nothing fails", async () => {
    const ground = await Ground.on(stage(), { store_passwords: false });
    const { base } = ground;
    const role = stage().resource("Role");
    const args = { ...base, name: "neondb_owner", adopt: true };
    await role.up(args);
    assert.equal(role.outputs["password"], undefined);
    await assertAtRest(ground, role, args);
    await role.up({ ...args, passwordTrigger: "give it one" });
    assert.match(String(role.outputs["password"]), /^npg_/);
    await assertAtRest(ground, role, { ...args, passwordTrigger: "give it one" });
  });

  test("gets another password in place when its trigger changes, and only then", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const role = stage().resource("Role");
    const sent = (args: Values) => ground.sentBy(() => role.up({ ...base, ...args }));
    assert.deepEqual(await sent({ passwordTrigger: "spring" }), ["POST /roles"]);
    const { password: first, createdAt } = role.outputs;
    await assertAtRest(ground, role, { ...base, passwordTrigger: "spring" });
    const reset = [`POST /roles/${role.name}/reset_password`];
    assert.deepEqual(await sent({ passwordTrigger: "summer" }), reset);
    const { password: second } = role.outputs;
    assert.notEqual(second, first);
    assert.equal(second, await ground.passwordOf(role.name));
    assert.equal(role.outputs["createdAt"], createdAt);
    await assertAtRest(ground, role, { ...base, passwordTrigger: "summer" });
    assert.deepEqual(await sent({}), []);
    assert.equal(role.outputs["password"], second);
    assert.deepEqual(await sent({ passwordTrigger: "autumn" }), reset);
    assert.notEqual(role.outputs["password"], second);
  });

  test("that is taken over with a trigger keeps its password", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const role = stage().resource("Role");
    const args = { ...base, name: "neondb_owner", adopt: true, passwordTrigger: "1" };
    const before = await ground.passwordOf("neondb_owner");
    assert.deepEqual(await ground.sentBy(() => role.up(args)), []);
    assert.equal(role.outputs["password"], before);
    await assertAtRest(ground, role, args);
    await role.up({ ...args, passwordTrigger: "2" });
    assert.notEqual(role.outputs["password"], before);
  });

  test("that cannot log in has no password, and asks for none", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const role = stage().resource("Role");
    const args = { ...base, noLogin: true };
    const asked = await ground.requestsBy(() => role.up(args));
    // The last one asks whose the project is, once in a run.
    assert.deepEqual(asked, ["POST /roles", `GET /roles/${role.name}`, "GET "]);
    assert.deepEqual([role.outputs["noLogin"], role.outputs["authenticationMethod"]], [true, "no_login"]);
    assert.ok(!("password" in role.outputs));
    await assertAtRest(ground, role, args);
    const adopted = await stage().nextRun(stage().resource("Role"));
    await adopted.up({ ...base, name: role.name, adopt: true });
    assert.ok(!("password" in adopted.outputs));
    assert.equal(adopted.outputs["noLogin"], true);
  });

  test("is replaced by another name or branch with the new one first, by noLogin with the old one first", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const role = stage().resource("Role");
    // Made before the role is there, it has no copy of it.
    const branch = await stage().branch(base.projectId);
    await role.up(base);
    const renamed = { ...base, name: `${role.name}/2` };
    const encoded = encodeURIComponent(renamed.name);
    assert.deepEqual(await ground.sentBy(() => role.up(renamed)), ["POST /roles", `DELETE /roles/${role.name}`]);
    assert.equal(role.id, `${base.projectId}/${base.branchId}/${encoded}`);
    assert.match(await role.warning(), /^Changing `name` replaces this role\. .* another password/);
    assert.deepEqual(await ground.sentBy(() => role.up({ ...renamed, noLogin: true })), [
      `DELETE /roles/${encoded}`,
      "POST /roles",
    ]);
    assert.ok(!("password" in role.outputs));
    assert.equal(await role.up({ ...renamed, branchId: branch.id }), "replace");
    assert.equal(role.plan?.deleteBeforeReplace, false);
    assert.equal(role.outputs["branchId"], branch.id);
  });

  for (const name of ["a/b", "50% off", "%2F", "größe 名前?#"]) {
    test(`is found by a name with any characters in it: ${name}`, async () => {
      const ground = await Ground.on(stage());
      const role = stage().resource("Role");
      const args = { ...ground.base, name };
      await role.up(args);
      assert.equal(role.id, `${args.projectId}/${args.branchId}/${encodeURIComponent(name)}`);
      await assertAtRest(ground, role, args);
      await role.up({ ...args, passwordTrigger: "1" });
      assert.equal(role.outputs["password"], await ground.passwordOf(name));
      const read = await stage().server.read("Role", role.id, { __neon: { urn: urnOf("Role", "looked-up") } });
      assert.equal(read.outputs["name"], name);
      assert.equal(read.outputs["password"], role.outputs["password"]);
      await role.destroy();
      assert.ok(!(await ground.exists(ground.role(name))));
    });
  }

  test("§6.20 is offered when one of that name is there already, with the line that heals it", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const role = stage().resource("Role");
    const name = "team/app";
    await ground.call("POST", ground.role(), { role: { name } });
    const args = { ...base, name };
    const id = `${base.projectId}/${base.branchId}/team%2Fapp`;
    await assert.rejects(role.up(args), failsWith(`A role with this name already exists: ${id}`, `adopt: "${id}"`));
    assert.equal(role.state, undefined);
    await role.up({ ...args, adopt: id });
    assert.equal(role.id, id);
    assert.equal(role.outputs["password"], await ground.passwordOf(name));
    await assertAtRest(ground, role, { ...args, adopt: id });
    const other = await stage().nextRun(stage().resource("Role"));
    await other.up({ ...args, adopt: name });
    assert.equal(other.id, id);
  });

  test("is made with adopt: true where there is none, and not with a name that nothing has", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const role = stage().resource("Role");
    await role.up({ ...base, adopt: true });
    assert.ok(await ground.exists(ground.role(role.name)));
    const other = stage().resource("Role");
    await assert.rejects(other.up({ ...base, adopt: "nobody" }), failsWith('There is no role "nobody" to adopt'));
    const wrong = stage().resource("Role");
    await assert.rejects(
      wrong.up({ ...base, name: "app", adopt: "neondb_owner" }),
      failsWith("cannot be adopted", '`name` (now "neondb_owner")'),
    );
    await assert.rejects(
      wrong.up({ ...base, name: "neondb_owner", adopt: true, noLogin: true }),
      failsWith("cannot be adopted", "noLogin"),
    );
  });

  test("that came with the project is released, and one that did not is deleted, on any branch", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    await ground.call("POST", ground.role(), { role: { name: "later" } });
    const branch = await stage().branch(base.projectId);
    const later = await stage().anotherServer();
    after(() => later.stop());
    const adopted = async (args: Values): Promise<EngineResource> => {
      const role = stage().resource("Role");
      await role.up({ ...base, ...args, adopt: true });
      // What a run has taken over it does not delete.
      role.server = later;
      return role;
    };
    const born = await adopted({ name: "neondb_owner" });
    assert.deepEqual(await ground.sentBy(() => born.destroy()), []);
    assert.equal(
      await born.warning(),
      "The role neondb_owner came with its project and goes only with it. It was removed from the Pulumi state but not deleted.",
    );
    assert.ok(await ground.exists(ground.role("neondb_owner")));
    const own = await adopted({ name: "later" });
    await own.destroy();
    assert.ok(!(await ground.exists(ground.role("later"))));
    // A copy on another branch is nothing that a project was born with.
    const copy = await adopted({ name: "later", branchId: branch.id });
    await copy.destroy();
    assert.deepEqual(copy.said("warning"), []);
    assert.ok(!(await ground.exists(ground.role("later").replace(base.branchId, branch.id))));
  });

  test("§6.18 that was deleted by someone else is gone after a refresh, and made again by the next up", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const role = stage().resource("Role");
    await role.up(base);
    await ground.call("DELETE", ground.role(role.name));
    assert.equal(await role.refresh(), "gone");
    assert.equal(await role.up(base), "create");
    assert.equal(role.outputs["password"], await ground.passwordOf(role.name));
  });

  test("keeps its password under an authentication method that is not known yet", async () => {
    const ground = await Ground.on(stage());
    const role = stage().resource("Role");
    await role.up(ground.base);
    const { password } = role.outputs;
    const { role: now } = await ground.call("GET", ground.role(role.name));
    const body = { role: { ...now, authentication_method: "scram_2030" } };
    await stage().platform.fault({ method: "GET", path: `/roles/${role.name}$`, status: 200, body });
    await role.refresh();
    assert.deepEqual([role.outputs["authenticationMethod"], role.outputs["password"]], ["scram_2030", password]);
  });

  test("that someone has deleted and made again has its new password after a refresh", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const role = stage().resource("Role");
    await role.up(base);
    const { password } = role.outputs;
    await ground.call("DELETE", ground.role(role.name));
    // Its time is known to the second only.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await ground.call("POST", ground.role(), { role: { name: role.name } });
    assert.equal(await role.refresh(), "same");
    assert.notEqual(role.outputs["password"], password);
    assert.equal(role.outputs["password"], await ground.passwordOf(role.name));
    await assertAtRest(ground, role, base);
  });

  test("§6.12 that owns databases is not deleted, says which, and goes when they have another owner", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const role = stage().resource("Role");
    await role.up(base);
    for (const name of ["shop", "stock"]) {
      await ground.call("POST", ground.database(), { database: { name, owner_name: role.name } });
    }
    await assert.rejects(
      role.destroy(),
      failsWith(
        `The role ${role.name} owns the databases "shop", "stock" and was not deleted. Give them another owner (\`ownerName\`)`,
        "HTTP 422",
      ),
    );
    assert.ok(role.state);
    assert.ok(await ground.exists(ground.role(role.name)));
    for (const name of ["shop", "stock"]) {
      await ground.call("PATCH", ground.database(name), { database: { owner_name: "neondb_owner" } });
    }
    await role.destroy();
    assert.ok(!(await ground.exists(ground.role(role.name))));
  });

  test("is renamed with a database that it owns: the new role first, then the database, the old role last", async () => {
    const ground = await Ground.on(stage());
    const { base } = ground;
    const role = stage().resource("Role");
    const database = stage().resource("Database");
    await role.up({ ...base, name: "old" });
    await database.up({ ...base, ownerName: role.outputs["name"] });
    const renamed = { ...base, name: "new" };
    const sent = await ground.sentBy(async () => {
      assert.equal(await role.up(renamed, { deletesLater: true }), "replace");
      assert.equal(await database.up({ ...base, ownerName: role.outputs["name"] }), "update");
      await role.deleteReplaced();
    });
    assert.deepEqual(sent, ["POST /roles", `PATCH /databases/${database.name}`, "DELETE /roles/old"]);
    assert.deepEqual([await ground.exists(ground.role("old")), await ground.exists(ground.role("new"))], [false, true]);
    const body = await ground.call("GET", ground.database(database.name));
    assert.equal(body.database.owner_name, "new");
    await assertAtRest(ground, role, renamed);
  });

  test("with a name or a trigger that cannot be is refused before anything is sent", async () => {
    const base = { projectId: "some-project-1", branchId: "br-some-branch-1" };
    const role = stage().resource("Role");
    const tooLong = "must be at most 63 bytes long in UTF-8";
    const cases: readonly (readonly [Values, string, string])[] = [
      [{ name: "é".repeat(32) }, "name", tooLong],
      [{ name: "a".repeat(64) }, "name", tooLong],
      [{ name: "" }, "name", "must be at least 1 character long"],
      [{ name: "a\0b" }, "name", "must not contain a NUL character"],
      [{ name: ".." }, "name", 'must not be "." or ".."'],
      [
        { name: "pgadmin" },
        "name",
        'is reserved: the name must not start with "pg" or be one of neon_superuser, cloud_admin, zenith_admin, public, none',
      ],
      [
        { noLogin: true, passwordTrigger: "1" },
        "passwordTrigger",
        "is of no use with noLogin: a role that cannot log in has no password",
      ],
      [{ projectId: undefined }, "projectId", "is required"],
      [{ branchId: undefined }, "branchId", "is required"],
      [
        { password: "hunter2" },
        "password",
        "there is no such property here; there are projectId, branchId, name, noLogin, passwordTrigger, adopt",
      ],
    ];
    for (const [args, property, reason] of cases) {
      await assert.rejects(role.up({ ...base, ...args }), (error) => {
        assert.ok(error instanceof CheckError);
        assert.deepEqual(error.failures, [{ property, reason }]);
        return true;
      });
    }
    assert.deepEqual(await stage().requests(base.projectId), []);
    // What is not known yet is not judged, and a name of 63 bytes, or of one that is there already, is fine.
    for (const args of [
      { branchId: unknownText, name: unknownText },
      { name: `${"é".repeat(31)}x` },
      { name: "pgadmin", adopt: true },
    ]) {
      assert.equal((await role.preview({ ...base, ...args })).step, "create");
    }
  });
});

describe("a role whose change does not go well", () => {
  const home = mkdtempSync(join(tmpdir(), "neon-pulumi-home-"));
  after(() => rmSync(home, { recursive: true, force: true }));
  const test = onStages(3, { home });

  for (const store of [true, false]) {
    const where = store ? "" : ", where no passwords are stored";

    test(`§6.6 is found when the answer that made it is lost, with a password that works${where}`, async (stage) => {
      const ground = await Ground.on(stage, { store_passwords: store });
      const { base } = ground;
      const role = stage.resource("Role");
      await stage.platform.fault({ method: "POST", path: "/roles$", reset: "after" });
      const sent = await ground.sentBy(() => role.up(base));
      const reset = `POST /roles/${role.name}/reset_password`;
      assert.deepEqual(sent, ["POST /roles", ...(store ? [] : [reset])]);
      assert.match(String(role.outputs["password"]), /^npg_/);
      if (store) assert.equal(role.outputs["password"], await ground.passwordOf(role.name));
      await assertAtRest(ground, role, base);
    });

    test(`is reset once more or not when that answer is lost: its password is known in the end${where}`, async (stage) => {
      const ground = await Ground.on(stage, { store_passwords: store });
      const { base } = ground;
      const role = stage.resource("Role");
      await role.up(base);
      const { password } = role.outputs;
      const reset = `POST /roles/${role.name}/reset_password`;
      await stage.platform.fault({ method: "POST", path: "/reset_password$", reset: "after" });
      const args = { ...base, passwordTrigger: "1" };
      const sent = await ground.sentBy(() => role.up(args));
      // Where it can be compared, one reset is enough; where it cannot, only another one tells.
      assert.deepEqual(sent, store ? [reset] : [reset, reset]);
      assert.notEqual(role.outputs["password"], password);
      assert.match(String(role.outputs["password"]), /^npg_/);
      if (store) assert.equal(role.outputs["password"], await ground.passwordOf(role.name));
      await assertAtRest(ground, role, args);
    });
  }

  test("is reset again by the next up when a reset has ended badly", async (stage) => {
    const ground = await Ground.on(stage);
    const { base } = ground;
    const role = stage.resource("Role");
    await role.up(base);
    const args = { ...base, passwordTrigger: "1" };
    await stage.platform.fault({ action: "apply_config", end: "error" });
    await assert.rejects(role.up(args), failsWith("(apply_config) ended with status error"));
    assert.equal(await role.up(args), "update");
    assert.equal(role.outputs["password"], await ground.passwordOf(role.name));
    await assertAtRest(ground, role, args);
  });

  test("keeps the password of a reset that takes longer than the time for it", async (stage) => {
    const ground = await Ground.on(stage);
    const { base } = ground;
    const role = stage.resource("Role");
    await role.up(base);
    const { password: old } = role.outputs;
    const args = { ...base, passwordTrigger: "1" };
    await stage.platform.fault({ action: "apply_config", end: "stuck" });
    await assertTimesOut(ground, () => role.up(args, { timeouts: { update: "1s" } }), 1);
    const { password } = role.outputs;
    assert.notEqual(password, old);
    assert.equal(await ground.passwordOf(role.name), old);
    await stage.platform.clearFaults();
    const sent = await ground.sentBy(async () => assert.equal(await role.up(args), "update"));
    assert.deepEqual(sent, []);
    assert.equal(role.outputs["password"], password);
    assert.equal(await ground.passwordOf(role.name), password);
    await assertAtRest(ground, role, args);
  });

  test("is reset by a trigger that changes while an earlier reset is still under way, when that is over", async (stage) => {
    const ground = await Ground.on(stage);
    const { base } = ground;
    const role = stage.resource("Role");
    await role.up(base);
    const impatient = { timeouts: { update: "400ms" } };
    await stage.platform.fault({ action: "apply_config", end: "stuck" });
    await assert.rejects(role.up({ ...base, passwordTrigger: "1" }, impatient), failsWith("Timed out after"));
    const args = { ...base, passwordTrigger: "2" };
    await assert.rejects(role.up(args, impatient), failsWith("Timed out after"));
    await stage.platform.clearFaults();
    const sent = await ground.sentBy(async () => assert.equal(await role.up(args), "update"));
    assert.deepEqual(sent, [`POST /roles/${role.name}/reset_password`]);
    assert.equal(role.outputs["password"], await ground.passwordOf(role.name));
    await assertAtRest(ground, role, args);
  });

  for (const noLogin of [false, true]) {
    const how = noLogin ? "made anew, as it cannot log in" : "given another password, which puts it in place";
    test(`is ${how}, when its creation has ended badly`, async (stage) => {
      const ground = await Ground.on(stage);
      const { base } = ground;
      const role = stage.resource("Role");
      const args = { ...base, noLogin };
      await stage.platform.fault({ action: "apply_config", end: "error" });
      await assert.rejects(
        role.up(args),
        failsWith("(apply_config) ended with status error", noLogin ? "makes it anew" : "resumes from here"),
      );
      const sent = await ground.sentBy(() => role.up(args));
      assert.deepEqual(
        sent,
        noLogin ? [`DELETE /roles/${role.name}`, "POST /roles"] : [`POST /roles/${role.name}/reset_password`],
      );
      if (!noLogin) assert.equal(role.outputs["password"], await ground.passwordOf(role.name));
      assert.equal(role.outputs["noLogin"], noLogin);
      await assertAtRest(ground, role, args);
    });
  }

  test("stays in the state while its deletion ends badly, and goes with the next one", async (stage) => {
    const ground = await Ground.on(stage);
    const { base } = ground;
    const role = stage.resource("Role");
    await role.up(base);
    await stage.platform.fault({ action: "apply_config", end: "error" });
    await assert.rejects(role.destroy(), failsWith("(apply_config) ended with status error"));
    assert.ok(role.state && (await ground.exists(ground.role(role.name))));
    // What an earlier attempt has begun to delete, and what then is there after all.
    await stage.platform.fault({ method: "DELETE", path: "/roles/", status: 204 });
    await assert.rejects(role.destroy(), failsWith(`The role ${role.name} is there again`));
    // Another deletion that is under way is waited for.
    await stage.platform.fault({ action: "apply_config", end: "stuck" });
    await stage.platform.call("DELETE", ground.role(role.name));
    const requests = async () => (await stage.requests("/operations")).length;
    const before = await requests();
    let isDestroyed = false;
    const destroyed = role.destroy().then(() => (isDestroyed = true));
    // One request finds the operation; from the next one on, the provider waits for it.
    await Promise.race([destroyed, until(async () => (await requests()) > before + 1)]);
    assert.ok(!isDestroyed);
    await stage.platform.clearFaults();
    await destroyed;
    assert.ok(!(await ground.exists(ground.role(role.name))));
  });

  for (const store of [true, false]) {
    const where = store ? "" : ", and gets a password that is known where none are stored";
    test(`§6.8 is taken over by the next run when this one is killed while it makes it${where}`, async (stage) => {
      const ground = await Ground.on(stage, { store_passwords: store });
      const { base } = ground;
      const server = await stage.anotherServer({ home });
      const killed = new EngineResource(server, "Role", stage.name("role"));
      await stage.platform.fault({ action: "apply_config", end: "stuck" });
      // It never ends well: its process is killed.
      killed.up(base).catch(() => undefined);
      await until(() => ground.exists(ground.role(killed.name)));
      await server.stop("SIGKILL");
      await stage.platform.clearFaults();
      const role = stage.resource("Role", killed.name);
      const sent = await ground.sentBy(async () => assert.equal(await role.up(base), "create"));
      assert.deepEqual(sent, store ? [] : [`POST /roles/${role.name}/reset_password`]);
      assert.match(await role.warning(), /^An interrupted run created the role /);
      assert.match(String(role.outputs["password"]), /^npg_/);
      if (store) assert.equal(role.outputs["password"], await ground.passwordOf(role.name));
      await assertAtRest(ground, role, base);
      await role.destroy();
      assert.ok(await ground.exists(ground.role("neondb_owner")));
    });
  }

  test("§6.23 never tells a password outside its secret output", async (stage) => {
    const ground = await Ground.on(stage);
    const { base } = ground;
    const server = await stage.anotherServer({ config: { logLevel: "debug" } });
    const role = new EngineResource(server, "Role", stage.name("role"));
    const passwords = new Set<string>();
    const told: string[] = [];
    const note = () => {
      const { password, ...others } = role.outputs;
      passwords.add(String(password));
      told.push(role.id, JSON.stringify(others), JSON.stringify(role.present.inputs), ...role.present.failed);
    };
    await role.up({ ...base, passwordTrigger: "1" });
    note();
    await stage.platform.fault({ action: "apply_config", end: "error" });
    await assert.rejects(role.up({ ...base, passwordTrigger: "2" }), (error: Error) => told.push(error.message) > 0);
    note();
    await role.up({ ...base, passwordTrigger: "2" });
    note();
    await stage.platform.fault({ method: "POST", path: "/reset_password$", reset: "after" });
    await role.up({ ...base, passwordTrigger: "3" });
    await role.refresh();
    note();
    const body = await ground.call("GET", ground.role(role.name));
    const unreadable = { role: { ...body.role, name: 5, password: [...passwords][0] }, operations: [] };
    await stage.platform.fault({ method: "GET", path: "/roles/", status: 200, body: unreadable });
    await assert.rejects(role.refresh(), (error: Error) => told.push(error.message) > 0);
    await role.destroy();
    told.push(server.output, ...server.lines.map(({ text }) => text));
    await server.stop();
    assert.ok(passwords.size >= 3);
    assert.match(server.output, /neon: POST \/projects\S+\/roles 201/);
    for (const text of told)
      for (const password of passwords) assert.ok(!text.includes(password), "a password was told");
  });
});
