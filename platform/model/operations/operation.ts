import { z } from "zod";

import type { Answer, Stored, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { pick } from "../../storage/timestamps";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { projectMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import { beforeFirst, invalidCursor } from "../routing/validation";
import type { OperationAction } from "./actions";
import type { FaultEnd } from "./faults";

/** Members that the API returns as they are stored. */
const operationMembers = [
  "id",
  "project_id",
  "branch_id",
  "endpoint_id",
  "action",
  "status",
  "error",
  "failures_count",
  "retry_at",
  "created_at",
  "updated_at",
  "total_duration_ms",
] as const;

export interface OperationRow extends Stored<
  Omit<vendor.Operation, "status"> & { status: string },
  typeof operationMembers
> {
  action: OperationAction;
  status: string;
  /** The statuses that are still to follow. */
  steps: OperationStep[];
  /** The time at which the status ends; `null` while the operation is queued, or held until the faults are deleted. */
  due_at: number | null;
  started_at: number | null;
  ended: boolean;
  fault: FaultEnd | null;
  /**
   * The state of the work in Postgres: to be done, still to be done although the time is up (`awaited`),
   * or done; undefined without work.
   */
  work?: "pending" | "awaited" | "done" | undefined;
  /** The reason if the work has failed. */
  work_error?: string | undefined;
}

/** A status of an operation and how long it lasts; `null` means until the faults are deleted. */
interface OperationStep {
  status: string;
  milliseconds: number | null;
}

export const operationTable: RowTable<OperationRow> = {
  name: "operations",
  within: "project",
  columns: ["endpoint_id"],
  indexes: ["project_id, created_at", "project_id, ended, created_at", "due_at", "work, ended"],
  latest: "created_at",
};

const { query: pageQuery } = published.listProjectOperations;

const operationPageQuery = pageQuery.extend({
  /** A timestamp. One in whole seconds sorts before all fractions of the same second. */
  cursor: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/, invalidCursor("operations"))
    .transform((cursor) => {
      const [seconds = "", fraction = ""] = cursor.slice(0, -1).split(".");
      return `${seconds}.${fraction.padEnd(6, "0")}Z`;
    })
    .default(beforeFirst),
  limit: pageQuery.shape.limit.default(100),
});

export const operationPaths: ApiPaths = {
  "/projects/:project_id/operations": {
    GET: allow(
      { ...projectMember, ignoresPostgres: true, query: operationPageQuery },
      ({ controlPlane, project, query }) => {
        const operations = controlPlane.tables.operations.list(
          { project_id: project.id },
          "AND created_at < ? ORDER BY created_at DESC LIMIT ?",
          query.cursor,
          query.limit,
        );
        const last = operations.at(-1);
        return {
          operations: operationResponses(controlPlane, operations),
          pagination: last && { cursor: last.created_at },
        };
      },
    ),
  },
  "/projects/:project_id/operations/:operation_id": {
    GET: allow({ ...projectMember, ignoresPostgres: true }, ({ controlPlane, project, parameter }) => ({
      operation: operationResponse(controlPlane, getOperation(controlPlane, project.id, parameter("operation_id"))),
    })),
  },
};

/** An operation to start. The operations of one request run one after another. */
export interface PlannedOperation {
  readonly action: OperationAction;
  readonly branchId?: string | undefined;
  readonly endpointId?: string | undefined;
  /** Whether the operation takes only as long as its work, regardless of the operation time. */
  readonly isImmediate?: boolean;
}

/** The result of a change, and the operations that carry it out. */
export type Started<Changed> = Changed & { readonly operations: readonly OperationRow[] };

/** @throws HttpError 404 */
export function getOperation({ tables }: ControlPlane, projectId: string, operationId: string): OperationRow {
  return tables.operations.getOr404("operation", { id: operationId, project_id: projectId });
}

export function operationResponse({ clock }: ControlPlane, row: OperationRow) {
  const { started_at: startedAt, ended } = row;
  const elapsed = ended || startedAt === null ? row.total_duration_ms : clock.now() - startedAt;
  return {
    ...pick(row, operationMembers),
    total_duration_ms: Math.max(0, Math.round(elapsed)),
  } satisfies Answer<Omit<vendor.Operation, "status"> & { status: string }>;
}

export function operationResponses(controlPlane: ControlPlane, rows: readonly OperationRow[]) {
  return rows.map((row) => operationResponse(controlPlane, row));
}
