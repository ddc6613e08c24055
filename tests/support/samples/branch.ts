import { toWire } from "../../../api/core/camel-case";
import { branch as definition } from "../../../provider/resources/branch";
import { inDays } from "../in-days";
import type { InPlaceChange, Sample } from "../sample";

/** The path of a branch. */
const path = /^\/projects\/[^/]+\/branches\/[^/]+$/;

function renaming(name: unknown): InPlaceChange {
  const renamed = `${String(name)}-renamed`;
  return { input: "name", to: renamed, sends: [{ method: "PATCH", path, body: { branch: { name: renamed } } }] };
}

function addingCompute(branchId: unknown): InPlaceChange {
  const body = { endpoint: { branch_id: branchId, type: "read_write" } };
  return { input: "compute", to: {}, sends: [{ method: "POST", path: /\/endpoints$/, body }] };
}

/** A branch with a compute. */
export const branch: Sample = {
  kind: "Branch",
  definition,
  secrets: ["connectionUri"],
  declare: async (stage) => {
    const { id, branchId } = await stage.project();
    return {
      projectId: id,
      name: stage.name("pr"),
      // It is made the default one below, and destroyed in the end.
      defaultSuccessorId: branchId,
      compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 },
      annotations: { team: "shop" },
    };
  },
  inPlace: ({ name, defaultSuccessorId }, { branchId, parentId }) => {
    const restored = [{ method: "POST", path: /\/restore$/, body: { source_branch_id: parentId } }] as const;
    const expiry = inDays(1);
    return [
      renaming(name),
      { input: "expiresAt", to: expiry, sends: [{ method: "PATCH", path, body: { branch: { expires_at: expiry } } }] },
      { input: "expiresAt", to: undefined, sends: [{ method: "PATCH", path, body: { branch: { expires_at: null } } }] },
      { input: "protected", to: true, sends: [{ method: "PATCH", path, body: { branch: { protected: true } } }] },
      { input: "protected", to: false, sends: [{ method: "PATCH", path, body: { branch: { protected: false } } }] },
      {
        input: "compute.autoscalingLimitMaxCu",
        to: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 },
        sends: [
          {
            method: "PATCH",
            path: /^\/projects\/[^/]+\/endpoints\/[^/]+$/,
            body: { endpoint: { autoscaling_limit_max_cu: 2 } },
          },
        ],
      },
      { input: "compute", to: undefined, sends: [{ method: "DELETE", path: /\/endpoints\/[^/]+$/ }] },
      addingCompute(branchId),
      { input: "restore.trigger", to: { trigger: "1" }, sends: restored },
      { input: "restore.trigger", to: { trigger: "2" }, sends: restored },
      { input: "restore.preserveUnderName", to: { trigger: "2", preserveUnderName: "before" }, sends: [] },
      { input: "restore", to: undefined, sends: [] },
      { input: "resetTrigger", to: "1", sends: restored },
      { input: "resetTrigger", to: undefined, sends: [] },
      { input: "defaultSuccessorId", to: undefined, sends: [] },
      { input: "defaultSuccessorId", to: defaultSuccessorId, sends: [] },
      { input: "default", to: true, sends: [{ method: "POST", path: /\/set_as_default$/ }] },
    ];
  },
  replaces: async (_, stage) => {
    const { id } = await stage.project();
    return {
      createsFirst: { projectId: id },
      deletesFirst: {
        parentId: "br-some-other-000001",
        parentLsn: "0/1DE2850",
        parentTimestamp: "2030-01-31T12:00:00Z",
        initSource: "schema-only",
        annotations: { team: "sales" },
      },
    };
  },
  remove: async (stage, { projectId, branchId, defaultSuccessorId }) => {
    const path = `/projects/${String(projectId)}/branches`;
    await stage.platform.call("POST", `${path}/${String(defaultSuccessorId)}/set_as_default`);
    await stage.platform.call("DELETE", `${path}/${String(branchId)}`);
    await stage.settled(String(projectId));
  },
  exists: async (stage, { projectId, branchId }) =>
    (await stage.branches(String(projectId))).some(({ id }) => id === branchId),
  adopt: ({ branchId }) => String(branchId),
};

const email = { databaseName: "neondb", schemaName: "public", tableName: "customer", columnName: "email" };

/** A branch whose data is masked, without a compute: no branch is created archived and with a compute. */
export const maskedBranch: Sample = {
  ...branch,
  variant: "masked",
  declare: async (stage) => {
    const { name, projectId, defaultSuccessorId, annotations } = await branch.declare(stage);
    const maskingRules = [{ ...email, maskingFunction: "anon.fake_email()" }];
    return { name, projectId, defaultSuccessorId, annotations, maskingRules };
  },
  inPlace: ({ name }) => [
    renaming(name),
    {
      input: "maskingRules",
      to: [{ ...email, maskingValue: "hidden" }],
      sends: [
        {
          method: "PATCH",
          path: /\/masking_rules$/,
          body: { masking_rules: [{ ...toWire(email), masking_value: "hidden" }] },
        },
        { method: "POST", path: /\/anonymize$/ },
      ],
    },
  ],
  replaces: async (declared, stage) => {
    const { createsFirst, deletesFirst } = await branch.replaces(declared, stage);
    return { createsFirst, deletesFirst: { ...deletesFirst, archived: true } };
  },
};

/** A branch that is restored from a snapshot. */
export const restoredBranch: Sample = {
  ...branch,
  variant: "restored",
  declare: async (stage) => {
    const { name, projectId, defaultSuccessorId } = await branch.declare(stage);
    const snapshotId = await stage.snapshot(String(projectId), String(defaultSuccessorId));
    return { name, projectId, defaultSuccessorId, snapshotId };
  },
  inPlace: ({ name }, { branchId }) => [renaming(name), addingCompute(branchId)],
  replaces: async (_, stage) => {
    const { id } = await stage.project();
    return { createsFirst: { projectId: id }, deletesFirst: { snapshotId: "snap-some-other-000001" } };
  },
};
