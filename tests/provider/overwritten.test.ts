import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import { suiteGate, suiteRuns } from "../support/runs";
import { suiteStage } from "../support/stage";

const stage = suiteStage();
const runs = suiteRuns(stage);
const gate = suiteGate(runs);

/** An object without an id of its own: setting it overwrites what another program has set. */
interface Overwritable {
  readonly args: Values;
  /** The path of the requests that set and delete it. */
  readonly path: string;
  /** The methods of these requests. */
  readonly methods: Readonly<Record<"create" | "delete", string>>;
  /** Sets it as another program does. */
  readonly set: (by: "us" | "them") => Promise<unknown>;
  /** Who has set what is there. */
  readonly setBy: () => Promise<"us" | "them" | undefined>;
}

async function call(method: string, path: string, body?: Values) {
  const answer = await stage().platform.call(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status}`);
  return answer.body;
}

const regionId = "aws-eu-central-1";

/** A VPC endpoint that no test has assigned so far. */
async function unassigned() {
  const orgId = await stage().platform.firstOrganization();
  const vpcEndpointId = stage().name("vpce");
  return {
    orgId,
    vpcEndpointId,
    path: `/organizations/${orgId}/vpc/region/${regionId}/vpc_endpoints/${vpcEndpointId}`,
  };
}

const objects = {
  BackupSchedule: async (): Promise<Overwritable> => {
    const { id: projectId, branchId } = await stage().project();
    const path = `/projects/${projectId}/branches/${branchId}/backup_schedule`;
    const hours = { us: 3, them: 5 };
    return {
      args: { projectId, branchId, schedule: [{ frequency: "daily", hour: hours.us }] },
      path,
      methods: { create: "PUT", delete: "PUT" },
      set: (by) => call("PUT", path, { schedule: [{ frequency: "daily", hour: hours[by] }] }),
      setBy: async () => {
        const [entry] = (await call("GET", path)).schedule;
        return entry && (entry.hour === hours.us ? "us" : "them");
      },
    };
  },
  VpcEndpointRestriction: async (): Promise<Overwritable> => {
    const { orgId, vpcEndpointId, path: assignment } = await unassigned();
    await call("POST", assignment, { label: "office" });
    const { id: projectId } = await stage().project({ org_id: orgId });
    const path = `/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`;
    return {
      args: { projectId, vpcEndpointId, label: "us" },
      path,
      methods: { create: "POST", delete: "DELETE" },
      set: (by) => call("POST", path, { label: by }),
      setBy: async () => {
        const { endpoints } = await call("GET", `/projects/${projectId}/vpc_endpoints`);
        return endpoints[0] && ((endpoints[0] as unknown as { label: string }).label as "us" | "them");
      },
    };
  },
  VpcEndpointAssignment: async (): Promise<Overwritable> => {
    const { orgId, vpcEndpointId, path } = await unassigned();
    return {
      args: { orgId, regionId, vpcEndpointId, label: "us" },
      path,
      methods: { create: "POST", delete: "DELETE" },
      set: (by) => call("POST", path, { label: by }),
      setBy: async () => {
        const { status, body } = await stage().platform.call("GET", path);
        return status === 200 ? ((body as unknown as { label: string }).label as "us" | "them") : undefined;
      },
    };
  },
};

const kinds = Object.keys(objects) as (keyof typeof objects)[];

async function provided(kind: keyof typeof objects): Promise<Overwritable & { readonly resource: EngineResource }> {
  const resource = stage().resource(kind);
  resource.server = await runs().start();
  return { resource, ...(await objects[kind]()) };
}

const exists = /already exists: /;
const isAnother = /is not as in the state any more: another program may have set it/;

for (const kind of kinds) {
  describe(`a ${kind} that another program sets`, () => {
    it("while the request that creates ours is lost, is not overwritten", async () => {
      const { resource, args, set, setBy } = await provided(kind);
      const held = gate().holdNextChange();
      const created = resource.up(args);
      await held.arrived;
      await set("them");
      held.drop();
      await assert.rejects(created, exists);
      assert.equal(resource.state, undefined);
      assert.equal(await setBy(), "them");
    });

    for (const by of ["them", "us"] as const) {
      const how = by === "us" ? "as declared here" : "differently from here";
      it(`${how}, while the creation of ours waits, is neither overwritten nor taken over`, async () => {
        const { resource, args, path, methods, set, setBy } = await provided(kind);
        const held = gate().holdNextChange();
        const created = resource.up(args);
        await held.arrived;
        await set(by);
        await stage().platform.fault({ path: `^${path}$`, method: methods.create, status: 423, times: 1 });
        held.pass();
        await assert.rejects(created, exists);
        assert.equal(resource.state, undefined);
        assert.equal(await setBy(), by);
      });
    }

    it("while the request that deletes ours is lost, is not deleted", async () => {
      const { resource, args, set, setBy } = await provided(kind);
      await resource.up(args);
      const held = gate().holdNextChange();
      const destroyed = resource.destroy();
      await held.arrived;
      await set("them");
      held.drop();
      await assert.rejects(destroyed, isAnother);
      assert.equal(await setBy(), "them");
    });

    it("while the delete of ours waits, is not deleted", async () => {
      const { resource, args, path, methods, set, setBy } = await provided(kind);
      await resource.up(args);
      const held = gate().holdNextChange();
      const destroyed = resource.destroy();
      await held.arrived;
      await set("them");
      await stage().platform.fault({ path: `^${path}$`, method: methods.delete, status: 423, times: 1 });
      held.pass();
      await assert.rejects(destroyed, isAnother);
      assert.equal(await setBy(), "them");
    });

    // A VPC endpoint that was deleted from an organization can never be assigned to it again.
    if (kind === "VpcEndpointAssignment") return;
    for (const answer of ["is lost", "arrives"] as const) {
      it(`after the platform has deleted ours, is not deleted if the response ${answer}`, async () => {
        const { resource, args, set, setBy } = await provided(kind);
        await resource.up(args);
        gate().afterNextChange(async () => {
          await set("them");
          if (answer === "is lost") throw new Error("the connection is closed");
        });
        await assert.rejects(resource.destroy(), isAnother);
        assert.equal(await setBy(), "them");
      });
    }
  });
}
