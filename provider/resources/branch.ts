import { z } from "zod";

import { toWire } from "../../api/camel-case";
import { camelShape } from "../../api/camel-shape";
import { explained, hasStatus, type HttpError, ignoreNotFound } from "../../api/errors";
import {
  type AnnotatedBranch,
  branchCreate,
  type BranchCreateBody,
  branches,
  type BranchUpdate,
  tagAnnotation,
  withoutTag,
} from "../../api/schemas/branch";
import { masking, maskedAnnotation } from "../../api/schemas/masking";
import { snapshots } from "../../api/schemas/snapshot";
import { textMap } from "../../api/schemas/wire";
import type { Context } from "../call/context";
import { type Creation, creation } from "../kind/creation";
import { changesAt, differences } from "../kind/differences";
import { ruleFor, same } from "../kind/field-rules";
import { adoptedSegment, identifiedBy, idOf } from "../kind/id";
import type { DatedObject, Kind, TaggedObject } from "../kind/kind";
import { contains, omitUndefined } from "../values";
import { computeInState, updateCompute, warnOfLeftCompute } from "./branch/change-compute";
import { handOverDefault, setAsDefault } from "./branch/default";
import {
  changeMasking,
  finishMasking,
  type Masking,
  maskingProblems,
  maskingRules,
  maskingRulesField,
  preparationFailed,
  readMasking,
} from "./branch/masking";
import { explainedByObstacle, type Obstacle, titleOf } from "./branch/obstacles";
import {
  applyRestore,
  overwriteWarning,
  planRestore,
  restore,
  type RestorePlan,
  restoreProblems,
} from "./branch/restore";
import { adopt, idInput } from "../kind/inputs";
import { branchNamed, firstBranch, readBranch } from "./branch/read";
import { answeredCompute, compute, computeBody, computeOutputs, retryFirstStart } from "./compute/read-write";
import { type Connection, createdConnection, readConnection } from "./compute/connection";
import { deleteObject } from "../call/delete-object";
import { createdWithProject } from "./project-defaults";

/** What only a copy of a parent can have when it is created. */
const ofParent = [
  "parentId",
  "parentLsn",
  "parentTimestamp",
  "initSource",
  "archived",
  "annotations",
  "maskingRules",
] as const;

const inputs = z
  .strictObject({
    projectId: idInput,
    ...camelShape(branchCreate.shape),
    parentId: idInput.optional(),
    annotations: textMap.optional(),
    snapshotId: idInput.optional(),
    compute: compute.optional(),
    default: z.boolean().optional(),
    defaultSuccessorId: idInput.optional(),
    restore: restore.optional(),
    resetTrigger: z.string().optional(),
    maskingRules: maskingRules.optional(),
    adopt: adopt.optional(),
  })
  .superRefine((value, context) => {
    for (const member of ["restore", "resetTrigger"] as const) {
      if (value.maskingRules === undefined || value[member] === undefined) continue;
      const message = "a restore replaces masked data by data that is not masked: declare another branch instead";
      context.addIssue({ code: "custom", path: [member], message });
    }
    for (const member of value.snapshotId === undefined ? [] : ofParent) {
      if (value[member] === undefined) continue;
      const message =
        "cannot be declared together with `snapshotId`: a branch that is restored from a snapshot has no parent, no annotations and no masking rules";
      context.addIssue({ code: "custom", path: [member], message });
    }
    if (value.expiresAt === undefined) return;
    for (const member of ["protected", "default"] as const) {
      if (value[member] !== true) continue;
      context.addIssue({ code: "custom", path: ["expiresAt"], message: `a ${member} branch cannot expire` });
    }
  });
export type BranchInputs = z.infer<typeof inputs>;

export interface BranchOutputs extends Omit<BranchInputs, "adopt" | "name" | keyof Masking>, Connection, Masking {
  readonly branchId: string;
  readonly name: string;
  readonly createdAt: string;
}

/** What a restore of a branch can change besides its data. */
const restored = ["parentId", "parentLsn", "parentTimestamp", "roleName", "databaseName", "connectionUri"];

