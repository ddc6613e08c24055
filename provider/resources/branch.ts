import { z } from "zod";

import { camelShape, toWire } from "../../api/case";
import { isNotFound, PlatformError, RefusedError } from "../../api/errors";
import {
  branchCreate,
  branches,
  markAnnotation,
  withoutMark,
  type AnnotatedBranch,
  type Branch,
  type BranchCreateBody,
  type BranchUpdate,
} from "../../api/schemas/branch";
import { endpoints, type BranchEndpointCreate, type EndpointUpdate } from "../../api/schemas/endpoint";
import { textMap } from "../../api/schemas/wire";
import type { Context } from "../context";
import type { Changes, Kind } from "../kind";
import { contains } from "../values";
import { adopt } from "./adopt";
import { compute, computeOutputs, readWriteEndpoint, startUnstarted, type Compute } from "./compute";
import { createdConnection, readConnection, type Connection } from "./connection";

const inputs = z.strictObject({
  projectId: z.string().min(1),
  ...camelShape(branchCreate.shape),
  annotations: textMap.optional(),
  compute: compute.optional(),
  adopt: adopt.optional(),
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
    projectId: { replaces: true },
    parentId: { replaces: true, moves: true },
    parentLsn: { replaces: true, moves: true },
    parentTimestamp: { replaces: true, moves: true, same: "instant" },
    initSource: { replaces: true },
    archived: { replaces: true, unreadable: true },
    annotations: { replaces: true },
    expiresAt: { clears: true, same: "instant" },
    compute: { clears: true },
    "compute.settings.preloadLibraries.enabledLibraries": { same: "set" },
  },
  controls: ["adopt"],
  defaultName: "name",
  secrets: ["connectionUri"],
  uniqueBy: ["projectId", "name"],
  lossOnReplace: "What was written to the old branch goes with it; the new one begins as a copy of its parent.",
  project: ({ projectId }) => (typeof projectId === "string" ? projectId : undefined),
  address: (id) => {
    const [projectId = "", branchId = ""] = id.split("/");
    return { projectId, branchId };
  },
  id: ({ projectId = "", branchId = "" }) => `${projectId}/${branchId}`,

  create: (context, declared) =>
    context.create({
      what: `create branch ${declared.name ?? ""}`,
      request: (mark) => branches.create(declared.projectId, createBody(declared, mark)),
      repeatable: true,
      record: (answer) => {
        const endpoint = answer.endpoints.find(({ type }) => type === "read_write");
        return {
          id: `${declared.projectId}/${answer.branch.id}`,
          outputs: {
            ...branchOutputs(answer.branch, declared.annotations ?? {}),
            ...(endpoint === undefined ? {} : { compute: computeOutputs(endpoint) }),
            ...createdConnection(endpoint, answer.connection_uris?.[0]),
          },
        };
      },
    }),

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
    await updateBranch(context, state, declared, changes);
    if (changes.has("compute")) await updateCompute(context, state, declared.compute, changes);
  },

  remove: async (context, { projectId, branchId }) => {
    const answer = await context
      .change({
        what: `delete branch ${branchId}`,
        project: projectId,
        request: branches.delete(projectId, branchId),
        done: async () => (await readBranch(context, projectId, branchId)) === undefined,
      })
      .catch(async (error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw await protectedExplained(context, projectId, branchId, error);
      });
    if (answer?.branch === undefined) await confirmGone(context, projectId, branchId);
  },

  find: async (context, { projectId, name }, id) => {
    if (id !== undefined) return { projectId, branchId: id.split("/").at(-1) ?? id };
    for await (const { branch: found } of context.list(branches.list(projectId, { search: name }))) {
      if (found.name === name) return { projectId, branchId: found.id };
    }
    return undefined;
  },

  marked: async (context, { projectId, name }, since) => {
    const found: { mark: string; found: Partial<BranchOutputs> }[] = [];
    const search = since === undefined ? name : undefined;
    for await (const one of context.list(branches.list(projectId, { search, sortOrder: "desc" }))) {
      if (since !== undefined && Date.parse(one.branch.created_at) < since.getTime()) break;
      const mark = one.annotations[markAnnotation];
      if (mark !== undefined) found.push({ mark, found: { projectId, branchId: one.branch.id } });
    }
    return found;
  },

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
  const { projectId: _, annotations, compute: wanted, adopt: __, ...own } = declared;
  return {
    branch: toWire(own),
    ...(wanted === undefined ? {} : { endpoints: [{ type: "read_write", ...computeBody(wanted) }] }),
    annotation_value: { ...annotations, ...mark },
  };
}

