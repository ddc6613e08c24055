// Generated from api/lookups/operation.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** An operation: a task of Neon's control plane. */
export interface OperationResult {
  /** Id of the operation, a UUID. */
  readonly id: string;
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch that the operation acts on, if any. */
  readonly branchId?: string;
  /** Id of the compute that the operation acts on, if any. */
  readonly endpointId?: string;
  /** Action, such as `create_branch`. Neon adds new actions over time. */
  readonly action: string;
  /**
   * `scheduling`, `running`, `finished`, `failed` (Neon can retry it), `error`, `cancelling`, `cancelled` or `skipped`.
   */
  readonly status: string;
  /** Reason of the failure, if Neon returns one. */
  readonly error?: string;
  /** Number of failed attempts. */
  readonly failuresCount: number;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Time of the last status change (ISO 8601, UTC). */
  readonly updatedAt: string;
  /** Duration so far, in milliseconds. */
  readonly totalDurationMs?: number;
}

/** Arguments of `getOperations`. */
export interface GetOperationsArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Maximum number of operations to return. Default: all of them. */
  readonly limit?: number;
}

const getOperationsSource = dataSource<GetOperationsArgs, OperationResult[]>("getOperations");

/**
 * Lists the operations of a project, newest first. All pages are read, up to `limit`.
 *
 * Neon API: `GET /projects/{project_id}/operations`.
 *
 * @example
 * ```ts
 * export const latest = neon.getOperationsOutput({ projectId: project.id, limit: 20 });
 * ```
 */
export function getOperations(args: GetOperationsArgs, options?: LookupOptions) {
  return getOperationsSource.invoke(args, options);
}

/** Output form of {@link getOperations}: the arguments can be outputs. */
export function getOperationsOutput(args: Inputs<GetOperationsArgs>, options?: LookupOptions) {
  return getOperationsSource.output(args, options);
}

/** Arguments of `getOperation`. */
export interface GetOperationArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the operation, a UUID. */
  readonly operationId: string;
}

const getOperationSource = dataSource<GetOperationArgs, OperationResult>("getOperation");

/**
 * Reads an operation by its id.
 *
 * Fails if the operation does not exist.
 *
 * Neon API: `GET /projects/{project_id}/operations/{operation_id}`.
 *
 * @example
 * ```ts
 * const operation = neon.getOperationOutput({
 *   projectId: "spring-example-302709",
 *   operationId: "a07f8772-1877-4da9-a939-3a3ae62d1d8d",
 * });
 * export const status = operation.status;
 * ```
 */
export function getOperation(args: GetOperationArgs, options?: LookupOptions) {
  return getOperationSource.invoke(args, options);
}

/** Output form of {@link getOperation}: the arguments can be outputs. */
export function getOperationOutput(args: Inputs<GetOperationArgs>, options?: LookupOptions) {
  return getOperationSource.output(args, options);
}