/** A branch with its read-write compute. */
export const branch: Kind<BranchInputs, BranchOutputs, "connectionUri"> = {
  name: "Branch",
  noun: "branch",
  version: 1,
  inputs,
  rules: {
    projectId: { onChange: "replace" },
    parentId: { onChange: "replace", platform: "moves" },
    parentLsn: { onChange: "replace", platform: "moves" },
    parentTimestamp: { onChange: "replace", platform: "moves", equality: "instant" },
    initSource: { onChange: "replace" },
    archived: { onChange: "replace", platform: "write-only" },
    annotations: { onChange: "replace", unset: "none" },
    snapshotId: { onChange: "replace", unset: "none" },
    expiresAt: { onRemove: "clear", equality: "instant" },
    compute: {
      onRemove: "clear",
      affects: ["endpointId", "host", "poolerHost", "connectionUri", "roleName", "databaseName"],
    },
    "compute.settings.preloadLibraries.enabledLibraries": { equality: "set" },
    // If another branch becomes the default, that is not drift.
    default: { unset: "false", platform: "moves", onRemove: "clear" },
    defaultSuccessorId: { platform: "unaware", onRemove: "clear" },
    restore: { platform: "unaware", onRemove: "clear", affects: restored },
    resetTrigger: { platform: "unaware", onRemove: "clear", affects: restored },
    maskingRules: maskingRulesField,
  },
  secrets: { connectionUri: true },
  defaultName: "name",
  uniqueBy: ["projectId", "name"],
  replacement: {
    loss: "Data written to the old branch is deleted. The new branch starts as a copy of its parent.",
  },
  ...identifiedBy("projectId", "branchId"),

  preview: {
    problems: async (context, declared, before) => {
      const changed = before === undefined ? [] : differences(branch, before, [], declared);
      // A branch that is replaced is not restored, and can be masked.
      if (before === undefined || changed.some((path) => ruleFor(branch.rules, path).onChange === "replace")) return [];
      const changes = changesAt(changed);
      return [
        ...(await restoreProblems(context, before, declared, changes)),
        ...(await maskingProblems(context, before, changes)),
      ];
    },
    overwrites: overwriteWarning,
  },

  create: ({ snapshotId, ...declared }) =>
    snapshotId !== undefined
      ? restoredFrom(snapshotId, declared)
      : creation({
          what: "create branch",
          request: (tag) => createRequest(declared, tag),
          repeatable: true,
          outputs: (answer) => {
            const endpoint = answer.endpoints.find(({ type }) => type === "read_write");
            return {
              ...branchOutputs({ branch: answer.branch, annotations: declared.annotations ?? {} }),
              ...omitUndefined({ maskingRules: declared.maskingRules }),
              ...omitUndefined({ compute: endpoint && computeOutputs(endpoint) }),
              ...createdConnection(endpoint, answer.connection_uris?.[0], answer),
            };
          },
          answers: (answer) => answeredCompute(answer.branch, answer.endpoints),
          leaves: ["default"],
        }),

  read: async (context, state) => {
    const { projectId = "", branchId = "" } = state;
    const [reading, readingCompute] = [readBranch(context, projectId, branchId), computeInState(context, state)];
    // Without the branch, that of its compute fails as well.
    readingCompute.catch(() => undefined);
    const found = await reading;
    if (found === undefined) return undefined;
    const endpoint = await readingCompute;
    return {
      ...branchOutputs(found),
      ...(await readMasking(context, { projectId, branchId }, found.annotations, state.maskingRules !== undefined)),
      ...omitUndefined({ compute: endpoint && computeOutputs(endpoint) }),
      ...(await readConnection(context, projectId, branchId, endpoint, state)),
    };
  },

  update: async (context, state, declared, changes) => {
    const { projectId, branchId } = state;
    const changed = patchable.filter((member) => changes.has(member));
    const plan = await planRestore(context, state, declared, changes);
    if (plan === undefined) await patchBranch(context, state, declared, changed);
    else await restoreAndPatch(context, state, declared, changed, plan);
    if (changes.has("default") && declared.default === true) {
      const { branch: now } = await context.read(branches.get(projectId, branchId));
      if (now.default !== true) await setAsDefault(context, projectId, branchId);
    }
    if (changes.has("compute")) await updateCompute(context, state, declared.compute, changes);
    if (changes.has("maskingRules") && declared.maskingRules !== undefined) {
      await changeMasking(context, state, declared.maskingRules);
    }
  },

  remove: async (context, state) => {
    const { projectId, branchId } = state;
    await handOverDefault(context, state);
    await deleteObject(context, {
      what: "delete branch",
      object: `branch ${branchId}`,
      project: projectId,
      request: branches.delete(projectId, branchId),
      confirms: (answer) => answer.branch !== undefined,
      exists: async () => (await readBranch(context, projectId, branchId)) !== undefined,
      explain: (error) => explainedByObstacle(context, state, error, "was not deleted", deleteObstacles),
    });
    await warnOfLeftCompute(context, state);
  },

  find: async (context, { projectId, name }, id) => {
    if (id !== undefined) return { projectId, branchId: adoptedSegment(id, projectId) };
    const found = await branchNamed(context, projectId, name);
    return found && { projectId, branchId: found.id };
  },

  recovery: {
    by: "tag",
    list: async (context, { projectId }, since) => {
      const tagged: TaggedObject<BranchOutputs>[] = [];
      for await (const { branch: one, annotations } of context.list(branches.list(projectId, { sortOrder: "desc" }))) {
        if (Date.parse(one.created_at) < since.getTime()) break;
        const tag = annotations[tagAnnotation];
        if (tag !== undefined) tagged.push({ tag, found: { projectId, branchId: one.id } });
      }
      return tagged;
    },
    tagOf: async (context, { projectId, branchId }) =>
      (await readBranch(context, projectId, branchId))?.annotations[tagAnnotation],
    untagged: ({ snapshotId }) => (snapshotId === undefined ? undefined : listNamed),
  },

  parts: ({ projectId, endpointId }, declared) =>
    declared.has("compute") && endpointId !== undefined ? [{ kind: "Endpoint", id: idOf(projectId, endpointId) }] : [],

  undeletable: async (context, { projectId, branchId }) => {
    // If the project does not exist, the branch is deleted with it.
    const first = (await ignoreNotFound(firstBranch(context, projectId)))?.branch;
    return first?.id === branchId ? createdWithProject(titleOf(first)) : undefined;
  },

  finishing: {
    usable: async (context, { projectId, branchId }) => {
      const found = await readBranch(context, projectId, branchId);
      if (found === undefined || found.branch.current_state === "init") return false;
      const { maskingState } = await readMasking(context, { projectId, branchId }, found.annotations, false);
      return maskingState !== preparationFailed;
    },
    complete: async (context, created) => {
      if (created.maskingRules !== undefined) await finishMasking(context, created);
    },
    repair: async (context, state) => retryFirstStart(context, await computeInState(context, state)),
  },
};

