import assert from "node:assert/strict";

import { afterEach, describe, it } from "mocha";

import type { KindName } from "../../provider/kinds";
import type { Values } from "../support/provider-server";
import { samples } from "../support/samples";
import { kinds as facts } from "../reliability/refactoring/kinds";
import { overtaking } from "../support/overtaken";
import { sharedRuns } from "../support/runs";
import { suiteStage } from "../support/stage";
import { suite } from "../support/suite";

const stage = suiteStage();
const runs = sharedRuns(stage);
const gate = suite(() => runs().gate());
const server = suite(() => runs().start());
const overtaken = overtaking(stage, gate);
afterEach(() => stage().platform.clearFaults());

const regionId = "aws-eu-central-1";

const objects = {
  BackupSchedule: async (): Promise<Overwritable> => {
    const { id: projectId, branchId } = await stage().project();
    const path = `/projects/${projectId}/branches/${branchId}/backup_schedule`;
    const hours = { us: 3, them: 5 };
    return {
      args: { projectId, branchId, schedule: [{ frequency: "daily", hour: hours.us }] },
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
      set: (by) => call("POST", path, { label: by }),
      setBy: async () => {
        const { status, body } = await stage().platform.call("GET", path);
        return status === 200 ? ((body as unknown as { label: string }).label as "us" | "them") : undefined;
      },
    };
  },
  ProjectMemberRole: async (): Promise<Overwritable> => {
    const { projectId, memberId } = await samples.ProjectMemberRole.declare(stage());
    const path = `/projects/${String(projectId)}/members`;
    const roles = { us: "viewer", them: "editor" };
    return {
      args: { projectId, memberId, role: roles.us },
      set: (by) => call("PUT", `${path}/${String(memberId)}/role`, { role: roles[by] }),
      setBy: async () => {
        const { project_members: members } = (await call("GET", `${path}?limit=500`)) as unknown as {
          readonly project_members: readonly Values[];
        };
        const role = members.find((one) => one["member_id"] === memberId)?.["project_role"];
        return role === undefined ? undefined : role === roles.us ? "us" : "them";
      },
      isConfirmed: true,
    };
  },
  SpendingLimit: async (): Promise<Overwritable> => {
    const orgId = await stage().platform.organization();
    const path = `/organizations/${orgId}/billing/spending_limit`;
    const cents = { us: 5_000, them: 7_000 };
    return {
      args: { orgId, spendingLimitCents: cents.us },
      set: (by) => call("PUT", path, { spending_limit_cents: cents[by] }),
      setBy: async () => {
        const limit = ((await call("GET", path)) as unknown as Values)["spending_limit_cents"];
        return limit === null ? undefined : limit === cents.us ? "us" : "them";
      },
    };
  },
} satisfies Partial<Record<KindName, () => Promise<Overwritable>>>;

const kinds = Object.keys(objects) as (keyof typeof objects)[];

it("every kind whose object can be overwritten has a case", () => {
  const overwritable = Object.entries(facts).flatMap(([kind, { twice }]) => (twice === "the same" ? [kind] : []));
  assert.deepEqual([...kinds].sort(), overwritable.sort());
});

const exists = /already exists: /;
const isAnother = /is not as in the state any more: another program may have set it/;

for (const kind of kinds) {
  describe(`a ${kind} that another program sets`, () => {
    for (const [title, fate, by] of [
      ["while the request that creates ours is lost, is not overwritten", "is lost", "them"],
      ["differently, while the creation of ours waits, is neither overwritten nor taken over", "waits", "them"],
      ["as declared here, while the creation of ours waits, is neither overwritten nor taken over", "waits", "us"],
    ] as const) {
      it(title, async () => {
        const { resource, args, set, setBy } = await provided(kind);
        const theirs = () => set(by);
        const created = overtaken(fate, theirs, () => resource.up(args));
        await assert.rejects(created, exists);
        assert.equal(resource.state, undefined);
        assert.equal(await setBy(), by);
      });
    }

    for (const fate of ["is lost", "waits"] as const) {
      it(`while the request that deletes ours ${fate}, is not deleted`, async () => {
        const { resource, args, set, setBy } = await provided(kind);
        await resource.up(args);
        const theirs = () => set("them");
        const destroyed = overtaken(fate, theirs, () => resource.destroy());
        await assert.rejects(destroyed, isAnother);
        assert.equal(await setBy(), "them");
      });
    }

    // A VPC endpoint that was deleted from an organization can never be assigned to it again.
    if (kind === "VpcEndpointAssignment") return;
    for (const answer of ["is lost", "arrives"] as const) {
      it(`after the platform has deleted ours, is not deleted if the response ${answer}`, async () => {
        const { resource, args, set, setBy, isConfirmed } = await provided(kind);
        await resource.up(args);
        gate().afterNextChange(async () => {
          await set("them");
          if (answer === "is lost") throw new Error("the connection is closed");
        });
        if (isConfirmed && answer === "arrives") await resource.destroy();
        else await assert.rejects(resource.destroy(), isAnother);
        assert.equal(await setBy(), "them");
      });
    }
  });
}

/** An object without an id of its own: setting it overwrites what another program has set. */
interface Overwritable {
  readonly args: Values;
  /** Sets it as another program does. */
  readonly set: (by: "us" | "them") => Promise<unknown>;
  /** Who has set what is there. */
  readonly setBy: () => Promise<"us" | "them" | undefined>;
  /** The answer to a deletion says that the object is deleted: nothing is read after it. */
  readonly isConfirmed?: true;
}

async function call(method: string, path: string, body?: Values) {
  const answer = await stage().platform.call(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status}`);
  return answer.body;
}

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

async function provided(kind: (typeof kinds)[number]) {
  const resource = stage().resource(kind);
  resource.server = server();
  return { resource, ...(await objects[kind]()) };
}
