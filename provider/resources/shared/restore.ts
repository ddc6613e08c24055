import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { camelShape } from "../../../api/camel-case";
import { HttpError, PlatformError } from "../../../api/errors";
import { type Branch, branches, branchRestore, type BranchRestore } from "../../../api/schemas/branch";
import type { Context } from "../../kind/context";
import { idOf } from "../../kind/id";
import type { Changes } from "../../kind/kind";
import type { Values } from "../../kind/values";
import { pick } from "../../kind/values";

const { sourceBranchId, ...point } = camelShape(branchRestore.shape);

/** What a branch is overwritten with when the trigger changes, as a program declares it. */
export const restore = z
  .strictObject({ trigger: z.string(), sourceBranchId: sourceBranchId.optional(), ...point })
  .refine(({ sourceLsn, sourceTimestamp }) => sourceLsn === undefined || sourceTimestamp === undefined, {
    message: "sourceLsn and sourceTimestamp exclude each other: declare one of them",
  });
/** The source of a restore, and what makes it happen. */
export type Restore = z.infer<typeof restore>;

/** What of a branch's declared inputs a restore depends on. */
interface Declared {
  readonly parentId?: string | undefined;
  readonly restore?: Restore | undefined;
  readonly resetTrigger?: string | undefined;
}

/** A restore that is to be sent. */
export interface PlannedRestore {
  /** The branch as it is before. */
  readonly before: Branch;
  readonly body: BranchRestore;
  /** Paths of the inputs that ask for it. */
  readonly applies: readonly string[];
  /** The trigger that asks for it, with its value. */
  readonly idempotencyKey: string;
}

/**
 * The restore that these changes ask for, judged as far as that goes without sending it, so that nothing else of the same
 * update is done before a mistake in it is found.
 */
export async function plannedRestore(
  context: Context,
  { projectId, branchId }: { readonly projectId: string; readonly branchId: string },
  declared: Declared,
  changes: Changes,
): Promise<PlannedRestore | undefined> {
  if (!changes.has("restore.trigger") && !changes.has("resetTrigger")) return undefined;
  const wanted = changes.has("restore.trigger") ? declared.restore : undefined;
  const isReset = changes.has("resetTrigger") && declared.resetTrigger !== undefined;
  const before = await settledBranch(context, projectId, branchId);
  if (wanted === undefined && !isReset) {
    assertUsable(before);
    return undefined;
  }
  if (wanted !== undefined && isReset) {
    throw invalid(
      "`restore.trigger` and `resetTrigger` changed at once, and a branch cannot be overwritten with two things: change one, run `pulumi up`, then change the other.",
    );
  }
  const body = await restoreBody(context, before, wanted, declared.parentId);
  const members = Object.entries(wanted ?? {}).filter(([, value]) => value !== undefined);
  return {
    before,
    body,
    applies: wanted === undefined ? ["resetTrigger"] : members.map(([member]) => `restore.${member}`),
    idempotencyKey:
      wanted === undefined ? `resetTrigger ${declared.resetTrigger ?? ""}` : `restore.trigger ${wanted.trigger}`,
  };
}

/** Overwrites the branch, and waits until it can be used again. */
export async function sendRestore(
  context: Context,
  { before, body, applies, idempotencyKey }: PlannedRestore,
): Promise<void> {
  const { project_id: projectId, id: branchId, name } = before;
  await context
    .change({
      what: `restore branch ${name}`,
      project: projectId,
      request: branches.restore(projectId, branchId, body),
      applies,
      // Its roles have the source's passwords now: how to connect is asked for anew.
      record: () => ({ host: undefined }),
      once: { objectId: idOf(projectId, branchId), idempotencyKey, before: signsOf(before) },
      done: (signs) => isRestored(context, before, signs),
    })
    .catch(async (error: unknown) => {
      throw await restoreExplained(context, before, body, error);
    });
}

/** What moves when a branch is overwritten. `last_reset_at` is documented for resets from the parent only. */
const signs = [
  "current_state",
  "last_reset_at",
  "state_changed_at",
  "parent_id",
  "parent_lsn",
  "parent_timestamp",
] as const;

function signsOf(branch: Branch): Values {
  return pick(branch, signs);
}

/**
 * Whether the branch has been overwritten since it was like that, asked when the answer was lost or nobody knows whether
 * an earlier run got one.
 *
 * A second restore would lose what was written since the first one. So whatever shows that there was one counts: a branch
 * that is `resetting`, was in another state meanwhile, or begins elsewhere. If somebody else has overwritten it in the
 * same moment, that counts as ours: it is better to leave out a restore, which can be ordered again, than to destroy what
 * was just written. Only if nothing has moved for the time that lost requests are looked for is it sent again; the
 * platform has then not begun with the first one.
 */
async function isRestored(
  context: Context,
  { project_id: projectId, id }: Branch,
  { current_state: state, ...before }: Values,
): Promise<boolean> {
  const get = branches.get(projectId, id);
  const { branch } = await context.read(get);
  const { current_state: stateNow, ...now } = signsOf(branch);
  const hasBegun = !isDeepStrictEqual(now, before);
  const isResetting = stateNow === "resetting";
  if (!hasBegun && (!isResetting || state === "resetting")) return false;
  if (!isResetting) return true;
  // One that ends badly leaves a branch that nobody can use: there is nothing to lose by doing it again.
  await context.waitUntilIdle(projectId);
  return (await context.read(get)).branch.current_state !== "resetting";
}

