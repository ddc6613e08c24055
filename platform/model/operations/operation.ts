import { publicMembers } from "../../storage/table";
import type { ControlPlane } from "../control-plane";
import { type OperationRow, operationTable } from "./operation-row";
import type { OperationAction } from "./actions";

/** An operation to start. The operations of one request run one after another. */
export interface PlannedOperation {
  readonly action: OperationAction;
  readonly branchId?: string | undefined;
  readonly endpointId?: string | undefined;
  /** Whether it takes only as long as its work, not the operation time. */
  readonly isImmediate?: boolean;
}

/** What a request has changed, and the operations that carry out the change. */
export type Started<Changed> = Changed & { readonly operations: readonly OperationRow[] };

/** @throws HttpError 404 */
export function getOperation({ tables }: ControlPlane, projectId: string, operationId: string): OperationRow {
  return tables.operations.getOr404("operation", { id: operationId, project_id: projectId });
}

/** An operation as the API returns it. */
export function operationResponse({ clock }: ControlPlane, row: OperationRow): object {
  const { started_at: startedAt, ended } = row;
  const elapsed = ended || startedAt === null ? row.total_duration_ms : clock.now() - startedAt;
  return { ...publicMembers(operationTable, row), total_duration_ms: Math.max(0, Math.round(elapsed)) };
}

export function operationResponses(controlPlane: ControlPlane, rows: readonly OperationRow[]): object[] {
  return rows.map((row) => operationResponse(controlPlane, row));
}
