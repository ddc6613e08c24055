import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

import { afterEach, describe, it } from "mocha";

import { toWire } from "../../api/core/camel-case";
import type { KindName } from "../../provider/frozen-entry";
import { EngineResource } from "../support/engine";
import { overtaking } from "../support/overtaken";
import type { Values } from "../support/provider-server";
import { sharedRuns } from "../support/runs";
import { samples } from "../support/samples";
import { suiteStage } from "../support/stage";
import { suite } from "../support/suite";

const stage = suiteStage({ isServed: false });
const runs = sharedRuns(stage);
const gate = suite(() => runs().gate());
const server = suite(() => runs().start());
const overtaken = overtaking(stage, gate);
afterEach(() => stage().platform.clearFaults());

const exists = /already exists: /;
const isAnother = /is not as in the state any more: another program may have set it/;

for (const {
  kind,
  facts: { twice },
} of Object.values(samples)) {
  if (twice !== "the same") continue;
  describe(`a ${kind} that another program sets`, () => {
    for (const [title, fate, by] of [
      ["while the request that creates ours is lost, is not overwritten", "is lost", "them"],
      ["differently, while the creation of ours waits, is neither overwritten nor taken over", "waits", "them"],
      ["as declared here, while the creation of ours waits, is neither overwritten nor taken over", "waits", "us"],
    ] as const) {
      it(title, async () => {
        const { resource, args, set, setBy } = await prepared(kind);
        const created = overtaken(
          fate,
          () => set(by),
          () => resource.up(args),
        );
        await assert.rejects(created, exists);
        assert.equal(resource.state, undefined);
        assert.equal(await setBy(), by);
      });
    }

    for (const fate of ["is lost", "waits"] as const) {
      it(`while the request that deletes ours ${fate}, is not deleted`, async () => {
        const { resource, args, set, setBy } = await prepared(kind);
        await resource.up(args);
        const destroyed = overtaken(
          fate,
          () => set("them"),
          () => resource.destroy(),
        );
        await assert.rejects(destroyed, isAnother);
        assert.equal(await setBy(), "them");
      });
    }

    // A VPC endpoint that was deleted from an organization can never be assigned to it again.
    if (kind === "VpcEndpointAssignment") return;
    for (const answer of ["is lost", "arrives"] as const) {
      it(`after the platform has deleted ours, is not deleted if the response ${answer}`, async () => {
        const { resource, args, set, setBy, isConfirmed } = await prepared(kind);
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
  /** The input that both programs set, with what this one and the other one declare. */
  readonly input: string;
  readonly us: unknown;
  readonly them: unknown;
  /** How it is set, and where it is read. Default: at the same path. */
  readonly set: readonly [method: "POST" | "PUT", path: string];
  readonly at?: string;
  /** The input as a response to the reader says it. */
  readonly read: (body: Body) => unknown;
  /** The response to a deletion says that the object is deleted: nothing is read after it. */
  readonly isConfirmed?: true;
}

/** Members of responses that the cases read. */
type Body = Values & Record<"schedule" | "endpoints" | "project_members", readonly Values[]>;

const overwritable: Partial<Record<KindName, (inputs: Readonly<Record<string, string>>) => Overwritable>> = {
  BackupSchedule: ({ projectId, branchId }) => ({
    input: "schedule",
    us: [{ frequency: "daily", hour: 3 }],
    them: [{ frequency: "daily", hour: 5 }],
    set: ["PUT", `/projects/${projectId}/branches/${branchId}/backup_schedule`],
    read: ({ schedule }) => schedule.map(({ frequency, hour }) => ({ frequency, hour })),
  }),
  VpcEndpointRestriction: ({ projectId, vpcEndpointId }) => ({
    input: "label",
    us: "us",
    them: "them",
    set: ["POST", `/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`],
    at: `/projects/${projectId}/vpc_endpoints`,
    read: ({ endpoints }) => endpoints[0]?.["label"],
  }),
  VpcEndpointAssignment: ({ orgId, regionId, vpcEndpointId }) => ({
    input: "label",
    us: "us",
    them: "them",
    set: ["POST", `/organizations/${orgId}/vpc/region/${regionId}/vpc_endpoints/${vpcEndpointId}`],
    read: ({ label }) => label,
  }),
  ProjectMemberRole: ({ projectId, memberId }) => ({
    input: "role",
    us: "viewer",
    them: "editor",
    set: ["PUT", `/projects/${projectId}/members/${memberId}/role`],
    at: `/projects/${projectId}/members?limit=500`,
    read: (body) => body.project_members.find((one) => one["member_id"] === memberId)?.["project_role"],
    isConfirmed: true,
  }),
  SpendingLimit: ({ orgId }) => ({
    input: "spendingLimitCents",
    us: 5_000,
    them: 7_000,
    set: ["PUT", `/organizations/${orgId}/billing/spending_limit`],
    read: (body) => body["spending_limit_cents"],
  }),
};

/** A resource of this program, what it declares, and what another program does. */
async function prepared(kind: KindName) {
  const inputs = await samples[kind].declare(stage());
  const caseOf = overwritable[kind] ?? assert.fail(`there is no case for ${kind}`);
  const { input, us, them, set, at, read, isConfirmed } = caseOf(inputs as Record<string, string>);
  const values = { us, them };
  const [method, path] = set;
  return {
    resource: new EngineResource(server(), kind, stage().name(kind.toLowerCase())),
    args: { ...inputs, [input]: us },
    isConfirmed,
    /** Sets the object as another program does. */
    set: async (by: "us" | "them") => {
      const { status } = await stage().platform.call(method, path, toWire({ [input]: values[by] }));
      assert.ok(status < 300, `${method} ${path}: ${status}`);
    },
    /** Who has set what is there. */
    setBy: async () => {
      const found = read((await stage().platform.call("GET", at ?? path)).body as unknown as Body);
      return (["us", "them"] as const).find((by) => isDeepStrictEqual(found, values[by]));
    },
  };
}