async function restoreBody(
  context: Context,
  before: Branch,
  wanted: Restore | undefined,
  declaredParent: string | undefined,
): Promise<BranchRestore> {
  const { sourceLsn, sourceTimestamp, preserveUnderName } = wanted ?? {};
  const source = wanted?.sourceBranchId ?? parentOf(before, declaredParent);
  const point = {
    source_branch_id: source,
    ...(sourceLsn === undefined ? {} : { source_lsn: sourceLsn }),
    ...(sourceTimestamp === undefined ? {} : { source_timestamp: sourceTimestamp }),
  };
  const isNamed = preserveUnderName !== undefined && preserveUnderName !== "";
  const isSelf = source === before.id;
  if (isSelf && (Object.keys(point).length === 1 || !isNamed)) {
    throw invalid(
      `The branch ${before.name} (${before.id}) is restored from its own history: declare \`restore.sourceTimestamp\` or \`restore.sourceLsn\`, and \`restore.preserveUnderName\`, the name under which its present state is kept.`,
    );
  }
  if (!isNamed) return point;
  const kept = before.current_state === "resetting" ? await branchNamed(context, before, preserveUnderName) : undefined;
  if (kept === undefined) return { ...point, preserve_under_name: preserveUnderName };
  // Its state was preserved by an attempt that ended badly, and its history went with it.
  if (!isSelf) return point;
  throw invalid(
    `An earlier attempt to restore the branch ${before.name} (${before.id}) ended badly, and has moved its history to the branch ${kept.name} (${kept.id}). To restore it from there, declare \`restore.sourceBranchId: "${kept.id}"\` and leave out \`restore.preserveUnderName\`.`,
  );
}

/** The parent to reset from. It can be another one than the branch was made from: a restore moves it. */
function parentOf({ id, name, parent_id: parentId }: Branch, declared: string | undefined): string {
  if (parentId === undefined) {
    throw invalid(
      `The branch ${name} (${id}) is a root branch: it has no parent that it could be reset from. Declare \`restore.sourceBranchId\`, the branch to restore it from.`,
    );
  }
  if (declared !== undefined && declared !== parentId) {
    throw invalid(
      `Since an earlier restore the parent of the branch ${name} (${id}) is ${parentId}, and not ${declared}, which the program declares as \`parentId\`. Declare which one is meant as \`restore.sourceBranchId\`.`,
    );
  }
  return parentId;
}

/** The branch, once nothing is under way with it: if it is `resetting` then, that is what an earlier attempt has left. */
async function settledBranch(context: Context, projectId: string, branchId: string): Promise<Branch> {
  const get = branches.get(projectId, branchId);
  const { branch } = await context.read(get);
  if (branch.current_state !== "resetting") return branch;
  await context.waitUntilIdle(projectId);
  return (await context.read(get)).branch;
}

async function branchNamed(
  context: Context,
  { project_id: projectId }: Branch,
  name: string,
): Promise<Branch | undefined> {
  for await (const { branch } of context.list(branches.list(projectId, { search: name }))) {
    if (branch.name === name) return branch;
  }
  return undefined;
}

/** A restore that ended badly and is no longer declared leaves a branch that nobody can use. */
function assertUsable({ id, name, current_state: state }: Branch): void {
  if (state !== "resetting") return;
  throw invalid(
    `The branch ${name} (${id}) is still resetting: a restore of it ended badly, and the program does not declare it any more. Declare \`restore\` or \`resetTrigger\` again to restore it, or delete the branch.`,
  );
}

/** Why a branch was not restored, with what to do about it. */
async function restoreExplained(
  context: Context,
  before: Branch,
  { preserve_under_name: keepAs, source_branch_id: source }: BranchRestore,
  error: unknown,
): Promise<unknown> {
  if (!HttpError.isInstance(error)) return error;
  const { project_id: projectId, id, name } = before;
  const explained = (reason: string): PlatformError =>
    new PlatformError("invalid", `The branch ${name} (${id}) ${reason} (${error.summary})`, error);
  if (error.status === 409 && keepAs !== undefined) {
    return explained(
      `was not restored, because there is a branch named "${keepAs}" already: declare another \`restore.preserveUnderName\`.`,
    );
  }
  if (error.status === 404 && source !== id) {
    const own = await context.read(branches.get(projectId, id)).catch(() => undefined);
    return own === undefined
      ? error
      : explained(
          `was not restored, because its project has no branch ${source} to restore it from: declare another \`restore.sourceBranchId\`.`,
        );
  }
  if (error.status !== 422) return error;
  const { branch: now } = await context.read(branches.get(projectId, id)).catch(() => ({ branch: before }));
  if (now.protected === true) {
    return explained("is protected and was not restored. Set `protected: false` for as long as that takes.");
  }
  const children = keepAs === undefined ? await childrenOf(context, projectId, id) : [];
  if (children.length > 0 && source !== id) {
    return explained(
      `has children and was not restored: ${listed(children)}. Declare \`restore.preserveUnderName\`: they move to the branch that keeps its present state.`,
    );
  }
  return error;
}

/** The branches whose parent a branch is, as far as that can be told now. */
export async function childrenOf(context: Context, projectId: string, branchId: string): Promise<readonly Branch[]> {
  const children: Branch[] = [];
  try {
    for await (const { branch } of context.list(branches.list(projectId))) {
      if (branch.parent_id === branchId) children.push(branch);
    }
  } catch {
    // It only explains a refusal better, which is told anyway.
  }
  return children;
}

/** Branches as a message names them. */
export function listed(all: readonly Branch[]): string {
  const most = 10;
  const named = all.slice(0, most).map(({ name, id }) => `${name} (${id})`);
  return [...named, ...(all.length > most ? [`and ${all.length - most} more`] : [])].join(", ");
}

function invalid(message: string): PlatformError {
  return new PlatformError("invalid", message, undefined);
}
