import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { camelShape } from "../../../api/core/camel-shape";
import { explained, hasStatus, invalid, type NeonError } from "../../../api/core/errors";
import { lazy } from "../../../api/core/lazy";
import { type Branch, branches, branchRestore, type BranchRestore } from "../../../api/schemas/branch";
import type { Context } from "../../call/context";
import type { Problem } from "../../call/services";
import { combination } from "../../kind/combination";
import type { Changes } from "../../kind/field-rules";
import { idInput } from "../../kind/inputs";
import { only } from "../../kind/outputs";
import type { Emptying } from "../../kind/options";
import { hashOf } from "../../ownership/ids";
import { atPath, omitUndefined, pick, unknownValue, type Values } from "../../values";
import { explainedByObstacle, type Obstacle, branchTitle } from "./obstacles";
import { type BranchAddress, branchNamed, readBranch } from "./read";

/** The value of `sourceBranchId` for the branch itself: a program cannot use the branch's id in its own arguments. */
const self = "self";

/** The input `restore`: the source that a branch is restored from when the trigger changes. */
export const restore = lazy(() => {
  const wire = camelShape(branchRestore.shape);
  return z
    .strictObject({
      trigger: z
        .string()
        .describe(
          "Any string. Changing it, or adding `restore` to an existing branch, restores the branch. Creating or adopting the branch does not restore it, and neither does a change of the other members alone.",
        ),
      sourceBranchId: idInput
        .optional()
        .describe(
          'Id of the branch to restore from. `"self"` restores from the branch\'s own history. Required with `sourceTimestamp` and `sourceLsn`. Default: the parent.',
        ),
      sourceTimestamp: wire.sourceTimestamp.meta({ daysFromNow: { most: 0 } }),
      ...only(wire, "sourceLsn", "preserveUnderName"),
    })
    .check(
      combination((declared, report) => {
        const { sourceBranchId: source, sourceLsn, sourceTimestamp, preserveUnderName = "" } = declared;
        const isPointInTime = sourceLsn !== undefined || sourceTimestamp !== undefined;
        if (sourceLsn !== undefined && sourceTimestamp !== undefined) {
          report("sourceLsn and sourceTimestamp exclude each other: declare one of them");
        } else if (isPointInTime && source === undefined) {
          report(
            `is required with a point in time: the id of the branch in whose history it is, or "${self}"`,
            "sourceBranchId",
          );
        } else if (source === self && (!isPointInTime || preserveUnderName === "")) {
          report(`a restore from the branch's own history needs ${ownHistoryNeeds}`);
        }
      }),
    )
    .meta({ title: "BranchRestoreArgs", description: "When and from what to restore a branch." });
});
export type Restore = z.infer<ReturnType<typeof restore>>;

const ownHistoryNeeds =
  "a point in time (sourceTimestamp or sourceLsn), and preserveUnderName for a branch that keeps the current data";

/** The declared inputs of a branch that a restore depends on. */
interface Declared {
  readonly parentId?: string | undefined;
  readonly restore?: Restore | undefined;
  readonly resetTrigger?: string | undefined;
}

/** A branch, and its parent as the state knows it. */
interface RestoreState extends BranchAddress {
  readonly parentId?: string | undefined;
}

/** A restore that was validated but not sent yet. */
export interface RestorePlan {
  /** The branch before the restore. */
  readonly before: Branch;
  readonly body: BranchRestore;
  /** Paths of the inputs that the restore applies. */
  readonly applies: readonly string[];
  /** The hash of the trigger with its value. */
  readonly trigger: string;
}

/**
 * The restore that a change of the inputs asks for, if any. Fails early if the restore cannot succeed, before the
 * update sends anything else.
 */