/**
 * The creation of a branch from a snapshot. The request carries no annotations: after a lost response, the name, the snapshot
 * that the branch was restored from, and the time tell which branch it has made.
 */
function restoredFrom(
  snapshotId: string,
  { projectId, name }: Omit<BranchInputs, "snapshotId">,
): Creation<BranchOutputs> {
  return creation({
    what: "restore snapshot as a branch",
    request: () => snapshots.restore(projectId, snapshotId, omitUndefined({ name })),
    repeatable: true,
    outputs: ({ branch: restored }) => branchOutputs({ branch: restored, annotations: {} }),
    leaves: ["protected", "expiresAt", "compute", "default"],
  });
}

async function listNamed(
  context: Context,
  { projectId, name }: BranchInputs,
): Promise<readonly DatedObject<BranchOutputs>[]> {
  const named = await branchNamed(context, projectId, name);
  return named === undefined ? [] : [{ createdAt: named.created_at, found: { projectId, branchId: named.id } }];
}

/** The inputs that are members of the branch itself in a create request. */
const branchMembers = z.object(camelShape(branchCreate.shape));

function createRequest(declared: BranchInputs, tag: Readonly<Record<string, string>>) {
  const { projectId, maskingRules: rules } = declared;
  const { annotation_value, ...body } = createBody(declared, tag);
  if (rules === undefined) return branches.create(projectId, { ...body, annotation_value });
  return masking.create(projectId, {
    branch_create: body,
    annotation_value,
    masking_rules: toWire(rules.map(omitUndefined)),
    start_anonymization: true,
  });
}

function createBody(declared: BranchInputs, tag: Readonly<Record<string, string>>): BranchCreateBody {
  const { annotations, compute: declaredCompute } = declared;
  return {
    branch: toWire(branchMembers.parse(declared)),
    ...(declaredCompute === undefined ? {} : { endpoints: [{ type: "read_write", ...computeBody(declaredCompute) }] }),
    annotation_value: { ...annotations, ...tag },
  };
}

/** The inputs that a PATCH of the branch changes. */
const patchable = ["name", "protected", "expiresAt"] as const;
type Patchable = (typeof patchable)[number];

