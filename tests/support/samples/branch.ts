import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";

import { toWire } from "../../../api/core/camel-case";
import { inDays } from "../in-days";
import { inProject, instant, noText, nothingHere, secret, sized, timestamp } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { InPlaceChange, KindSample } from "../sample";
import { posting, tag } from "./object";

/** The path of a branch. */
const path = /^\/projects\/[^/]+\/branches\/[^/]+$/;

const email = { databaseName: "neondb", schemaName: "public", tableName: "customer", columnName: "email" };

function renaming(name: unknown): InPlaceChange {
  const renamed = `${String(name)}-renamed`;
  return { input: "name", to: renamed, sends: [{ method: "PATCH", path, body: { branch: { name: renamed } } }] };
}

function addingCompute(branchId: unknown): InPlaceChange {
  const body = { endpoint: { branch_id: branchId, type: "read_write" } };
  return { input: "compute", to: {}, sends: [{ method: "POST", path: /\/endpoints$/, body }] };
}

/** Asserts that a body only sets when a branch expires. */
function expiringSometime(body: unknown): void {
  const { branch, ...others } = body as { readonly branch: { readonly expires_at?: string } };
  const { expires_at: expiry = "", ...rest } = branch;
  assert.match(expiry, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual([others, rest], [{}, {}]);
}

/** A branch with a compute. */
export const branch: KindSample = {
  kind: "Branch",
  creates: ({ projectId, name }) => [
    posting(`/projects/${String(projectId)}/branches`, {
      branch: { name, protected: false },
      endpoints: [{ type: "read_write" }],
      annotation_value: { team: "shop", ...tag },
    }),
    { method: "POST", path: /\/set_as_default$/ },
  ],
  secrets: ["connectionUri"],
  declare: async (stage) => {
    const { id, branchId } = await stage.project();
    return {
      projectId: id,
      name: stage.name("pr"),
      // A change below makes the branch the default one, and it is destroyed in the end.
      defaultSuccessorId: branchId,
      compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 },
      annotations: { team: "shop" },
    };
  },
  inPlace: ({ name, defaultSuccessorId }, { branchId, parentId }) => {
    const restored = [{ method: "POST", path: /\/restore$/, body: { source_branch_id: parentId } }] as const;
    const expiry = inDays(1);
    const expiring = [{ method: "PATCH", path, body: expiringSometime }] as const;
    return [
      renaming(name),
      { input: "expiresAt", to: expiry, sends: [{ method: "PATCH", path, body: { branch: { expires_at: expiry } } }] },
      { input: "expiresAt", to: undefined, sends: [{ method: "PATCH", path, body: { branch: { expires_at: null } } }] },
      { input: "ttl", to: "1d", sends: expiring },
      { input: "ttlTrigger", to: "1", sends: expiring, requires: { ttl: "1d" } },
      { input: "ttl", to: "36h", sends: expiring },
      { input: "ttlTrigger", to: undefined, sends: [] },
      { input: "ttl", to: undefined, sends: [{ method: "PATCH", path, body: { branch: { expires_at: null } } }] },
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
        parentTimestamp: "2025-01-31T12:00:00Z",
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
  replaced: {
    projectId: /^Changing `projectId` replaces this branch\. Data written to the old branch is deleted/,
    annotations: /^Changing `annotations` replaces this branch\. Data written to the old branch is deleted/,
  },
  withProject: ["branch main \\(\\S+\\)", { name: "main", branchId: undefined }],
  readAt: { path: /\/branches\/[^/?]+$/ },
  inputOf: { expiresAt: "ttl" },
  alternatives: [
    ["expiresAt", "ttl", "ttlTrigger"],
    ["ttl", "ttlTrigger", "default"],
    ["expiresAt", "default"],
  ],
  invalid: [
    inProject,
    [
      [{ projectId: undefined }, "projectId", "is required"],
      [{ projectId: "" }, "projectId", "must be at least 1 character long"],
      [{ projectId: 5 }, "projectId", noText],
      [{ parentLsn: secret }, "parentLsn", 'must be a log sequence number such as "0/1DE2850"'],
      [{ expiresAt: secret }, "expiresAt", instant],
      [{ parentTimestamp: "2030-01-31" }, "parentTimestamp", instant],
      [{ initSource: secret }, "initSource", 'must be "parent-data" or "schema-only"'],
      [{ protected: "yes" }, "protected", "must be a boolean, not a string"],
      [{ archived: 1 }, "archived", "must be a boolean, not a number"],
      [{ annotations: { team: 7 } }, "annotations.team", noText],
      [{ adopt: 5 }, "adopt", /./],
      [{ compute: true }, "compute", "must be an object, not a boolean"],
      [{ compute: { autoscalingLimitMinCu: 0.3 } }, "compute.autoscalingLimitMinCu", /^must be a compute size in CU/],
      [{ compute: { suspendTimeoutSeconds: 30 } }, "compute.suspendTimeoutSeconds", /^must be -1 \(never suspend\)/],
      [{ compute: { provisioner: "" } }, "compute.provisioner", "must be at least 1 character long"],
      [
        { compute: sized(1, 16) },
        "compute",
        "the maximum must be at most 8 CU above the minimum, but it is 15 CU above it",
      ],
      [{ compute: sized(16, 18) }, "compute", /^autoscaling is limited to 16 CU/],
      [{ compute: { settings: { pgSettings: { work_mem: 8 } } } }, "compute.settings.pgSettings.work_mem", noText],
      [
        { compute: { settings: { preloadLibraries: { enabledLibraries: ["a", 1] } } } },
        "compute.settings.preloadLibraries.enabledLibraries.1",
        noText,
      ],
      [
        { compute: { autoscalingLimitMaxCU: 1 } },
        "compute.autoscalingLimitMaxCU",
        /; did you mean autoscalingLimitMaxCu\?$/,
      ],
      [{ endpoints: [] }, "endpoints", nothingHere],
      // Outputs are not inputs.
      [{ branchId: "br-1" }, "branchId", nothingHere],
      [{ default: true, expiresAt: inDays(1) }, "expiresAt", "a default branch cannot expire"],
      [{ protected: true, expiresAt: inDays(1) }, "expiresAt", "a protected branch cannot expire"],
      [
        { restore: { trigger: "1", sourceLsn: "0/1DE2850", sourceTimestamp: timestamp } },
        "restore",
        "sourceLsn and sourceTimestamp exclude each other: declare one of them",
      ],
      [{ restore: { trigger: "1", sourceBranchId: "br-main-1", sourceLsn: "7" } }, "restore.sourceLsn", /./],
      [
        { restore: { trigger: "1", sourceTimestamp: timestamp } },
        "restore.sourceBranchId",
        'is required with a point in time: the id of the branch in whose history it is, or "self"',
      ],
      [
        { restore: { trigger: "1", sourceBranchId: "self" } },
        "restore",
        /^a restore from the branch's own history needs/,
      ],
      [{ projectid: "p", projectId: undefined }, "projectid", /did you mean projectId\?$/],
      [{ name: "pr-Calling __str__ on an Output[T] is not supported." }, "name", /`pulumi\.Output\.format`$/],
      [{ parentId: "calm-tree-1/br-1" }, "parentId", /^must be an id without its parents: .* `branchId` of a branch/],
      ...["7", "7 days", "7D", "1.5h", "-1d", "0s", "59s", "31d", "721h", "5w", secret].map(
        (ttl) =>
          [{ ttl }, "ttl", /^must be a whole number with one of the units s, m, h, d and w, from 1m to 30d/] as const,
      ),
      [{ ttl: 604_800 }, "ttl", noText],
      [{ ttl: "7d", expiresAt: inDays(1) }, "expiresAt", "cannot be declared together with `ttl`"],
      [{ ttlTrigger: "1" }, "ttlTrigger", "requires `ttl`, the life that begins again"],
      [{ default: true, ttl: "7d" }, "ttl", "a default branch cannot expire"],
      [{ protected: true, ttl: "7d" }, "ttl", "a protected branch cannot expire"],
      [{ compute: { suspendTimeout: 60 } }, "compute.suspendTimeout", /: it is `suspendTimeoutSeconds`$/],
      ...["shop", "the_shop-1", "The Shop-1"].map(
        (projectId) => [{ projectId }, "projectId", /^must be the id of a project, which is like /] as const,
      ),
      [{ parentId: "Main" }, "parentId", /^must be the id of a branch, which begins with "br-"/],
      [{ parentId: "" }, "parentId", /^must be at least 1 character long$/],
      [
        { annotations: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, ""])) },
        "annotations",
        /^must have at most 49 members/,
      ],
      [{ name: `pr-${pulumi.output("7") as unknown as string}` }, "name", /build the value with `pulumi\.interpolate`/],
      [
        { compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 64 } },
        "compute.autoscalingLimitMaxCu",
        /^must be a compute size in CU/,
      ],
      [{ restore: { sourceBranchId: "br-main-1" } }, "restore.trigger", /./],
      [{ restore: { trigger: "1", triger: "1" } }, "restore.triger", /did you mean trigger\?/],
      [{ snapshotId: "snap-one", parentId: "br-one" }, "parentId", /^cannot be declared together with `snapshotId`/],
      ...[{}, { maskingFunction: "anon.fake_email()", maskingValue: "hidden" }].map(
        (masks) =>
          [
            { maskingRules: [{ ...email, ...masks }] },
            "maskingRules.0",
            /needs a maskingFunction or a maskingValue/,
          ] as const,
      ),
      [
        { maskingRules: [{ ...email, maskingValue: "hidden" }], resetTrigger: "1" },
        "resetTrigger",
        /data that is not masked/,
      ],
    ],
  ],
  facts: { ...usualFacts, path: "/projects/:projectId/branches/:branchId" },
};