export async function planRestore(
  context: Context,
  { projectId, branchId, parentId }: RestoreState,
  declared: Declared,
  changes: Changes,
): Promise<RestorePlan | undefined> {
  if (!changes.has("restore.trigger") && !changes.has("resetTrigger")) return undefined;
  const declaredRestore = changes.has("restore.trigger") ? declared.restore : undefined;
  const resetTrigger = changes.has("resetTrigger") ? declared.resetTrigger : undefined;
  const before = await settledBranch(context, projectId, branchId);
  const parent = (): string => restorableParent(before, parentId, declared.parentId);
  if (declaredRestore !== undefined && resetTrigger !== undefined) {
    throw notRestored(before, twoRestores.reason, twoRestores.fix);
  }
  if (declaredRestore === undefined && resetTrigger === undefined) {
    if (!isResetting(before)) return undefined;
    throw invalid(
      `The ${branchTitle(before)} cannot be used: a restore of it failed, and the program no longer declares that restore`,
      { fix: "Declare `restore` or `resetTrigger` again to repeat the restore, or delete the branch." },
    );
  }
  const isReset = declaredRestore === undefined;
  const applies = isReset
    ? ["resetTrigger"]
    : Object.keys(omitUndefined(declaredRestore)).map((member) => `restore.${member}`);
  const trigger = isReset ? `resetTrigger ${resetTrigger ?? ""}` : `restore.trigger ${declaredRestore.trigger}`;
  const plan = { before, applies, trigger: hashOf(trigger) };
  if (wasMade(context, plan)) {
    context.warn(
      `The ${branchTitle(before)} was restored or reset after this stack last changed it (${lastRestore(before)}). The change of \`${isReset ? "resetTrigger" : "restore.trigger"}\` counts as made: an interrupted run may have made it. To restore it once more, declare another value.`,
    );
    // An earlier run has already performed this restore: do not send it again.
    context.progress.succeeded(applies);
    return undefined;
  }
  return { ...plan, body: await restoreBody(context, before, declaredRestore ?? {}, parent) };
}

/**
 * A sentence for the preview that says what a change of the inputs overwrites; undefined if it overwrites nothing.
 *
 * @param declared may hold unknown values
 */
export function overwriteWarning(
  { parentId }: { readonly parentId?: string | undefined },
  declared: Values,
  changes: Changes,
): string | undefined {
  const [trigger] = changedTriggers(declared, changes);
  if (trigger === undefined) return undefined;
  const { preserveUnderName, ...source } = (trigger === "resetTrigger" ? {} : declared["restore"]) as Values;
  const current =
    preserveUnderName === undefined || preserveUnderName === ""
      ? "The current data is lost."
      : `A new branch named ${shown(preserveUnderName)} keeps the current data.`;
  return `Changing \`${trigger}\` overwrites the data of this branch with that of ${sourceText(source, parentId)}. ${current}`;
}

/**
 * The contents of the branch that a change of the inputs deletes. A restore to the parent's present state is a reset,
 * which moves buckets.
 */
export function emptyingOf(
  { parentId }: { readonly parentId?: string | undefined },
  declared: Values,
  changes: Changes,
): Emptying | undefined {
  const [trigger] = changedTriggers(declared, changes);
  if (trigger === undefined) return undefined;
  const { sourceBranchId = parentId, sourceTimestamp, sourceLsn } = (declared["restore"] ?? {}) as Values;
  const isPresent = sourceTimestamp === undefined && sourceLsn === undefined;
  const isOfParent = sourceBranchId === parentId || sourceBranchId === unknownValue;
  const isReset = trigger === "resetTrigger" || (isPresent && isOfParent);
  const what = trigger === "resetTrigger" ? "reset" : "restore";
  return { what, kinds: ["Role", "Database", "DataApi", "Migration", ...(isReset ? ["Bucket", "BucketObject"] : [])] };
}

/**
 * Why a requested restore cannot succeed. Asks the platform, because a declared parent hides from the state whether the
 * branch still has one, as for `initSource: "schema-only"`.
 *
 * @param before the inputs in the state
 * @param declared may hold unknown values
 */
export async function restoreProblems(
  context: Context,
  { projectId, name, protected: isProtected }: Values,
  declared: Values,
  changes: Changes,
): Promise<readonly Problem[]> {
  const [trigger, another] = changedTriggers(declared, changes);
  if (trigger === undefined || typeof atPath(declared, trigger) !== "string") return [];
  if (another !== undefined && typeof atPath(declared, another) === "string") {
    return [{ property: another, reason: `${twoRestores.reason}. ${twoRestores.fix}` }];
  }
  if (isProtected === true && declared["protected"] === true) {
    return [{ property: trigger, reason: `a protected branch cannot be restored. ${protectedFromRestore.fix}` }];
  }
  if (trigger === "restore.trigger" && atPath(declared, "restore.sourceBranchId") !== undefined) return [];
  if (typeof projectId !== "string" || typeof name !== "string") return [];
  // If this read fails, the update reports the problem.
  const branch = await branchNamed(context, projectId, name).catch(() => undefined);
  const obstacle = branch && parentObstacle(branch, declared["parentId"]);
  return obstacle === undefined ? [] : [{ property: trigger, reason: `${obstacle.reason}. ${obstacle.fix}` }];
}

const twoRestores = {
  reason: "`restore.trigger` and `resetTrigger` changed in the same update",
  fix: "Change one of them, run `pulumi up`, then change the other.",
};

