import { z } from "zod";

import { camelShape, toWire } from "../../api/camel-case";
import { HttpError, isNotFound, PlatformError, summaryOf } from "../../api/errors";
import {
  type AnnotatedBranch,
  type Branch,
  branchCreate,
  type BranchCreateBody,
  branches,
  type BranchUpdate,
  tagAnnotation,
  withoutTag,
} from "../../api/schemas/branch";
import { endpoints, type EndpointUpdate } from "../../api/schemas/endpoint";
import { objectId, textMap } from "../../api/schemas/wire";
import type { Context } from "../kind/context";
import { same } from "../kind/field-rules";
import { adoptedSegment, identifiedBy, idOf } from "../kind/id";
import type { Changes, Kind, TaggedObject } from "../kind/kind";
import { contains } from "../kind/values";
import { adopt } from "./shared/adopt";
import {
  compute,
  type Compute,
  computeBody,
  computeOutputs,
  readWriteEndpoint,
  startUnstarted,
} from "./shared/compute";
import { type Connection, createdConnection, readConnection } from "./shared/connection";
import { deleteObject, present } from "./shared/delete";
import { childrenOf, listed, plannedRestore, type PlannedRestore, restore, sendRestore } from "./shared/restore";

const inputs = z
  .strictObject({
    projectId: objectId,
    ...camelShape(branchCreate.shape),
    annotations: textMap.optional(),
    compute: compute.optional(),
    default: z.boolean().optional(),
    defaultSuccessorId: objectId.optional(),
    restore: restore.optional(),
    resetTrigger: z.string().optional(),
    adopt: adopt.optional(),
  })
  .superRefine((value, context) => {
    if (value.expiresAt === undefined) return;
    const others = [value.protected === true ? "protected" : [], value.default === true ? "default" : []].flat();
    for (const other of others) {
      context.addIssue({ code: "custom", path: ["expiresAt"], message: `a ${other} branch cannot expire` });
    }
  });
/** What a program declares of a branch. */
export type BranchInputs = z.infer<typeof inputs>;

/** What there is to know of a branch. */
export interface BranchOutputs extends Omit<BranchInputs, "adopt" | "name">, Connection {
  readonly branchId: string;
  readonly name: string;
  readonly createdAt: string;
}

