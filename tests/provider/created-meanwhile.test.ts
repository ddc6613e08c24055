import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import type { Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { BranchFixture } from "../support/branch-fixture";
import { entriesOf } from "../support/journal";
import { AdjustableClock } from "../support/platform-clock";
import { sharedRuns } from "../support/runs";
import { suiteStage } from "../support/stage";
import { suite } from "../support/suite";
import { until } from "../support/until";

const clock = new AdjustableClock();
const stage = suiteStage({ clock });
const runs = sharedRuns(stage);
const gate = suite(() => runs().gate());
/** The run of our stack, behind the gate, and one of another stack at the same time. */
const ours = suite(() => runs().start());
const elsewhere = () => runs().place({ backend: runs().folders.backend("second") });
const theirs = suite(() => runs().startDirectly(elsewhere()));

/** What a run creates. */
interface Creation {
  readonly resource: EngineResource;
  readonly args: Values;
}

/** The same resource in the next run, whose state does not contain it. */
function again({ resource: { kind, name }, args }: Creation): Creation {
  return { resource: stage().resource(kind, name), args };
}

describe("an object that another stack of this machine is creating", () => {
  /** The other stack has created a resource and waits for the operations, which do not end before `finish`. */
  async function beingCreated(kind: "Role" | "Database" | "Snapshot", name: string, args: Values) {
    const resource = stage().resource(kind, name);
    resource.server = theirs();
    const action = kind === "Snapshot" ? "timeline_mark_invisible" : "apply_config";
    await stage().platform.fault({ action, end: "stuck" });
    const done = resource.up(args);
    await until(() => entriesOf(resource.journal, resource.urn).some(({ content }) => content["objectId"]));
    const finish = async () => {
      await stage().platform.clearFaults();
      await done;
    };
    return { resource, finish };
  }

  for (const kind of ["Role", "Database", "Snapshot"] as const) {
    it(`is not taken for the result of a lost request: ${kind}`, async () => {
      const { base } = await BranchFixture.on(stage());
      const args = { ...base, name: "same", ...(kind === "Database" ? { ownerName: "neondb_owner" } : {}) };
      const resource = stage().resource(kind);
      resource.server = ours();
      const held = gate().holdNextChange();
      const created = resource.up(args);
      created.catch(() => undefined);
      await held.arrived;
      const other = await beingCreated(kind, `${resource.name}-theirs`, args);
      gate().clear();
      held.drop();
      // It looks for the result of its request.
      await until(() => gate().passed.length > 1);
      await other.finish();
      if (kind === "Snapshot") await created.catch(() => undefined);
      else await assert.rejects(created, /already exists/);
      assert.notEqual(resource.state?.id, other.resource.id);
      const entries = entriesOf(resource.journal, resource.urn);
      assert.ok(entries.every(({ content }) => content["objectId"] !== other.resource.id));
      assert.equal(await other.resource.refresh(), "same");
    });
  }

  it("is not taken over by a refresh in place of one of the same name", async () => {
    const fixture = await BranchFixture.on(stage());
    const args = { ...fixture.base, name: "same" };
    const resource = stage().resource("Role");
    await resource.up(args);
    await fixture.call("DELETE", fixture.role("same"));
    // Times of roles have whole seconds.
    clock.putForward(1_100);
    const other = await beingCreated("Role", `${resource.name}-theirs`, args);
    resource.server = ours();
    assert.equal(await resource.refresh(), "gone");
    assert.match(resource.warning, /which another stack manages/);
    await other.finish();
    assert.equal(await other.resource.refresh(), "same");
  });

  it("and whose run was killed then does not keep ours from changing and deleting the compute of a branch", async () => {
    const killed = stage().resource("Endpoint");
    killed.server = await runs().start(elsewhere());
    const held = gate().holdNextAnswer();
    killed.up({ ...(await BranchFixture.on(stage())).base, type: "read_only" }).catch(() => undefined);
    await held.arrived;
    await runs().end(killed.server, "SIGKILL");

    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    branch.server = ours();
    const computes = () => stage().computes(projectId, String(branch.outputs["branchId"]));
    await branch.up({ projectId, compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 } });
    await branch.up({ projectId, compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 } });
    assert.equal((await computes()).length, 1);
    await branch.up({ projectId });
    assert.deepEqual(await computes(), []);
  });
});