/** The triggers of restores that a change of the inputs asks for. */
function changedTriggers(declared: Values, changes: Changes): readonly string[] {
  const triggers = ["restore.trigger", "resetTrigger"];
  return triggers.filter((path) => changes.has(path) && atPath(declared, path) !== undefined);
}

function sourceText({ sourceBranchId: id, sourceTimestamp, sourceLsn }: Values, parentId: string | undefined): string {
  const time = sourceTimestamp ?? sourceLsn;
  const at = time === undefined ? "" : ` at ${shown(time)}`;
  if (id === self) return `its own history${at}`;
  return id === undefined ? `its parent ${parentId ?? ""}`.trimEnd() : `branch ${shown(id)}${at}`;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : "(not known yet)";
}

/** Sends a restore and waits until the branch is usable again. */
export async function applyRestore(context: Context, { before, body, applies, trigger }: RestorePlan): Promise<void> {
  const { project_id: projectId, id: branchId } = before;
  await context
    .change({
      what: "restore branch",
      request: branches.restore(projectId, branchId, body),
      applies,
      evidence: {
        // If the call fails later, the next one can tell which change the branch was restored for.
        before: { ...traceOf(before), trigger },
        after: async () => traceOf((await context.read(branches.get(projectId, branchId))).branch),
      },
      // The roles now have the passwords of the source. Clearing the host makes the next read fetch the connection
      // again.
      outputs: () => ({ host: undefined }),
      done: () => isRestored(context, before),
    })
    .catch(async (error: unknown) => {
      throw await explainedRestore(context, before, body, error);
    });
}

/**
 * A hash of the fields that only a restore or reset of this branch changes. `parent_id` is not among them: restoring
 * the parent changes it, too.
 */
export function traceOf(branch: Branch): Values {
  return { trace: hashOf(JSON.stringify(pick(branch, ["last_reset_at", "parent_lsn", "parent_timestamp"]))) };
}

/**
 * Whether an earlier run already performed this restore: the branch was restored after this stack's last change, and
 * not for another trigger. A second restore would delete data written since.
 */
function wasMade(
  { kept: { evidence } }: Context,
  { before, trigger }: Pick<RestorePlan, "before" | "trigger">,
): boolean {
  if (evidence === undefined || isResetting(before)) return false;
  const { trigger: made = trigger, ...trace } = evidence;
  return made === trigger && !isDeepStrictEqual(traceOf(before), trace);
}

function lastRestore({ last_reset_at: resetAt, parent_timestamp: pointInTime }: Branch): string {
  if (resetAt !== undefined) return `last reset at ${resetAt}`;
  return pointInTime === undefined ? "its place in the history of its parent has changed" : `to ${pointInTime}`;
}

/** Whether a restore of the branch is running, or has failed and left the branch unusable. */
function isResetting({ current_state: state }: Branch): boolean {
  return state === "resetting";
}

/** The fields of a branch that a restore changes. `last_reset_at` is documented for resets from the parent only. */
function restoreFields(branch: Branch): Values {
  return pick(branch, [
    "current_state",
    "last_reset_at",
    "state_changed_at",
    "parent_id",
    "parent_lsn",
    "parent_timestamp",
  ]);
}

/**
 * After a lost response: whether the branch was restored since it was in this state.
 *
 * A second restore would delete data written since the first one. Any changed field therefore counts as a restore, even
 * if another user caused it at the same moment: a missing restore can be repeated, but overwritten data is lost. The
 * restore is sent again only if no field changes while its result is looked for: then the platform has not started it.
 */
async function isRestored(context: Context, before: Branch): Promise<boolean> {
  const { project_id: projectId, id } = before;
  const { current_state: stateBefore, ...fieldsBefore } = restoreFields(before);
  const get = branches.get(projectId, id);
  const { branch: now } = await context.read(get);
  const { current_state: _, ...fieldsNow } = restoreFields(now);
  const hasChanged = !isDeepStrictEqual(fieldsNow, fieldsBefore);
  if (!isResetting(now)) return hasChanged;
  if (!hasChanged && stateBefore === "resetting") return false;
  // A failed restore leaves the branch unusable, so repeating it loses nothing.
  await context.waitUntilIdle(projectId);
  return !isResetting((await context.read(get)).branch);
}