/** A branch with its read-write compute. */
export const branch: Kind<BranchInputs, BranchOutputs> = {
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
    annotations: { onChange: "replace" },
    expiresAt: { onRemove: "clear", equality: "instant" },
    compute: { onRemove: "clear" },
    "compute.settings.preloadLibraries.enabledLibraries": { equality: "set" },
    // Another branch takes the mark over without this one being changed, which is then no difference here.
    default: { unset: "false", platform: "moves", onRemove: "clear" },
    defaultSuccessorId: { platform: "unaware", onRemove: "clear" },
    restore: { platform: "unaware", onRemove: "clear" },
    resetTrigger: { platform: "unaware", onRemove: "clear" },
  },
  controls: ["adopt"],
  defaultName: "name",
  secrets: ["connectionUri"],
  uniqueBy: ["projectId", "name"],
  lossOnReplace: "What was written to the old branch goes with it; the new one begins as a copy of its parent.",
  ...identifiedBy("projectId", "branchId"),

  create: async (context, declared) => {
    const made = await context.create({
      what: `create branch ${declared.name ?? ""}`,
      request: (mark) => branches.create(declared.projectId, createBody(declared, mark)),
      repeatable: true,
      record: (answer) => {
        const endpoint = answer.endpoints.find(({ type }) => type === "read_write");
        return {
          id: idOf(declared.projectId, answer.branch.id),
          outputs: {
            ...branchOutputs(answer.branch, declared.annotations ?? {}),
            ...(endpoint === undefined ? {} : { compute: computeOutputs(endpoint) }),
            ...createdConnection(endpoint, answer.connection_uris?.[0], answer),
          },
        };
      },
    });
    if (declared.default === true) await markDefault(context, declared.projectId, made.outputs.branchId, ["default"]);
    return made;
  },

  read: async (context, state) => {
    const { projectId = "", branchId = "" } = state;
    const found = await readBranch(context, projectId, branchId);
    if (found === undefined) return undefined;
    const endpoint = await readWriteEndpoint(context, projectId, branchId);
    return {
      ...branchOutputs(found.branch, found.annotations),
      ...(endpoint === undefined ? {} : { compute: computeOutputs(endpoint) }),
      ...(await readConnection(context, projectId, branchId, endpoint, state)),
    };
  },

  update: async (context, state, declared, changes) => {
    const changed = patchable.filter((member) => changes.has(member));
    const restoring = await plannedRestore(context, state, declared, changes);
    if (restoring === undefined) await patchBranch(context, state, declared, changed);
    else await restoreBranch(context, state, declared, changed, restoring);
    if (changes.has("default") && declared.default === true) await becomeDefault(context, state);
    if (changes.has("compute")) await updateCompute(context, state, declared.compute, changes);
  },

  remove: async (context, { projectId, branchId, defaultSuccessorId }) => {
    if (defaultSuccessorId !== undefined) await handOver(context, projectId, branchId, defaultSuccessorId);
    await deleteObject(context, {
      object: `branch ${branchId}`,
      project: projectId,
      request: branches.delete(projectId, branchId),
      tells: (answer) => answer.branch !== undefined,
      isThere: async () => (await readBranch(context, projectId, branchId)) !== undefined,
      explained: (error) => deletionExplained(context, projectId, branchId, error),
    });
  },

  find: async (context, { projectId, name }, id) => {
    if (id !== undefined) return { projectId, branchId: adoptedSegment(id, projectId) };
    for await (const { branch: found } of context.list(branches.list(projectId, { search: name }))) {
      if (found.name === name) return { projectId, branchId: found.id };
    }
    return undefined;
  },

  recovery: {
    by: "tag",
    list: async (context, { projectId, name }, since) => {
      const tagged: TaggedObject<BranchOutputs>[] = [];
      const search = since === undefined ? name : undefined;
      for await (const { branch: one, annotations } of context.list(
        branches.list(projectId, { search, sortOrder: "desc" }),
      )) {
        if (since !== undefined && Date.parse(one.created_at) < since.getTime()) break;
        const tag = annotations[tagAnnotation];
        const isMeant = since !== undefined || one.name === name;
        if (tag !== undefined && isMeant) tagged.push({ tag, found: { projectId, branchId: one.id } });
      }
      return tagged;
    },
  },

  parts: ({ projectId, endpointId }, declared) =>
    declared.has("compute") && endpointId !== undefined ? [{ kind: "Endpoint", id: idOf(projectId, endpointId) }] : [],

  undeletable: async (context, { projectId, branchId, parentId }) => {
    if (parentId !== undefined) return undefined;
    try {
      const oldest = context.list(branches.list(projectId, { sortOrder: "asc" }), { limit: 1 });
      for await (const { branch: first } of oldest) {
        if (first.id === branchId)
          return `The branch ${first.name} (${branchId}) came with its project and goes only with it.`;
      }
    } catch (error) {
      // Its project is gone, and it with it.
      if (!isNotFound(error)) throw error;
    }
    return undefined;
  },

  usable: async (context, { projectId, branchId }) => {
    const found = await readBranch(context, projectId, branchId);
    return found !== undefined && found.branch.current_state !== "init";
  },

  repair: (context, { projectId, branchId }) => startUnstarted(context, projectId, branchId),
};

function createBody(declared: BranchInputs, mark: Readonly<Record<string, string>>): BranchCreateBody {
  const { projectId: _, adopt: _adopt, annotations, compute: wanted, ...others } = declared;
  const {
    default: _default,
    defaultSuccessorId: _successor,
    restore: _restore,
    resetTrigger: _trigger,
    ...own
  } = others;
  return {
    branch: toWire(own),
    ...(wanted === undefined ? {} : { endpoints: [{ type: "read_write", ...computeBody(wanted) }] }),
    annotation_value: { ...annotations, ...mark },
  };
}

/** The inputs that a PATCH of the branch itself changes. */
const patchable = ["name", "protected", "expiresAt"] as const;
type Patchable = (typeof patchable)[number];

async function patchBranch(
  context: Context,
  { projectId, branchId, name }: BranchOutputs,
  declared: BranchInputs,
  members: readonly Patchable[],
): Promise<void> {
  const body: BranchUpdate = {
    ...(members.includes("name") ? await renaming(context, { projectId, branchId, name }, declared.name) : {}),
    ...(members.includes("protected") && declared.protected !== undefined ? { protected: declared.protected } : {}),
    ...(members.includes("expiresAt") ? { expires_at: declared.expiresAt ?? null } : {}),
  };
  if (Object.keys(body).length === 0) return;
  await context
    .change({
      what: `update branch ${name}`,
      project: projectId,
      request: branches.update(projectId, branchId, body),
      applies: members,
      done: async () => {
        const { branch: now } = (await readBranch(context, projectId, branchId)) ?? {};
        return contains({ ...now, expires_at: now?.expires_at ?? null }, body);
      },
    })
    .catch(async (error: unknown) => {
      throw await expiryExplained(context, projectId, branchId, body, error);
    });
}