describe("a compute that a killed run of another stack has created", () => {
  it("is neither changed nor deleted by the branch that has it now", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    branch.server = ours();
    const compute = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };
    await branch.up({ projectId, compute });
    const { branchId, endpointId } = branch.outputs;
    await stage().platform.call("DELETE", `/projects/${projectId}/endpoints/${String(endpointId)}`);
    await stage().settled(projectId);
    const endpoint = stage().resource("Endpoint");
    endpoint.server = await runs().start(elsewhere());
    await endpoint.up({ projectId, branchId, type: "read_write" });
    await runs().end(endpoint.server, "SIGKILL");

    const changes = await runs().changesBy(async () => {
      await branch.refresh();
      const larger = { ...compute, autoscalingLimitMaxCu: 4 };
      await assert.rejects(branch.up({ projectId, compute: larger }), /another stack manages its compute ep-/);
      await branch.up({ projectId });
    });
    assert.deepEqual(changes, []);
    assert.match(branch.warning, /^The compute ep-\S+ of branch \S+ was not deleted: another stack manages it\.$/);
  });
});

describe("a killed creation that was answered", () => {
  it("does not recover the role that another program created after it was deleted by hand", async () => {
    const fixture = await BranchFixture.on(stage());
    const role = stage().resource("Role");
    role.server = await runs().start();
    await stage().platform.fault({ action: "apply_config", end: "stuck" });
    role.up(fixture.base).catch(() => undefined);
    await until(() => entriesOf(role.journal, role.urn).some(({ content }) => content["objectId"]));
    await runs().end(role.server, "SIGKILL");
    await stage().platform.clearFaults();
    await fixture.call("DELETE", fixture.role(role.name));
    // Times of roles have whole seconds, and the platform's clock is known to two.
    clock.putForward(4_100);
    await fixture.call("POST", fixture.role(), { role: { name: role.name } });
    const { resource: next, args } = again({ resource: role, args: fixture.base });
    const changes = await runs().changesByRun([next], () =>
      assert.rejects(next.up(args), /A role with this name already exists/),
    );
    assert.deepEqual(changes, []);
  });
});

describe("a killed creation that never arrived", () => {
  it("leaves the restriction that another program has created since with another label", async () => {
    const orgId = await stage().platform.firstOrganization();
    const vpcEndpointId = stage().name("vpce");
    const assignment = `/organizations/${orgId}/vpc/region/aws-eu-central-1/vpc_endpoints/${vpcEndpointId}`;
    await stage().platform.call("POST", assignment, { label: "office" });
    const { id: projectId } = await stage().project({ org_id: orgId });
    const args = { projectId, vpcEndpointId, label: "ours" };
    const killed = stage().resource("VpcEndpointRestriction");
    killed.server = await runs().start();
    const held = gate().holdNextChange();
    killed.up(args).catch(() => undefined);
    await held.arrived;
    await runs().end(killed.server, "SIGKILL");
    held.drop();

    const theirs = `/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`;
    await stage().platform.call("POST", theirs, { label: "theirs" });
    const { resource: next } = again({ resource: killed, args });
    const changes = await runs().changesByRun([next], () => assert.rejects(next.up(args), /already exists/));
    assert.deepEqual(changes, []);
  });
});

describe("a role that appears when the response to its creation is lost", () => {
  it("is taken for the result, with a warning", async () => {
    const { base } = await BranchFixture.on(stage());
    const role = stage().resource("Role");
    role.server = ours();
    gate().afterNextChange(() => Promise.reject(new Error("its response is lost")));
    assert.equal(await role.up(base), "create");
    assert.match(role.warning, /appeared when a request was sent whose response is lost, and is as declared/);
  });
});