async function restoreBody(
  context: Context,
  before: Branch,
  { sourceBranchId: declaredSource, sourceLsn, sourceTimestamp, preserveUnderName = "" }: Partial<Restore>,
  parent: () => string,
): Promise<BranchRestore> {
  const source = declaredSource === self ? before.id : (declaredSource ?? parent());
  const body = {
    source_branch_id: source,
    ...omitUndefined({ source_lsn: sourceLsn, source_timestamp: sourceTimestamp }),
  };
  const isPointInTime = sourceLsn !== undefined || sourceTimestamp !== undefined;
  const isOwnHistory = source === before.id;
  if (isOwnHistory && (!isPointInTime || preserveUnderName === "")) {
    throw notRestored(before, `a restore from the branch's own history needs ${ownHistoryNeeds}`, "Declare both.");
  }
  if (preserveUnderName === "") return body;
  const preserved = isResetting(before) ? await branchNamed(context, before.project_id, preserveUnderName) : undefined;
  if (preserved === undefined) return { ...body, preserve_under_name: preserveUnderName };
  // A failed restore has already preserved the old data, and moved the branch's history to the preserving branch.
  if (!isOwnHistory) return body;
  throw notRestored(
    before,
    `an earlier restore failed, and moved the history of the branch to the ${branchTitle(preserved)}`,
    `To restore from there, declare \`restore.sourceBranchId: "${preserved.id}"\` and remove \`restore.preserveUnderName\`.`,
  );
}

/**
 * The parent to reset from: the one that the preview named. The actual parent may have changed since the state was
 * written. For example, restoring the parent in the same run moves its children to the branch that keeps its data.
 *
 * @param known the parent in the state; if the program declares a parent, that is the declared one
 */
function restorableParent(before: Branch, known: string | undefined, declared: string | undefined): string {
  const obstacle = parentObstacle(before, declared);
  if (obstacle !== undefined) throw notRestored(before, obstacle.reason, obstacle.fix);
  return known ?? before.parent_id ?? "";
}

/** Why a branch cannot be restored from its parent, if so, and what to do about it. */
function parentObstacle(
  { parent_id: parentId }: Branch,
  declared: unknown,
): { readonly reason: string; readonly fix: string } | undefined {
  if (parentId === undefined) {
    return {
      reason: "it is a root branch, which has no parent",
      fix: "Declare `restore.sourceBranchId`, the branch to restore from.",
    };
  }
  if (typeof declared !== "string" || declared === parentId) return undefined;
  return {
    reason: `an earlier restore changed its parent to ${parentId}, but the program declares \`parentId: "${declared}"\``,
    fix: "Declare the one to restore from as `restore.sourceBranchId`.",
  };
}

/** The branch after all operations have ended. If it is still `resetting`, an earlier restore failed. */
async function settledBranch(context: Context, projectId: string, branchId: string): Promise<Branch> {
  const get = branches.get(projectId, branchId);
  const { branch } = await context.read(get);
  if (!isResetting(branch)) return branch;
  await context.waitUntilIdle(projectId);
  return (await context.read(get)).branch;
}

/** The error of a restore, explained by the project's state if that is the cause. */
async function explainedRestore(
  context: Context,
  before: Branch,
  { preserve_under_name: preserveAs, source_branch_id: source }: BranchRestore,
  error: unknown,
): Promise<unknown> {
  const { project_id: projectId, id: branchId } = before;
  const failed = `The ${branchTitle(before)} was not restored`;
  if (hasStatus(error, 409) && preserveAs !== undefined) {
    return explained(
      `${failed}: a branch named "${preserveAs}" already exists`,
      error,
      "Declare another `restore.preserveUnderName`.",
    );
  }
  if (hasStatus(error, 404) && source !== branchId) {
    const branch = await readBranch(context, projectId, branchId).catch(() => undefined);
    if (branch === undefined) return error;
    return explained(
      `${failed}: the project has no branch ${source} to restore from`,
      error,
      "Declare another `restore.sourceBranchId`.",
    );
  }
  const needsName = preserveAs === undefined && source !== branchId;
  const obstacles = [protectedFromRestore, ...(needsName ? [parentOfOthers] : [])];
  return explainedByObstacle(context, { projectId, branchId }, error, "was not restored", obstacles);
}

const protectedFromRestore: Obstacle = {
  is: "protected",
  fix: "Set `protected: false` for the time of the restore.",
};
const parentOfOthers: Obstacle = {
  is: "parent",
  fix: "Declare `restore.preserveUnderName`: the children move to the branch that preserves the current state.",
};

function notRestored(branch: Branch, reason: string, fix: string): NeonError {
  return invalid(`The ${branchTitle(branch)} was not restored: ${reason}`, { fix });
}