/** Overwrites a branch: what stands in the way of that is changed before, and what would stand in its way after it. */
async function restoreBranch(
  context: Context,
  state: BranchOutputs,
  declared: BranchInputs,
  changed: readonly Patchable[],
  restoring: PlannedRestore,
): Promise<void> {
  const first: readonly Patchable[] = declared.protected === true ? ["name"] : ["name", "protected"];
  await patchBranch(
    context,
    state,
    declared,
    changed.filter((member) => first.includes(member)),
  );
  await sendRestore(context, restoring);
  // The platform lets a branch that is reset from its parent live for as long again.
  const { branch: now } = await context.read(branches.get(state.projectId, state.branchId));
  const isKept = declared.expiresAt === undefined || same({ equality: "instant" }, now.expires_at, declared.expiresAt);
  await patchBranch(
    context,
    state,
    declared,
    patchable.filter(
      (member) => (member === "expiresAt" && !isKept) || (changed.includes(member) && !first.includes(member)),
    ),
  );
}

/** Makes the branch the default one, unless it is. */
async function becomeDefault(context: Context, { projectId, branchId }: BranchOutputs): Promise<void> {
  const { branch: now } = await context.read(branches.get(projectId, branchId));
  if (now.default !== true) await markDefault(context, projectId, branchId, ["default"]);
}

async function markDefault(
  context: Context,
  projectId: string,
  branchId: string,
  applies: readonly string[],
): Promise<void> {
  await context.change({
    what: `make branch ${branchId} the default one`,
    project: projectId,
    request: branches.setAsDefault(projectId, branchId),
    applies,
    done: async () => (await readBranch(context, projectId, branchId))?.branch.default === true,
  });
}

/**
 * Lets another branch become the default one before this one is deleted. Not if the delete is going to be refused
 * anyway: then nothing should change.
 */
async function handOver(context: Context, projectId: string, branchId: string, successorId: string): Promise<void> {
  const found = await readBranch(context, projectId, branchId);
  if (found?.branch.default !== true || found.branch.protected === true) return;
  if ((await childrenOf(context, projectId, branchId)).length > 0) return;
  const { name } = found.branch;
  const failed = (reason: string, cause: unknown): PlatformError =>
    new PlatformError(
      "invalid",
      `The branch ${name} (${branchId}) is the project's default one and was not deleted, because \`defaultSuccessorId\` ${reason}`,
      cause,
      { fix: "Declare another one." },
    );
  if (successorId === branchId) throw failed("names the branch itself", undefined);
  await markDefault(context, projectId, successorId, []).catch((error: unknown) => {
    if (!HttpError.isInstance(error) || (error.status !== 404 && error.status !== 422)) throw error;
    throw failed(`names ${successorId}, which cannot become the default one. (${error.summary})`, error);
  });
}

/**
 * A new name, unless the branch has it already, which the platform refuses: an earlier `up` may have been killed after
 * it had renamed the branch.
 */
async function renaming(
  context: Context,
  { projectId, branchId, name }: Pick<BranchOutputs, "projectId" | "branchId" | "name">,
  wanted: string | undefined,
): Promise<Pick<BranchUpdate, "name">> {
  if (wanted === undefined || wanted === name) return {};
  const found = await readBranch(context, projectId, branchId);
  return found?.branch.name === wanted ? {} : { name: wanted };
}

async function updateCompute(
  context: Context,
  { projectId, branchId, endpointId }: BranchOutputs,
  wanted: Compute | undefined,
  changes: Changes,
): Promise<void> {
  const endpoint = (): ReturnType<typeof readWriteEndpoint> => readWriteEndpoint(context, projectId, branchId);
  if (wanted === undefined) {
    if (endpointId === undefined || context.isHeldByOther({ kind: "Endpoint", id: idOf(projectId, endpointId) }))
      return;
    await deleteObject(context, {
      object: `compute ${endpointId}`,
      project: projectId,
      request: endpoints.delete(projectId, endpointId),
      applies: ["compute"],
      tells: (answer) => answer.endpoint !== undefined,
      isThere: async () => (await endpoint()) !== undefined,
    });
  } else if (endpointId === undefined) {
    const creation = context.change({
      what: "create compute",
      project: projectId,
      request: endpoints.create(projectId, { branch_id: branchId, type: "read_write", ...computeBody(wanted) }),
      applies: ["compute"],
      done: async () => (await endpoint()) !== undefined,
    });
    await creation.catch(async (error: unknown) => {
      if (!HttpError.isInstance(error) || error.status !== 409) throw error;
      const there = await endpoint().catch(() => undefined);
      throw there === undefined ? error : unknownCompute(branchId, there.id, error);
    });
  } else {
    const changed = Object.entries(wanted).filter(([member]) => changes.has(`compute.${member}`));
    const body = toWire(Object.fromEntries(changed)) as EndpointUpdate;
    if (changed.length === 0) return;
    const update = context.change({
      what: "change compute",
      project: projectId,
      request: endpoints.update(projectId, endpointId, body),
      applies: changed.map(([member]) => `compute.${member}`),
      done: async () => contains(await endpoint(), body),
    });
    await update.catch(async (error: unknown) => {
      // If the branch is gone as well, that is what the lifecycle reports.
      const isGone =
        isNotFound(error) &&
        (await endpoint().then(
          (there) => there?.id !== endpointId,
          () => false,
        ));
      throw isGone ? goneCompute(branchId, endpointId, error) : error;
    });
  }
}

