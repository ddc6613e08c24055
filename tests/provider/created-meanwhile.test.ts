import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { KindName } from "../../provider/v1";
import type { Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import { BranchFixture } from "../support/branch-fixture";
import { entriesOf, journalIn } from "../support/journal";
import { AdjustableClock } from "../support/platform-clock";
import { suiteGate, suiteRuns } from "../support/runs";
import { suiteStage } from "../support/stage";
import { until } from "../support/until";

const clock = new AdjustableClock();
const stage = suiteStage({ clock });
const runs = suiteRuns(stage);
const gate = suiteGate(runs);

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
      const held = gate().holdNextChange();
      const created = ours.up({ ...args, name: "same" });
      created.catch(() => undefined);
      await held.arrived;
      const theirs = await beingCreated(kind, `${ours.name}-theirs`, { ...args, name: "same" });
      held.drop();
      const journal = journalIn(runs().place().home);
      await until(() => gate().passed.filter(({ method }) => method === "GET").length > 3);
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

/** Creates a resource up to the moment in which the platform has performed the request and its response is on its way. */
async function performed(resource: EngineResource, args: Values, number = 1): Promise<void> {
  const arrived = new Promise<void>((resolve) => {
    const act = (): Promise<void> => {
      resolve();
      return new Promise(() => undefined);
    };
    gate().intercept({ number, changesOnly: true, place: "before its answer", act });
  });
  resource.up(args).catch(() => undefined);
  await arrived;
  gate().intercept(undefined);
}

describe("a killed run whose responses were lost", () => {
  for (const kind of ["Snapshot", "Role"] as const) {
    it(`has its objects recovered, although it created several of one kind: ${kind}`, async () => {
      const fixtures = [await BranchFixture.on(stage()), await BranchFixture.on(stage())];
      const killed = fixtures.map(() => stage().resource(kind));
      const server = await runs().start();
      for (const [index, resource] of killed.entries()) {
        resource.server = server;
        await performed(resource, { ...fixtures[index]?.base });
      }
      await runs().end(server, "SIGKILL");
      for (const { base } of fixtures) await stage().platform.settled(base.projectId);
      const next = killed.map(({ name }) => stage().resource(kind, name));
      const changes = await runs().changesBy(() =>
        runs().run(next, async () => {
          for (const [index, resource] of next.entries()) await resource.up({ ...fixtures[index]?.base });
        }),
      );
      assert.deepEqual(changes, []);
      for (const resource of next) assert.match(resource.warning, /It was recovered\.$/);
    });
  }

  it("has its object recovered, although the request had waited for more than a minute", async () => {
    const fixture = await BranchFixture.on(stage());
    const killed = stage().resource("Role");
    killed.server = await runs().start();
    await stage().platform.fault({ method: "POST", path: `^${fixture.role()}$`, status: 423, times: 2 });
    const third = performed(killed, fixture.base, 3);
    await until(() => gate().passed.some(({ status }) => status === 423));
    clock.putForward(90_000);
    await third;
    await runs().end(killed.server, "SIGKILL");
    await stage().platform.settled(fixture.base.projectId);
    const next = stage().resource("Role", killed.name);
    await runs().run([next], () => next.up(fixture.base));
    assert.match(next.warning, /It was recovered\.$/);
  });

  it("has its object recovered, although another stack has adopted one of another name since", async () => {
    const [fixture, other] = [await BranchFixture.on(stage()), await BranchFixture.on(stage())];
    const killed = stage().resource("Role");
    killed.server = await runs().start();
    await performed(killed, fixture.base);
    await runs().end(killed.server, "SIGKILL");
    await stage().platform.settled(fixture.base.projectId);
    const adopting = stage().resource("Role");
    const elsewhere = runs().place({ backend: runs().folders.backend("second") });
    const owner = { ...other.base, name: "neondb_owner", adopt: true };
    await runs().run([adopting], () => adopting.up(owner), elsewhere);
    const next = stage().resource("Role", killed.name);
    await runs().run([next], () => next.up(fixture.base));
    assert.match(next.warning, /It was recovered\.$/);
  });

  it("of another stack does not keep ours from changing and deleting the compute of a branch", async () => {
    const fixture = await BranchFixture.on(stage());
    const killed = stage().resource("Endpoint");
    const elsewhere = runs().place({ backend: runs().folders.backend("second") });
    killed.server = await runs().start(elsewhere);
    await performed(killed, { ...fixture.base, type: "read_only" });
    await runs().end(killed.server, "SIGKILL");

    const { projectId } = (await BranchFixture.on(stage())).base;
    const branch = stage().resource("Branch");
    const computes = (): Promise<readonly unknown[]> => stage().computes(projectId, String(branch.outputs["branchId"]));
    await runs().run([branch], async () => {
      await branch.up({ projectId, compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 } });
      await branch.up({ projectId, compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 } });
      assert.equal((await computes()).length, 1);
      await branch.up({ projectId });
      assert.deepEqual(await computes(), []);
    });
  });
});

describe("a role that appears when the response to its creation is lost", () => {
  it("is taken for the result, with a warning", async () => {
    const fixture = await BranchFixture.on(stage());
    const role = stage().resource("Role");
    role.server = await runs().start();
    gate().intercept({
      number: 1,
      changesOnly: true,
      place: "before its answer",
      act: () => {
        gate().intercept(undefined);
        return Promise.reject(new Error("its response is lost"));
      },
    });
    assert.equal(await role.up(fixture.base), "create");
    assert.match(role.warning, /appeared when a request was sent whose response is lost, and is as declared/);
  });
});

describe("a killed creation whose request has not taken effect when the next run creates", () => {
  const warning =
    /^An interrupted run of this stack sent a request for this (project|API key) at \S+, which can still take effect/;

  /** The warnings of the next run, some time after the request was sent. */
  async function warningsAfter(kind: KindName, args: Values, later = 0): Promise<readonly string[]> {
    const killed = stage().resource(kind);
    killed.server = await runs().start();
    const held = gate().holdNextChange();
    killed.up(args).catch(() => undefined);
    await held.arrived;
    await runs().end(killed.server, "SIGKILL");
    held.drop();
    clock.putForward(later);
    const next = stage().resource(kind, killed.name);
    await runs().run([next], async () => assert.equal(await next.up(args), "create"));
    assert.deepEqual(entriesOf(journalIn(runs().place().home), next.urn), []);
    return next.said("warning");
  }

  for (const kind of ["Project", "ApiKey"] as const) {
    it(`is named in a warning: ${kind}`, async () => {
      const [first = "", ...more] = await warningsAfter(kind, {});
      assert.match(first, warning);
      assert.deepEqual(more, []);
    });

    it(`is over after a minute: ${kind}`, async () => {
      assert.deepEqual(await warningsAfter(kind, {}, 90_000), []);
    });
  }

  it("is not named if only one object can have the name", async () => {
    const fixture = await BranchFixture.on(stage());
    assert.deepEqual(await warningsAfter("Role", fixture.base), []);
  });
});