describe("a killed run whose responses were lost", () => {
  const runs = sharedRuns(stage);
  const gate = suite(() => runs().gate());
  const obstacles = [
    "it created several snapshots",
    "it created several roles",
    "the request had waited for more than a minute",
    "another stack has adopted one of another name since",
  ] as const;
  /** The resources of the next run, by what could have kept it from finding their objects. */
  const next: (readonly [obstacle: string, Creation])[] = [];
  let changes: readonly string[];

  before(async () => {
    const server = await runs().start();
    /** Creates an object up to the moment in which its response is on its way. */
    const create = async (obstacle: (typeof obstacles)[number], kind: "Role" | "Snapshot"): Promise<void> => {
      const { base } = await BranchFixture.on(stage());
      const resource = stage().resource(kind);
      resource.server = server;
      const waits = obstacle === "the request had waited for more than a minute";
      if (waits) await stage().platform.fault({ method: "POST", path: "/roles$", status: 423, times: 2 });
      const held = gate().holdNextAnswer(waits ? 3 : 1);
      resource.up(base).catch(() => undefined);
      if (waits) {
        await until(() => gate().passed.some(({ status }) => status === 423));
        clock.putForward(90_000);
      }
      await held.arrived;
      await stage().settled(base.projectId);
      next.push([obstacle, again({ resource, args: base })]);
    };
    const [snapshots, roles, waiting, adopted] = obstacles;
    for (const obstacle of [snapshots, snapshots]) await create(obstacle, "Snapshot");
    for (const obstacle of [roles, roles, waiting, adopted]) await create(obstacle, "Role");
    await runs().end(server, "SIGKILL");

    const adopting = stage().resource("Role");
    const { base } = await BranchFixture.on(stage());
    const elsewhere = runs().place({ backend: runs().folders.backend("second") });
    await runs().run([adopting], () => adopting.up({ ...base, name: "neondb_owner", adopt: true }), elsewhere);

    const resources = next.map(([, { resource }]) => resource);
    changes = await runs().changesByRun(resources, async () => {
      for (const [, { resource, args }] of next) await resource.up(args);
    });
  });

  for (const obstacle of obstacles) {
    it(`has its objects recovered, although ${obstacle}`, () => {
      const resources = next.flatMap(([of, { resource }]) => (of === obstacle ? [resource] : []));
      for (const { warning } of resources) assert.match(warning, /It was recovered\.$/);
      assert.deepEqual(changes, []);
    });
  }
});

describe("a killed creation whose request has not taken effect when the next run creates", () => {
  const runs = sharedRuns(stage);
  const gate = suite(() => runs().gate());
  /** The warnings of the next run, at once or after more than a minute. */
  const warnings = new Map<string, readonly string[]>();

  before(async () => {
    const server = await runs().start();
    const create = async (kind: "Project" | "ApiKey" | "Role"): Promise<Creation> => {
      const resource = stage().resource(kind);
      const args = kind === "Role" ? (await BranchFixture.on(stage())).base : {};
      resource.server = server;
      const held = gate().holdNextChange();
      resource.up(args).catch(() => undefined);
      await held.arrived;
      return again({ resource, args });
    };
    const soon = [await create("Project"), await create("ApiKey"), await create("Role")];
    const later = [await create("Project"), await create("ApiKey")];
    const all = [...soon, ...later];
    // What is held is lost with its sender.
    await runs().end(server, "SIGKILL");

    const createAll = async (when: string, creations: readonly Creation[]): Promise<void> => {
      const resources = creations.map(({ resource }) => resource);
      await runs().run(
        all.map(({ resource }) => resource),
        async () => {
          // The program declares all of them.
          for (const { resource, args } of all) await resource.preview(args);
          for (const { resource, args } of creations) assert.equal(await resource.up(args), "create");
        },
      );
      for (const resource of resources) {
        assert.deepEqual(entriesOf(resource.journal, resource.urn), []);
        warnings.set(`${resource.kind} ${when}`, resource.said("warning"));
      }
    };
    await createAll("at once", soon);
    clock.putForward(90_000);
    await createAll("later", later);
  });

  for (const kind of ["Project", "ApiKey"] as const) {
    it(`is named in a warning: ${kind}`, () => {
      const [first = "", ...more] = warnings.get(`${kind} at once`) ?? [];
      assert.match(
        first,
        /^An interrupted run of this stack sent a request for this (project|API key) at \S+, which can still take effect/,
      );
      assert.deepEqual(more, []);
    });

    it(`is over after a minute: ${kind}`, () => {
      assert.deepEqual(warnings.get(`${kind} later`), []);
    });
  }

  it("is not named if only one object can have the name", () => {
    assert.deepEqual(warnings.get("Role at once"), []);
  });
});