/** Somebody else has deleted the compute. The next `up` creates one if the state says that there is none. */
function goneCompute(branchId: string, endpointId: string, error: unknown): PlatformError {
  return new PlatformError(
    "invalid",
    `The compute ${endpointId} of branch ${branchId} no longer exists (${summaryOf(error)})`,
    error,
    { retry: "Run `pulumi refresh`, and then `pulumi up`." },
  );
}

/** An earlier `up` may have been killed after it had made the compute, or somebody else has made one. */
function unknownCompute(branchId: string, endpointId: string, error: HttpError): PlatformError {
  return new PlatformError(
    "invalid",
    `The branch ${branchId} has a read-write compute already, which is not in the state: ${endpointId}. To let the program have it, run \`pulumi refresh\`, and then \`pulumi up\`. (${error.summary})`,
    error,
  );
}

function branchOutputs(found: Branch, annotations: Readonly<Record<string, string>>): BranchOutputs {
  const own = withoutTag(annotations);
  return {
    projectId: found.project_id,
    branchId: found.id,
    name: found.name,
    ...(found.parent_id === undefined ? {} : { parentId: found.parent_id }),
    ...(found.parent_lsn === undefined ? {} : { parentLsn: found.parent_lsn }),
    ...(found.parent_timestamp === undefined ? {} : { parentTimestamp: found.parent_timestamp }),
    ...(found.init_source === undefined
      ? {}
      : { initSource: found.init_source as BranchOutputs["initSource"] & string }),
    ...(found.protected === undefined ? {} : { protected: found.protected }),
    ...(found.expires_at === undefined || found.expires_at === null ? {} : { expiresAt: found.expires_at }),
    ...(Object.keys(own).length === 0 ? {} : { annotations: own }),
    createdAt: found.created_at,
  };
}

async function readBranch(context: Context, projectId: string, branchId: string): Promise<AnnotatedBranch | undefined> {
  const answer = await present(context.read(branches.get(projectId, branchId)));
  return answer && { branch: answer.branch, annotations: answer.annotation?.value ?? {} };
}

/** Why a branch was not deleted: a protected one is never unprotected without being told to. */
async function deletionExplained(
  context: Context,
  projectId: string,
  branchId: string,
  error: unknown,
): Promise<unknown> {
  if (!HttpError.isInstance(error) || error.status !== 422) return error;
  const found = await readBranch(context, projectId, branchId).catch(() => undefined);
  if (found === undefined) return error;
  const { name, protected: isProtected, default: isDefault } = found.branch;
  const explained = (reason: string): PlatformError =>
    new PlatformError("invalid", `The branch ${name} (${branchId}) ${reason} (${error.summary})`, error);
  if (isProtected === true) {
    return explained("is protected and was not deleted. Set `protected: false`, run `pulumi up`, then delete it.");
  }
  const children = await childrenOf(context, projectId, branchId);
  if (children.length > 0) {
    return explained(`has children and was not deleted: ${listed(children)}. Delete them first.`);
  }
  if (isDefault === true) {
    return explained(
      "is the project's default one and was not deleted. Declare `defaultSuccessorId`, the branch that becomes the default one instead, run `pulumi up`, then delete it. If its project is destroyed with it, give it Pulumi's option `deletedWith`.",
    );
  }
  return error;
}

/** Why a branch was not given a time at which it expires. */
async function expiryExplained(
  context: Context,
  projectId: string,
  branchId: string,
  { expires_at: wanted }: BranchUpdate,
  error: unknown,
): Promise<unknown> {
  if (!HttpError.isInstance(error) || error.status !== 422 || typeof wanted !== "string") return error;
  const found = await readBranch(context, projectId, branchId).catch(() => undefined);
  if (found === undefined) return error;
  const { name, protected: isProtected, default: isDefault } = found.branch;
  const explained = (reason: string, mend = "Leave out `expiresAt`."): PlatformError =>
    new PlatformError("invalid", `The branch ${name} (${branchId}) ${reason} (${error.summary})`, error, { fix: mend });
  if (isDefault === true) return explained("is the project's default one, which cannot expire.");
  if (isProtected === true) return explained("is protected, and so cannot expire. Set `protected: false` as well.", "");
  const children = await childrenOf(context, projectId, branchId);
  return children.length > 0
    ? explained(`has children, and so cannot expire: ${listed(children)}.`, "Delete them first.")
    : error;
}
