import { ignoreNotFound } from "../../api/core/errors";
import { type Branch, branches, tagAnnotation } from "../../api/schemas/branch";
import { every } from "../call/collection";
import { changesAt, differences } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import { idOf } from "../kind/id";
import { defineKind, type Kind, Observation } from "../kind/kind";
import { namesakes } from "../kind/options";
import { omitUndefined } from "../values";
import { computeInState, warnOfLeftCompute } from "./branch/change-compute";
import { createBranch } from "./branch/create";
import { handOverDefault } from "./branch/default";
import { type BranchInputs, branchInputs, creationProblems } from "./branch/inputs";
import {
  finishMasking,
  inEffect,
  maskingProblems,
  maskingRulesField,
  preparationFailed,
  readMasking,
} from "./branch/masking";
import { branchTitle, explainedByObstacle, listTitles, type Obstacle } from "./branch/obstacles";
import { branchOutputs, type BranchOutputs, branchOutputSchema } from "./branch/outputs";
import { childrenOf, branchesOf, copiedAt, firstBranch, readBranch } from "./branch/read";
import { noticeReplacement } from "./branch/replaced";
import { emptyingOf, overwriteWarning, restoreProblems, traceOf } from "./branch/restore";
import { lifeOf, sameTtl } from "./branch/ttl";
import { updateBranch } from "./branch/update";
import { retryFirstStart } from "./compute/change";
import { readConnection } from "./compute/connection";
import { computeOutputs } from "./compute/inputs";
import { createdWithProject } from "./project-defaults";

/** The outputs that a restore of a branch can change, besides its data. */
const restored = ["parentId", "parentLsn", "parentTimestamp", "expiresAt", "roleName", "databaseName", "connectionUri"];

