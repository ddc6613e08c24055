import assert from "node:assert/strict";

import { afterEach, describe, it } from "mocha";

import type { Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { assertSays } from "../support/expected-errors";
import { BranchFixture } from "../support/branch-fixture";
import { suiteGated } from "../support/gated";
import { HurriedClock } from "../support/hurried-clock";
import { suiteStage } from "../support/stage";

const clock = new HurriedClock();
const stage = suiteStage({ clock });
const { server, overtaken } = suiteGated(stage);
afterEach(() => stage().platform.clearFaults());

const changed = /is not the one in the state .* but another one of the same name/;

for (const kind of ["Role", "Database"] as const) {
  describe(`another ${kind} of the id in the state`, () => {
    for (const fate of ["is lost", "waits"] as const) {
      it(`is not deleted if it appears while the request that deletes ours ${fate}`, async () => {
        const { resource, args, replaceByAnother, exists } = await namedBy(kind);
        await resource.up(args);
        const destroyed = overtaken(fate, replaceByAnother, () => resource.destroy());
        if (fate === "waits") await assert.rejects(destroyed, changed);
        else await destroyed;
        assert.ok(await exists());
      });
    }

    it("is not changed if it appears while the update of ours waits for the project", async () => {
      const { resource, args, other, replaceByAnother, inForce } = await namedBy(kind);
      await resource.up(args);
      let before = "";
      const theirs = async () => {
        await replaceByAnother();
        before = await inForce();
      };
      await assert.rejects(
        overtaken("waits", theirs, () => resource.up(other)),
        changed,
      );
      assert.equal(await inForce(), before);
    });

    for (const failed of ["nothing", "the creation", "the update"] as const) {
      it(`is neither changed by up nor deleted by destroy after ${failed} of ours has failed`, async () => {
        const { resource, args, other, replaceByAnother, inForce, exists } = await namedBy(kind);
        if (failed !== "the creation") await resource.up(args);
        if (failed !== "nothing") {
          await stage().platform.fault({ action: "apply_config", end: "error" });
          await assert.rejects(resource.up(other), /a scripted fault/);
          await stage().platform.clearFaults();
        }
        await replaceByAnother();
        const before = await inForce();
        for (const attempt of ["first", "second"]) await assert.rejects(resource.up(other), changed, attempt);
        assert.equal(await inForce(), before);
        await resource.destroy();
        assertSays(resource.warning, "was not deleted: it is not the one in the state", /another one of the same name/);
        assert.ok(await exists());
      });
    }

    it("is taken by a refresh, with a warning", async () => {
      const { resource, args, replaceByAnother, inForce } = await namedBy(kind);
      await resource.up(args);
      await replaceByAnother();
      assert.equal(await resource.refresh(), "same");
      assert.equal(resource.outputs[kind === "Role" ? "password" : "ownerName"], await inForce());
      const [warning = "", ...more] = resource.said("warning");
      const told = kind === "Role" ? String.raw`\(created at 20\S+Z\)` : String.raw`\(number \d+\)`;
      assertSays(
        warning,
        new RegExp(`${told}, but another one of the same name ${told}\\. The state holds this one now\\.`),
        "If another stack manages it, remove the resource",
      );
      assert.deepEqual(more, []);
    });
  });
}

it("a database with another owner is not taken for the result of a request that is lost", async () => {
  const { resource, args, other, createAnother } = await namedBy("Database");
  const theirs = () => createAnother({ owner_name: other["ownerName"] });
  const created = overtaken("is lost", theirs, () => resource.up(args));
  await assert.rejects(created, /already exists/);
});

/** A role or a database, and what another program does to the object of its name. */
interface Named {
  readonly resource: EngineResource;
  readonly args: Values;
  /** Another password or owner than `args`. */
  readonly other: Values;
  readonly createAnother: (members?: Values) => Promise<unknown>;
  readonly replaceByAnother: () => Promise<void>;
  readonly exists: () => Promise<boolean>;
  /** The password or the owner of the object. */
  readonly inForce: () => Promise<string>;
}

async function namedBy(kind: "Role" | "Database"): Promise<Named> {
  const fixture = await BranchFixture.on(stage());
  const resource = stage().resource(kind);
  resource.server = server();
  const { name } = resource;
  const isRole = kind === "Role";
  const [list, path] = isRole ? [fixture.role(), fixture.role(name)] : [fixture.database(), fixture.database(name)];
  const owner = isRole ? {} : { owner_name: "neondb_owner" };
  const createAnother = (members: Values = {}): Promise<unknown> =>
    fixture.call("POST", list, { [kind.toLowerCase()]: { name, ...owner, ...members } });
  const args = { ...fixture.base, ...(isRole ? {} : { ownerName: "neondb_owner" }) };
  return {
    resource,
    args,
    other: { ...args, ...(isRole ? { passwordTrigger: "other" } : { ownerName: await anotherOwner(fixture) }) },
    createAnother,
    replaceByAnother: async () => {
      await fixture.call("DELETE", path);
      // Times of roles have whole seconds.
      clock.putForward(1_100);
      await createAnother();
    },
    exists: () => fixture.exists(path),
    inForce: async () =>
      isRole ? await fixture.passwordOf(name) : (await fixture.call("GET", path)).database.owner_name,
  };
}

/** A role that can own a database. */
async function anotherOwner(fixture: BranchFixture): Promise<string> {
  const name = stage().name("owner");
  await fixture.call("POST", fixture.role(), { role: { name } });
  return name;
}
