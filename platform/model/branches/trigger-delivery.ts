import { randomUUID } from "node:crypto";

import { wholeSeconds } from "../../storage/timestamps";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { nextRun } from "./cron";
import type { BranchRow } from "./branch-row";
import type { TriggerRow } from "./trigger";

/** An invocation of a function by a trigger, until the function has answered. */
export interface TriggerDeliveryRow {
  invocation_id: string;
  project_id: string;
  branch_id: string;
  trigger_id: string;
  type: string;
  name: string;
  function_slug: string;
  function_path: string;
  /** Describes the event. */
  data: Readonly<Record<string, string>>;
  created_at: string;
  /** The number of attempts without an answer. */
  failures: number;
}

export const triggerDeliveryTable: RowTable<TriggerDeliveryRow> = {
  name: "trigger_deliveries",
  within: "branch",
  branching: "none",
  primaryKey: ["invocation_id"],
  indexes: ["project_id", "branch_id"],
  latest: "created_at",
};

/** The last failure, after which nothing is retried: nothing listens at the function's port. */
const maxFailures = 5;

/** The results that a trigger keeps. */
const mostResults = 5;

/** Invokes the function of a schedule that is due. All times that were missed while the platform was stopped are one invocation. */
export function runSchedule(controlPlane: ControlPlane, row: TriggerRow, now: number): void {
  const next_at = row.schedule ? nextRun(row.schedule.cron, now) : null;
  deliver(controlPlane, { ...row, next_at }, { scheduled_at: wholeSeconds(row.next_at ?? now) });
}

/** Invokes the functions of the triggers that an upload matches. Call it in the transaction that stores the object. */
export function objectCreated(
  controlPlane: ControlPlane,
  { id: branch_id }: Pick<BranchRow, "id">,
  bucket_name: string,
  object_key: string,
): void {
  const enabled = { branch_id, type: "storage_object_created", enabled: 1 } as const;
  for (const row of controlPlane.tables.triggers.list(enabled)) {
    const { bucket_name: bucket, prefix = "" } = row.storage_object_created ?? {};
    if (bucket === bucket_name && object_key.startsWith(prefix))
      deliver(controlPlane, row, { bucket_name, object_key });
  }
}

/** The body of the request that invokes a function. */
export function envelopeOf({ invocation_id, type, trigger_id, name, data }: TriggerDeliveryRow): object {
  return { version: 1, invocation_id, trigger: { type, id: trigger_id, name }, data };
}

/** Ends an invocation with the status of the function's answer; `null` if there will be none. */
export function endDelivery(
  { tables, timestamps }: ControlPlane,
  row: TriggerDeliveryRow,
  status: number | null,
): void {
  tables.triggerDeliveries.remove(row);
  const { branch_id, trigger_id } = row;
  const trigger = tables.triggers.get({ branch_id, trigger_id });
  if (!trigger) return;
  const results = [{ at: timestamps.next(), status }, ...(trigger.results ?? [])].slice(0, mostResults);
  tables.triggers.put({ ...trigger, results });
}

/** Records an attempt without an answer. Returns the number of such attempts, or `undefined` if there will be no further one. */
export function failDelivery(controlPlane: ControlPlane, { invocation_id }: TriggerDeliveryRow): number | undefined {
  const { tables } = controlPlane;
  const row = tables.triggerDeliveries.get({ invocation_id });
  if (!row) return undefined;
  const failures = row.failures + 1;
  if (failures < maxFailures) tables.triggerDeliveries.put({ ...row, failures });
  else endDelivery(controlPlane, row, null);
  return failures < maxFailures ? failures : undefined;
}

function deliver({ tables, timestamps }: ControlPlane, trigger: TriggerRow, data: TriggerDeliveryRow["data"]): void {
  const { project_id, branch_id, trigger_id, type, name, function_slug, function_path } = trigger;
  const created_at = timestamps.next();
  tables.triggers.put({ ...trigger, invoked_at: created_at });
  tables.triggerDeliveries.put({
    invocation_id: randomUUID(),
    ...{ project_id, branch_id, trigger_id, type, name, function_slug, function_path },
    data,
    created_at,
    failures: 0,
  });
}
