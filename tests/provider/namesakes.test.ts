import assert from "node:assert/strict";

import { afterEach, describe, it } from "mocha";

import type { Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { assertSays } from "../support/expected-errors";
import { BranchFixture } from "../support/branch-fixture";
import { overtaking } from "../support/overtaken";
import { AdjustableClock } from "../support/platform-clock";
import { sharedRuns } from "../support/runs";
import { suiteStage } from "../support/stage";
import { suite } from "../support/suite";

const clock = new AdjustableClock();
const stage = suiteStage({ clock });
const runs = sharedRuns(stage);
const gate = suite(() => runs().gate());
const server = suite(() => runs().start());
const overtaken = overtaking(stage, gate);
afterEach(() => stage().platform.clearFaults());

const changed = /is not the one in the state .* but another one of the same name/;

for (const kind of ["Role", "Database"] as const) {
  describe(`a ${kind} of the same name that another program creates`, () => {
    it("while the request that deletes ours is lost, is not deleted", async () => {
      const { resource, args, replaceByAnother, exists } = await namedBy(kind);
      await resource.up(args);
      await overtaken("is lost", replaceByAnother, () => resource.destroy());
      assert.ok(await exists());
    });

    it("while the delete of ours waits for the project, is not deleted", async () => {
      const { resource, args, replaceByAnother, exists } = await namedBy(kind);
      await resource.up(args);
      const destroyed = overtaken("waits", replaceByAnother, () => resource.destroy());
      await assert.rejects(destroyed, changed);
      assert.ok(await exists());
    });

    it("while the update of ours waits for the project, is not changed", async () => {
      const { resource, args, other, replaceByAnother, inForce } = await namedBy(kind);
      await resource.up(args);
      let before = "";
      const theirs = async () => {
        await replaceByAnother();
        before = await inForce();
      };
      const updated = overtaken("waits", theirs, () => resource.up(other));
      await assert.rejects(updated, changed);
      assert.equal(await inForce(), before);
    });

    it("in place of the one in the state, is neither changed by up nor deleted by destroy", async () => {
      const { resource, args, other, replaceByAnother, exists } = await namedBy(kind);
      await resource.up(args);
      await replaceByAnother();
      await assert.rejects(resource.up(other), changed);
      await resource.destroy();
      assertSays(resource.warning, "was not deleted: it is not the one in the state", /another one of the same name/);
      assert.ok(await exists());
    });

    for (const step of ["creation", "update"] as const) {
      it(`after the ${step} of ours has failed, is neither changed by the next up nor deleted by destroy`, async () => {
        const { resource, args, other, replaceByAnother, inForce, exists } = await namedBy(kind);
        if (step === "update") await resource.up(args);
        await stage().platform.fault({ action: "apply_config", end: "error" });
        await assert.rejects(resource.up(other), /a scripted fault/);
        await stage().platform.clearFaults();
        await replaceByAnother();
        const before = await inForce();
        for (const attempt of ["first", "second"]) await assert.rejects(resource.up(other), changed, attempt);
        assert.equal(await inForce(), before);
        await resource.destroy();
        assert.match(resource.warning, /was not deleted: it is not the one in the state/);
        assert.ok(await exists());
      });
    }

    it("is taken by a refresh, with a warning", async () => {
      const { resource, args, replaceByAnother, inForce, exists } = await namedBy(kind);
      await resource.up(args);
      await replaceByAnother();
      assert.equal(await resource.refresh(), "same");
      assert.equal(resource.outputs[kind === "Role" ? "password" : "ownerName"], await inForce());
      assert.match(resource.warning, /The state holds this one now\. If another stack manages it, remove the resource/);
      assert.equal(resource.said("warning").length, 1);
      assert.ok(await exists());
    });
  });
}

describe("a database of the same name that another program creates with another owner", () => {
  it("while the request that creates ours is lost, is not taken for its result", async () => {
    const { resource, args, other, createAnother } = await namedBy("Database");
    const theirs = () => createAnother({ owner_name: other["ownerName"] });
    const created = overtaken("is lost", theirs, () => resource.up(args));
    await assert.rejects(created, /already exists/);
  });
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