/** The platform refuses the settings of a new compute without Postgres settings, even empty ones. */
function computeBody({ settings, ...sizing }: Compute): Omit<BranchEndpointCreate, "type"> {
  return toWire({ ...sizing, ...(settings === undefined ? {} : { settings: { pgSettings: {}, ...settings } }) });
}

async function updateBranch(
  context: Context,
  { projectId, branchId, name }: BranchOutputs,
  declared: BranchInputs,
  changes: Changes,
): Promise<void> {
  const body: BranchUpdate = {
    ...(changes.has("name") ? await renaming(context, { projectId, branchId, name }, declared.name) : {}),
    ...(changes.has("protected") && declared.protected !== undefined ? { protected: declared.protected } : {}),
    ...(changes.has("expiresAt") ? { expires_at: declared.expiresAt ?? null } : {}),
  };
  if (Object.keys(body).length === 0) return;
  await context.change({
    what: `update branch ${name}`,
    project: projectId,
    request: branches.update(projectId, branchId, body),
    applies: ["name", "protected", "expiresAt"].filter((path) => changes.has(path)),
    done: async () => {
      const { branch: now } = (await readBranch(context, projectId, branchId)) ?? {};
      return contains({ ...now, expires_at: now?.expires_at ?? null }, body);
    },
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
    if (endpointId === undefined) return;
    await context.change({
      what: "delete compute",
      project: projectId,
      request: endpoints.delete(projectId, endpointId),
      applies: ["compute"],
      done: async () => (await endpoint()) === undefined,
    });
  } else if (endpointId === undefined) {
    await context.change({
      what: "create compute",
      project: projectId,
      request: endpoints.create(projectId, { branch_id: branchId, type: "read_write", ...computeBody(wanted) }),
      applies: ["compute"],
      done: async () => (await endpoint()) !== undefined,
    });
  } else {
    const changed = Object.entries(wanted).filter(([member]) => changes.has(`compute.${member}`));
    const body = toWire(Object.fromEntries(changed)) as EndpointUpdate;
    if (changed.length === 0) return;
    await context.change({
      what: "change compute",
      project: projectId,
      request: endpoints.update(projectId, endpointId, body),
      applies: changed.map(([member]) => `compute.${member}`),
      done: async () => contains(await endpoint(), body),
    });
  }
}

function branchOutputs(found: Branch, annotations: Readonly<Record<string, string>>): BranchOutputs {
  const own = withoutMark(annotations);
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
  try {
    const answer = await context.read(branches.get(projectId, branchId));
    return { branch: answer.branch, annotations: answer.annotation?.value ?? {} };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * A branch that a delete did not find can be on its way out by an earlier one, whose operation may yet end badly: then it
 * is there again.
 */
async function confirmGone(context: Context, projectId: string, branchId: string): Promise<void> {
  try {
    await context.settle(projectId);
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  if ((await readBranch(context, projectId, branchId)) === undefined) return;
  throw new PlatformError(
    "invalid",
    `The branch ${branchId} is there again: an earlier attempt to delete it ended badly. Run the same command again.`,
    undefined,
  );
}

/** Why a branch was not deleted: a protected one is never unprotected without being told to. */
async function protectedExplained(
  context: Context,
  projectId: string,
  branchId: string,
  error: unknown,
): Promise<unknown> {
  if (!RefusedError.isInstance(error) || error.status !== 422) return error;
  const found = await readBranch(context, projectId, branchId).catch(() => undefined);
  if (found?.branch.protected !== true) return error;
  return new PlatformError(
    "invalid",
    `The branch ${found.branch.name} (${branchId}) is protected and was not deleted. Set \`protected: false\`, run \`pulumi up\`, then delete it. (${error.message})`,
    error,
  );
}