async function patchBranch(
  context: Context,
  state: BranchOutputs,
  declared: BranchInputs,
  members: readonly Patchable[],
): Promise<void> {
  const { projectId, branchId } = state;
  const body: BranchUpdate = omitUndefined({
    name: members.includes("name") ? await newName(context, state, declared) : undefined,
    protected: members.includes("protected") ? declared.protected : undefined,
    expires_at: members.includes("expiresAt") ? (declared.expiresAt ?? null) : undefined,
  });
  if (Object.keys(body).length === 0) return;
  await context
    .change({
      what: "update branch",
      project: projectId,
      request: branches.update(projectId, branchId, body),
      applies: members,
      done: async () => {
        const now = (await readBranch(context, projectId, branchId))?.branch;
        return contains({ ...now, expires_at: now?.expires_at ?? null }, body);
      },
    })
    .catch(async (error: unknown) => {
      if (hasStatus(error, 409) && body.name !== undefined)
        throw await explainedByName(context, state, body.name, error);
      if (typeof body.expires_at !== "string") throw error;
      throw await explainedByObstacle(context, state, error, "cannot expire", expiryObstacles);
    });
}

/** The 409 for a new name, explained by the branch that has it. */
async function explainedByName(
  context: Context,
  { projectId, branchId, name }: BranchOutputs,
  newName: string,
  error: HttpError,
): Promise<unknown> {
  const other = await branchNamed(context, projectId, newName).catch(() => undefined);
  if (other === undefined) return error;
  return explained(
    `The ${titleOf({ name, id: branchId })} was not renamed: the ${titleOf(other)} has that name already`,
    error,
    "Declare another `name`. If two branches of the program exchange names, give one of them a third name first.",
  );
}

/**
 * The new name, or `undefined` if the branch has it already, which the platform refuses: an `up` that was killed can have
 * renamed the branch.
 */
async function newName(
  context: Context,
  { projectId, branchId, name: known }: BranchOutputs,
  { name }: BranchInputs,
): Promise<string | undefined> {
  if (name === undefined || name === known) return undefined;
  const found = await readBranch(context, projectId, branchId);
  return found?.branch.name === name ? undefined : name;
}

/** Restores a branch. A protection that is removed by the same update is removed before, one that is added is added after. */
async function restoreAndPatch(
  context: Context,
  state: BranchOutputs,
  declared: BranchInputs,
  changed: readonly Patchable[],
  plan: RestorePlan,
): Promise<void> {
  const before = changed.filter(
    (member) => member === "name" || (member === "protected" && declared.protected !== true),
  );
  await patchBranch(context, state, declared, before);
  await applyRestore(context, plan);
  // A reset from the parent extends the life of a branch that expires.
  const { branch: now } = await context.read(branches.get(state.projectId, state.branchId));
  const isExpiryKept =
    declared.expiresAt === undefined || same({ equality: "instant" }, now.expires_at, declared.expiresAt);
  const after = patchable.filter((member) =>
    member === "expiresAt" && !isExpiryKept ? true : changed.includes(member) && !before.includes(member),
  );
  await patchBranch(context, state, declared, after);
}

const deleteObstacles: readonly Obstacle[] = [
  { is: "protected", fix: "Set `protected: false`, run `pulumi up`, then delete it." },
  { is: "parent", fix: "Delete the children first." },
  {
    is: "default",
    fix: "Declare `defaultSuccessorId`, the branch that becomes the default instead, run `pulumi up`, then delete this one. If its project is deleted with it, set the resource option `deletedWith` to the project.",
  },
];

const expiryObstacles: readonly Obstacle[] = [
  { is: "default", fix: "Remove `expiresAt`." },
  { is: "protected", fix: "Set `protected: false` or remove `expiresAt`." },
  { is: "parent", fix: "Delete the children first." },
];

function branchOutputs({ branch: found, annotations }: AnnotatedBranch): BranchOutputs {
  const { [maskedAnnotation]: _, ...own } = withoutTag(annotations);
  return {
    projectId: found.project_id,
    branchId: found.id,
    name: found.name,
    ...omitUndefined({
      parentId: found.parent_id,
      parentLsn: found.parent_lsn,
      parentTimestamp: found.parent_timestamp,
      initSource: found.init_source as BranchOutputs["initSource"],
      protected: found.protected,
      expiresAt: found.expires_at ?? undefined,
      snapshotId: found.restored_from,
      annotations: Object.keys(own).length === 0 ? undefined : own,
    }),
    createdAt: found.created_at,
  };
}
