import { notFound, unprocessable } from "../../http-error";
import { inWholeSeconds } from "../../storage/timestamps";
import type { Caller } from "../accounts/caller";
import type { Answer, vendor } from "../../published/answers";
import type { ControlPlane } from "../control-plane";
import type { BranchRow } from "./branch-row";
import type { MaskingRow } from "./masking-row";

/** A branch whose data is to be masked. */
export type MaskedBranch = BranchRow & { readonly masking: MaskingRow };

/** The action whose operation time a run of the masking takes. */
const action = "anonymize";

/**
 * Starts to mask the data of a branch.
 *
 * @throws HttpError 422 if the state of the masking does not allow a start
 */
export function startMasking(controlPlane: ControlPlane, branch: MaskedBranch, caller: Caller): MaskedBranch {
  const { state } = branch.masking;
  if (!["initialized", "error", "anonymized"].includes(state)) {
    throw unprocessable(`anonymization cannot be started in the state ${state}`);
  }
  const started = running(controlPlane, branch, starter(caller), controlPlane.clock.now());
  controlPlane.tables.branches.put(started);
  return started;
}

/** @throws HttpError 404 */
export function requireMasked(branch: BranchRow): MaskedBranch {
  if (!branch.masking) throw notFound("anonymized branch");
  return { ...branch, masking: branch.masking };
}

/** The status of the masking as the API returns it. */
export function maskingResponse({ id, project_id, masking }: MaskedBranch) {
  const { state, status_message, created_at, updated_at, failed_at, last_run: run } = masking;
  return {
    project_id,
    branch_id: id,
    ...inWholeSeconds({ state, status_message, created_at, updated_at, failed_at }),
    ...(run && { last_run: inWholeSeconds(run) }),
  } satisfies Answer<vendor.AnonymizedBranchStatusResponse>;
}

/** Starts the masking of a branch that has waited for its data, once the data is there. */
export function withMaskingPrepared(controlPlane: ControlPlane, branch: BranchRow, at: number): BranchRow {
  const { masking } = branch;
  if (masking?.state !== "created") return branch;
  const prepared = { ...branch, masking: { ...masking, start: undefined, state: "initialized" } };
  return masking.start === undefined ? prepared : running(controlPlane, prepared, masking.start, at);
}

export function withPreparationFailed({ timestamps }: ControlPlane, branch: BranchRow): BranchRow {
  const { masking } = branch;
  if (masking?.state !== "created") return branch;
  const failed = timestamps.next();
  const state = { state: "initialization_error", status_message: "the branch was not created" };
  return { ...branch, masking: { ...masking, ...state, updated_at: failed, failed_at: failed } };
}

/** The actions that a masked branch refuses, each with the words of the real service. */
export function restrictedActions({
  masking,
}: BranchRow): readonly { name: RestrictedAction; reason: string }[] | undefined {
  return masking && Object.entries(restrictions).map(([name, reason]) => ({ name: name as RestrictedAction, reason }));
}

/** @throws HttpError 422 */
export function requireUnrestricted(branch: BranchRow, action: RestrictedAction): void {
  if (branch.masking) throw unprocessable(restrictions[action]);
}

const restrictions = {
  restore: "cannot restore anonymized branches",
  "delete-rw-endpoint": "cannot delete read-write endpoints for anonymized branches",
} as const;
type RestrictedAction = keyof typeof restrictions;

/** Handles the end of a run's operation time. With a Postgres, the run ends only when the data is masked. */
export function endMaskingTime(controlPlane: ControlPlane, branch: BranchRow): void {
  controlPlane.tables.branches.put({ ...branch, masking_due_at: null });
  if (!controlPlane.databases)
    endMasking(controlPlane, branch.id, missingDatabase(controlPlane, branch.id, branch.masking?.rules));
}

/** The branches whose data is to be masked now. */
export function branchesToMask({ tables }: ControlPlane): MaskedBranch[] {
  return tables.branches
    .list({ deleted_at: null, masking_due_at: null })
    .flatMap((branch) => (branch.masking?.state === "anonymizing" ? [requireMasked(branch)] : []));
}

/** The reason why the rules cannot be applied, if they name a database that does not exist. */
export function missingDatabase(
  { tables }: ControlPlane,
  branchId: string,
  rules: MaskingRow["rules"] = [],
): string | undefined {
  const names = tables.databases.list({ branch_id: branchId, deleted_at: null }).map(({ name }) => name);
  const missing = rules.find(({ database_name }) => !names.includes(database_name));
  return missing && `database "${missing.database_name}" does not exist`;
}

/** Ends a run of the masking, unless the branch was purged or its run has ended. */
export function endMasking({ tables, timestamps }: ControlPlane, branchId: string, failure?: string): void {
  const branch = tables.branches.get({ id: branchId });
  if (branch?.masking?.state !== "anonymizing") return;
  const ended = timestamps.next();
  const { failed_at: _, status_message: __, ...masking } = branch.masking;
  const outcome =
    failure === undefined ? { state: "anonymized" } : { state: "error", status_message: failure, failed_at: ended };
  const last_run = { ...masking.last_run, completed_at: ended, masked_columns: masking.rules.length };
  tables.branches.put({ ...branch, masking: { ...masking, ...outcome, updated_at: ended, last_run } });
}

function running(
  { timestamps, operationTimes }: ControlPlane,
  branch: MaskedBranch,
  start: NonNullable<MaskingRow["start"]>,
  at: number,
): MaskedBranch {
  const now = timestamps.next(at);
  const { failed_at: _, status_message: __, ...masking } = branch.masking;
  const last_run = { started_at: now, ...start };
  return {
    ...branch,
    masking_due_at: at + operationTimes.of(action),
    masking: { ...masking, state: "anonymizing", updated_at: now, last_run },
  };
}

/** The user whom a run names. */
export function starter(caller: Caller): NonNullable<MaskingRow["start"]> {
  return caller.kind === "personal" ? { triggered_by: caller.user.id, triggered_by_username: caller.user.login } : {};
}