/** A branch with masked data and without a compute: a branch with a compute cannot be created archived. */
export const maskedBranch: KindSample = {
  ...branch,
  variant: "masked",
  creates: ({ projectId, name }) => [
    posting(`/projects/${String(projectId)}/branch_anonymized`, {
      branch_create: { branch: { name } },
      annotation_value: { team: "shop", ...tag },
      masking_rules: [
        {
          database_name: "neondb",
          schema_name: "public",
          table_name: "customer",
          column_name: "email",
          masking_value: "hidden",
        },
      ],
      start_anonymization: true,
    }),
  ],
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
export const restoredBranch: KindSample = {
  ...branch,
  variant: "restored",
  creates: ({ projectId, snapshotId, name }) => [
    posting(`/projects/${String(projectId)}/snapshots/${String(snapshotId)}/restore`, { name }),
  ],
  declare: async (stage) => {
    const { name, projectId, defaultSuccessorId } = await branch.declare(stage);
    const snapshotId = await stage.snapshot(String(projectId), String(defaultSuccessorId));
    return { name, projectId, defaultSuccessorId, snapshotId };
  },
  // Neon creates the compute of a restored branch.
  inPlace: ({ name }, { branchId }) => [
    renaming(name),
    {
      input: "compute",
      to: { autoscalingLimitMaxCu: 1 },
      sends: [{ method: "PATCH", path: /\/endpoints\/[^/]+$/, body: { endpoint: { autoscaling_limit_max_cu: 1 } } }],
    },
    { input: "compute", to: undefined, sends: [{ method: "DELETE", path: /\/endpoints\/[^/]+$/ }] },
    addingCompute(branchId),
  ],
  replaces: async (_, stage) => {
    const { id } = await stage.project();
    return { createsFirst: { projectId: id }, deletesFirst: { snapshotId: "snap-some-other-000001" } };
  },
};
