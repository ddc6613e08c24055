import assert from "node:assert/strict";

import { beforeEach, describe, it } from "mocha";

import type { Gate } from "../reliability/kills/gate";
import type { Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import { BranchFixture } from "../support/branch-fixture";
import { entriesOf, journalIn } from "../support/journal";
import { AdjustableClock } from "../support/platform-clock";
import { suiteRuns } from "../support/runs";
import { suiteStage } from "../support/stage";
import { until } from "../support/until";

const clock = new AdjustableClock();
const stage = suiteStage({ clock });
const runs = suiteRuns(stage);
let gate: Gate;

beforeEach(async () => {
  gate = await runs().gate();
});

/** How another stack on this machine creates an object: its operations do not end before `finish`. */
interface InProgress {
  readonly resource: EngineResource;
  readonly finish: () => Promise<void>;
}

/** A resource of a stack of another backend has been created, and its run waits for the operations. */
async function beingCreated(kind: "Role" | "Database" | "Snapshot", name: string, args: Values): Promise<InProgress> {
  const resource = stage().resource(kind, name);
  const place = runs().place({ backend: runs().folders.backend("second") });
  resource.server = await runs().startDirectly(place);
  const action = kind === "Snapshot" ? "timeline_mark_invisible" : "apply_config";
  await stage().platform.fault({ action, end: "stuck" });
  const done = resource.up(args);
  const journal = journalIn(place.home);
  await until(() => entriesOf(journal, resource.urn).some(({ content }) => content["objectId"] !== undefined));
  return {
    resource,
    finish: async () => {
      await stage().platform.clearFaults();
      await done;
    },
  };
}

describe("an object that another stack of this machine is creating", () => {
  for (const kind of ["Role", "Database", "Snapshot"] as const) {
    it(`is not taken for the result of a lost request: ${kind}`, async () => {
      const fixture = await BranchFixture.on(stage());
      const args = { ...fixture.base, ...(kind === "Database" ? { ownerName: "neondb_owner" } : {}) };
      const ours = stage().resource(kind);
      ours.server = await runs().start();
      const held = gate.holdNextChange();
      const created = ours.up({ ...args, name: "same" });
      created.catch(() => undefined);
      await held.arrived;
      const theirs = await beingCreated(kind, `${ours.name}-theirs`, { ...args, name: "same" });
      held.drop();
      const journal = journalIn(runs().place().home);
      await until(() => gate.passed.filter(({ method }) => method === "GET").length > 3);
      await theirs.finish();
      if (kind === "Snapshot") await created.catch(() => undefined);
      else await assert.rejects(created, /already exists/);
      assert.notEqual(ours.state?.id, theirs.resource.id);
      assert.deepEqual(
        entriesOf(journal, ours.urn).filter(({ content }) => content["objectId"] === theirs.resource.id),
        [],
      );
      assert.equal(await theirs.resource.refresh(), "same");
    });
  }

  it("is not taken over by a refresh in place of one of the same name", async () => {
    const fixture = await BranchFixture.on(stage());
    const ours = stage().resource("Role");
    await ours.up({ ...fixture.base, name: "same" });
    await fixture.call("DELETE", fixture.role("same"));
    // Times of roles have whole seconds.
    clock.putForward(1_100);
    const theirs = await beingCreated("Role", `${ours.name}-theirs`, { ...fixture.base, name: "same" });
    ours.server = await runs().startDirectly(runs().place());
    assert.equal(await ours.refresh(), "gone");
    assert.match(ours.warning, /which another stack manages/);
    await theirs.finish();
    assert.equal(await theirs.resource.refresh(), "same");
  });
});

describe("a role that appears when the response to its creation is lost", () => {
  it("is taken for the result, with a warning", async () => {
    const fixture = await BranchFixture.on(stage());
    const role = stage().resource("Role");
    role.server = await runs().start();
    gate.intercept({
      number: 1,
      changesOnly: true,
      place: "before its answer",
      act: () => {
        gate.intercept(undefined);
        return Promise.reject(new Error("its response is lost"));
      },
    });
    assert.equal(await role.up(fixture.base), "create");
    assert.match(role.warning, /appeared when a request was sent whose response is lost, and is as declared/);
  });
});