/** A branch with its read-write compute. */
export const branch: Kind<BranchInputs, BranchOutputs> = defineKind<BranchInputs, BranchOutputs>({
  name: "Branch",
  noun: "branch",
  inputs: branchInputs,
  outputs: branchOutputSchema,
  identifiedBy: ["projectId", "branchId"],
  rules: {
    parentId: { onChange: "replace", platform: "moves" },
    parentLsn: { onChange: "replace", platform: "moves" },
    parentTimestamp: { onChange: "replace", platform: "moves", equality: "instant" },
    initSource: { onChange: "replace", onDrift: "ignore" },
    archived: { onChange: "replace", platform: "write-only" },
    annotations: { onChange: "replace", onDrift: "ignore", unset: "none" },
    snapshotId: { onChange: "replace", onDrift: "ignore", unset: "none" },
    protected: { onDrift: "ignore" },
    expiresAt: { onRemove: "clear", equality: "instant", affects: ["ttl", "ttlIntervalSeconds"] },
    ttl: { onRemove: "clear", equality: sameTtl, affects: ["expiresAt", "ttlIntervalSeconds"] },
    ttlTrigger: { platform: "unaware", onRemove: "clear", affects: ["expiresAt", "ttlIntervalSeconds"] },
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
  defaultName: "name",
  uniqueBy: ["projectId", "name"],
  replacement: {
    loss: "Data written to the old branch is deleted. The new branch starts as a copy of its parent.",
  },

  empties: emptyingOf,

  preview: {
    problems: async (context, declared, before) => {
      if (before === undefined) return (declared["adopt"] ?? false) === false ? creationProblems(declared) : [];
      const changed = differences(branch, before, [], declared);
      // A replacement creates a new branch: it is not restored, and it can be masked.
      if (changed.some((path) => ruleFor(branch.rules, path).onChange === "replace")) return creationProblems(declared);
      const changes = changesAt(changed);
      return [
        ...(await restoreProblems(context, before, declared, changes)),
        ...(await maskingProblems(context, before, changes)),
      ];
    },
    overwrites: overwriteWarning,
    // A changed name or compute is meant for the branch that has replaced this one.
    refuses: ({ compute }, changes) => changes.has("name") || (changes.has("compute") && compute !== undefined),
  },

  create: createBranch,

  read: async (context, state) => {
    const { projectId = "", branchId = "" } = state;
    const [reading, readingCompute] = [readBranch(context, projectId, branchId), computeInState(context, state)];
    // If the branch does not exist, reading its compute fails as well.
    await Promise.allSettled([reading, readingCompute]);
    const found = await reading;
    if (found === undefined) return undefined;
    const endpoint = await readingCompute;
    const lacksCompute =
      endpoint === undefined && (state.endpointId !== undefined || context.resource.hasDeclared("compute"));
    const obstacle = lacksCompute ? await noticeReplacement(context, { projectId, branchId }) : undefined;
    const masking = await readMasking(
      context,
      { projectId, branchId },
      found.annotations,
      state.maskingRules !== undefined,
    );
    const { connection, latestOperation } = await readConnection(context, projectId, branchId, endpoint, state);
    const outputs = {
      ...branchOutputs(found),
      ...lifeOf(found.branch, state),
      ...inEffect(context, state, masking),
      ...omitUndefined({ compute: endpoint && computeOutputs(endpoint) }),
      ...connection,
    };
    return new Observation(outputs, { evidence: traceOf(found.branch), asOf: latestOperation, obstacle });
  },

  update: updateBranch,

  remove: async (context, state) => {
    const { projectId, branchId } = state;
    await handOverDefault(context, state);
    await context.delete({
      what: "delete branch",
      object: `branch ${branchId}`,
      request: branches.delete(projectId, branchId),
      confirms: (answer) => answer.branch !== undefined,
      exists: async () => (await readBranch(context, projectId, branchId)) !== undefined,
      explain: (error) => explainedByObstacle(context, state, error, "was not deleted", deleteObstacles),
    });
    await warnOfLeftCompute(context, state);
  },

  namesakes: (_, { projectId, name }) =>
    namesakes({
      collection: branchesOf(projectId),
      matches: ({ branch: { name: other } }) => other === name,
      outputs: branchOutputs,
      alone: (reader) => reader.pages(branches.list(projectId, { search: name })),
    }),
  tagOf: async (context, { projectId = "", branchId = "" }) =>
    (await readBranch(context, projectId, branchId))?.annotations[tagAnnotation],

  parts: ({ projectId, endpointId }, declared) =>
    declared.has("compute") && endpointId !== undefined ? [{ kind: "Endpoint", id: idOf(projectId, endpointId) }] : [],

  undeletable: async (context, { projectId, branchId, default: isDeclaredDefault, defaultSuccessorId }) => {
    // If the project does not exist, its branch is gone as well.
    const first = (await ignoreNotFound(firstBranch(context, projectId)))?.branch;
    if (first?.id === branchId) return createdWithProject(branchTitle(first));
    if (isDeclaredDefault === true || defaultSuccessorId !== undefined) return undefined;
    const now = (await readBranch(context, projectId, branchId))?.branch;
    return now && isDefault(now);
  },
  heldBy: async (context, { projectId, branchId, default: isDeclaredDefault, defaultSuccessorId }) => {
    const now = (await readBranch(context, projectId, branchId))?.branch;
    if (now === undefined) return undefined;
    if (now.default === true) {
      return isDeclaredDefault === true || defaultSuccessorId !== undefined ? undefined : isDefault(now);
    }
    const children = await childrenOf(context, projectId, branchId);
    if (children.length === 0) return undefined;
    return `The ${branchTitle(now)} is the parent of the ${listTitles(children)}, and Neon deletes no branch that has children.`;
  },

  finishing: {
    readsState: true,
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

  listing: {
    of: "project",
    list: async (reader, { projectId }) =>
      (await every(reader.pages(branches.list(projectId, { sortOrder: "asc" })))).map(({ branch }) => ({
        address: { branchId: branch.id },
        leftOut: branch.current_state === "init" ? "Neon has not finished creating them" : undefined,
        branch: {
          name: branch.name,
          parentId: branch.parent_id,
          copiedAt: copiedAt(branch),
        },
      })),
  },
});

/** Why a branch cannot be deleted alone: it is the default branch. Undefined for any other branch. */
function isDefault(found: Branch): string | undefined {
  return found.default === true
    ? `The ${branchTitle(found)} is the project's default branch, and is deleted with the project.`
    : undefined;
}

const withProject = "If its project is deleted with it, set the resource option `deletedWith` to the project.";
const deleteObstacles: readonly Obstacle[] = [
  { is: "protected", fix: "Set `protected: false`, run `pulumi up`, then delete it." },
  { is: "parent", fix: `Delete the children first. ${withProject}` },
  {
    is: "default",
    fix: `Declare \`defaultSuccessorId\`, the branch that becomes the default instead, run \`pulumi up\`, then delete this one. ${withProject}`,
  },
];
