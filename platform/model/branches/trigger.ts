import { randomUUID } from "node:crypto";

import type { TriggerCreate } from "../../../api/schemas/trigger";
import { badRequest, conflict, HttpError } from "../../http-error";
import { publicMembers } from "../../storage/table";
import { wholeSeconds } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import { nextSequenceNumber } from "../sequence";
import type { BranchRow } from "./branch-row";
import { checkCron, nextRun } from "./cron";
import { existedAt, type Moment } from "./data-origin";
import { type TriggerRow, triggerTable } from "./trigger-row";

type Changes = { readonly type: TriggerCreate["type"] } & Partial<TriggerCreate>;

const maxPrefixBytes = 1024;

/** The triggers of a branch, by id. */
export function listTriggers({ tables }: ControlPlane, { id }: BranchRow): TriggerRow[] {
  return tables.triggers.list({ branch_id: id }, "ORDER BY trigger_id");
}

/** @throws HttpError 404 */
export function getTrigger({ tables }: ControlPlane, { id }: BranchRow, triggerId: string): TriggerRow {
  const found = tables.triggers.get({ branch_id: id, trigger_id: triggerId });
  if (!found) throw new HttpError(404, "function trigger not visible on branch");
  return found;
}

export function createTrigger(controlPlane: ControlPlane, branch: BranchRow, input: TriggerCreate): TriggerRow {
  check(controlPlane, branch, input);
  const { function_path = "/", enabled = true, ...rest } = input;
  return put(controlPlane, {
    trigger_id: `trigger-${randomUUID()}`,
    project_id: branch.project_id,
    branch_id: branch.id,
    ...rest,
    function_path,
    enabled,
    version: 0,
    inherited: false,
    next_at: null,
    created_at: controlPlane.timestamps.next(),
  });
}

/** Changes a trigger. One that the branch has from its parent becomes its own, and stays disabled unless it is enabled. */
export function updateTrigger(
  controlPlane: ControlPlane,
  branch: BranchRow,
  triggerId: string,
  changes: Changes,
): TriggerRow {
  const row = getTrigger(controlPlane, branch, triggerId);
  if (changes.type !== row.type) throw badRequest(`the type of the trigger is "${row.type}"`);
  if (Object.values(changes).filter((value) => value !== undefined).length < 2) {
    throw badRequest("at least one field besides type must be supplied");
  }
  check(controlPlane, branch, changes, triggerId);
  const { function_path = row.function_path, enabled = row.enabled, ...rest } = changes;
  return put(controlPlane, { ...row, ...rest, function_path, enabled, inherited: false });
}

/** Deletes a trigger of this branch, also one that it has from its parent. Its children keep theirs. */
export function deleteTrigger(controlPlane: ControlPlane, branch: BranchRow, triggerId: string): void {
  controlPlane.tables.triggers.remove(getTrigger(controlPlane, branch, triggerId));
}

/** Gives a child the triggers of its parent, disabled: of an earlier time, those that were created by then and not deleted since. */
export function copyTriggers(
  { tables }: ControlPlane,
  parent: BranchRow,
  child: BranchRow,
  moment: Moment | undefined,
): void {
  for (const row of tables.triggers.list({ branch_id: parent.id })) {
    if (!existedAt(moment, row.created_at)) continue;
    tables.triggers.put({
      ...row,
      branch_id: child.id,
      inherited: true,
      enabled: false,
      next_at: null,
      invoked_at: undefined,
    });
  }
}

/** A trigger as the API returns it. */
export function triggerResponse(row: TriggerRow): object {
  const isSchedule = row.type === "schedule";
  return {
    ...publicMembers(triggerTable, row),
    ...(isSchedule && { next_run_at: row.next_at === null ? null : wholeSeconds(row.next_at) }),
  };
}

/** Stores a trigger with a new version, and with the time at which it is due next. */
function put(controlPlane: ControlPlane, row: TriggerRow): TriggerRow {
  const { storage_object_created: storage } = row;
  const stored: TriggerRow = {
    ...row,
    ...(storage?.prefix === "" && { storage_object_created: { bucket_name: storage.bucket_name } }),
    version: nextSequenceNumber(controlPlane, "trigger"),
    next_at: row.schedule && row.enabled ? nextRun(row.schedule.cron, controlPlane.clock.now()) : null,
  };
  controlPlane.tables.triggers.put(stored);
  return stored;
}

/** What a trigger must be, beyond the form of the request. */
function check(
  { tables }: ControlPlane,
  { id: branch_id }: BranchRow,
  { type, name, function_slug, function_path, ...config }: Changes,
  triggerId?: string,
): void {
  const foreign = type === "schedule" ? "storage_object_created" : "schedule";
  if (config[foreign] !== undefined) throw badRequest(`unexpected field "${foreign}"`);
  if (config.schedule) checkCron(config.schedule.cron);
  if (Buffer.byteLength(config.storage_object_created?.prefix ?? "") > maxPrefixBytes) {
    throw badRequest(`prefix must have at most ${maxPrefixBytes} bytes`);
  }
  if (function_path !== undefined && !/^\/[^?#\s]*$/.test(function_path))
    throw badRequest("invalid function trigger path");
  if (function_slug !== undefined && !tables.functions.get({ branch_id, slug: function_slug })) {
    throw new HttpError(404, "target function not visible on branch");
  }
  const namesake = name === undefined ? undefined : tables.triggers.get({ branch_id, name });
  if (namesake && namesake.trigger_id !== triggerId) throw conflict("function trigger name already exists on branch");
}
