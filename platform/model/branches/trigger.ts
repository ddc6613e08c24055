import { randomUUID } from "node:crypto";
import { z } from "zod";

import type { TriggerCreate } from "../../../api/schemas/trigger";
import { badRequest, conflict, HttpError } from "../../http-error";
import { pick, wholeSeconds } from "../../storage/timestamps";
import type { Complete } from "../complete";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, noContent } from "../routing/route";
import { nextSequenceNumber } from "../sequence";
import type { BranchRow } from "./branch-row";
import { checkCron, nextRun } from "./cron";

/** The end of an invocation. */
export interface TriggerResult {
  readonly at: string;
  /** The status of the function's answer; `null` if the function did not answer. */
  readonly status: number | null;
}

/** A trigger of a branch. A child branch has its own copy. */
export interface TriggerRow extends Complete<
  Pick<TriggerCreate, "type" | "function_slug" | "name" | "function_path" | "enabled">
> {
  /** The same on all branches of the project that have this trigger. */
  trigger_id: string;
  project_id: string;
  branch_id: string;
  schedule?: TriggerCreate["schedule"];
  storage_object_created?: TriggerCreate["storage_object_created"];
  /** Rises with each change. */
  version: number;
  /** Whether an ancestor has declared the trigger, and the branch has not changed it. */
  inherited: boolean;
  /** The time at which an enabled schedule is due next, in milliseconds since 1970. */
  next_at: number | null;
  /** The time of the last invocation. */
  invoked_at?: string | undefined;
  /** The ends of the last invocations, newest first. */
  results?: readonly TriggerResult[] | undefined;
  created_at: string;
}

export const triggerTable: RowTable<TriggerRow> = {
  name: "triggers",
  within: "branch",
  branching: {
    on: ["branch"],
    at: "created_at",
    copy: (row) => ({
      ...row,
      inherited: true,
      enabled: false,
      next_at: null,
      invoked_at: undefined,
      results: undefined,
    }),
  },
  columns: ["name", "enabled"],
  primaryKey: ["branch_id", "trigger_id"],
  indexes: ["project_id", "branch_id, type", "next_at"],
  latest: "created_at",
};

const triggers = "/projects/:project_id/branches/:branch_id/triggers";

const members = {
  type: z.enum(["schedule", "storage_object_created"]),
  function_slug: z.string(),
  name: z.string().min(1).max(256),
  function_path: z.string().min(1).max(2048).exactOptional(),
  schedule: z.object({ cron: z.string() }).exactOptional(),
  storage_object_created: z.object({ bucket_name: z.string().min(1), prefix: z.string().optional() }).exactOptional(),
  enabled: z.boolean().exactOptional(),
};

type Requested = Readonly<Record<string, unknown>>;

/** Checks the members of a trigger, which depend on its type. Unlike in other requests, an unknown member is an error. */
const ofOneType = z.looseObject({}).superRefine((value: Requested, context) => {
  const problem = requestProblem(value);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem, continue: false });
});

function requestProblem(value: Requested): string | undefined {
  if (typeof value["type"] !== "string") return "unable to detect sum type variant";
  const unknown = Object.keys(value).find((name) => !(name in members));
  if (unknown !== undefined) return `unexpected field "${unknown}"`;
  const storage = value["storage_object_created"];
  const lacksBucket = typeof storage === "object" && storage !== null && !("bucket_name" in storage);
  return lacksBucket ? "bucket_name (field required)" : undefined;
}

const created = ofOneType.pipe(z.object(members));
const changed = ofOneType.pipe(
  z.object({ ...members, function_slug: members.function_slug.exactOptional(), name: members.name.exactOptional() }),
);

/** Only the newer of the two published documents has these routes. */
export const triggerPaths: ApiPaths = {
  [triggers]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      triggers: listTriggers(controlPlane, branch).map(triggerResponse),
    })),
    POST: allow(
      { ...branchMember, status: 201, operationId: "createProjectBranchTrigger", body: created },
      ({ controlPlane, branch, body }) => ({ trigger: triggerResponse(createTrigger(controlPlane, branch, body)) }),
    ),
  },
  [`${triggers}/:trigger_id`]: {
    GET: allow(branchMember, ({ controlPlane, branch, parameter }) => ({
      trigger: triggerResponse(getTrigger(controlPlane, branch, parameter("trigger_id"))),
    })),
    PATCH: allow(
      { ...branchMember, operationId: "updateProjectBranchTrigger", body: changed },
      ({ controlPlane, branch, parameter, body }) => ({
        trigger: triggerResponse(updateTrigger(controlPlane, branch, parameter("trigger_id"), body)),
      }),
    ),
    // Deletes an inherited trigger too. Child branches keep their copies.
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      controlPlane.tables.triggers.remove(getTrigger(controlPlane, branch, parameter("trigger_id")));
      return noContent;
    }),
  },
};

type Changes = { readonly type: TriggerCreate["type"] } & Partial<TriggerCreate>;

const maxPrefixBytes = 1024;

/** The triggers of a branch, by id. */
export function listTriggers({ tables }: ControlPlane, { id }: BranchRow): TriggerRow[] {
  return tables.triggers.list({ branch_id: id }, "ORDER BY trigger_id");
}

/** @throws HttpError 404 */
function getTrigger({ tables }: ControlPlane, { id }: BranchRow, triggerId: string): TriggerRow {
  const found = tables.triggers.get({ branch_id: id, trigger_id: triggerId });
  if (!found) throw new HttpError(404, "function trigger not visible on branch");
  return found;
}

function createTrigger(controlPlane: ControlPlane, branch: BranchRow, input: TriggerCreate): TriggerRow {
  if (input[input.type] === undefined) throw badRequest(`invalid: ${input.type} (field required)`);
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

/** Changes a trigger. An inherited trigger becomes the branch's own, and stays disabled unless the request enables it. */
function updateTrigger(controlPlane: ControlPlane, branch: BranchRow, triggerId: string, changes: Changes): TriggerRow {
  const row = getTrigger(controlPlane, branch, triggerId);
  if (changes.type !== row.type) throw badRequest(`the type of the trigger is "${row.type}"`);
  if (Object.values(changes).filter((value) => value !== undefined).length < 2) {
    throw badRequest("at least one field besides type must be supplied");
  }
  check(controlPlane, branch, changes, triggerId);
  const { function_path = row.function_path, enabled = row.enabled, ...rest } = changes;
  return put(controlPlane, { ...row, ...rest, function_path, enabled, inherited: false });
}

function triggerResponse(row: TriggerRow): object {
  const isSchedule = row.type === "schedule";
  return {
    ...pick(row, [
      "trigger_id",
      "type",
      "function_slug",
      "name",
      "function_path",
      "schedule",
      "storage_object_created",
      "enabled",
      "version",
      "inherited",
    ]),
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

/** Checks the rules of a trigger beyond the form of the request. */
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
