import type * as pulumi from "@pulumi/pulumi";

import { type Operation, operations } from "../../api/schemas/operation";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { assertNeeded } from "../required-arguments";

/** An action of the platform's control plane. */
export interface OperationResult {
  /** The operation's id, a UUID. */
  readonly id: string;
  /** The project it belongs to. */
  readonly projectId: string;
  /** The branch it acts on, where it acts on one. */
  readonly branchId?: string;
  /** The compute it acts on, where it acts on one. */
  readonly endpointId?: string;
  /** What it does, such as `create_branch`; the list of actions grows. */
  readonly action: string;
  /** How it is: `scheduling`, `running`, `finished`, `failed` (may be tried again), `error`, `cancelling`, `cancelled` or `skipped`. */
  readonly status: string;
  /** Why it failed, where the platform says so. */
  readonly error?: string;
  /** How many times it has failed. */
  readonly failuresCount: number;
  /** When it began; ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it last moved; ISO 8601 in UTC. */
  readonly updatedAt: string;
  /** How long it has taken so far, in milliseconds. */
  readonly totalDurationMs?: number;
}

/** Which operations to list. */
export interface GetOperationsArgs {
  /** The project whose operations to list. */
  readonly projectId: string;
  /** At most so many, newest first. Default: all of them, page after page. */
  readonly limit?: number;
}

/**
 * The operations of a project, newest first.
 *
 * @example
 * ```ts
 * const latest = await neon.getOperations({ projectId: "spring-example-302709", limit: 20 });
 * ```
 */
export function getOperations(args: GetOperationsArgs, options?: LookupOptions): Promise<OperationResult[]> {
  return look(options, async ({ client }) => {
    assertNeeded("getOperations", args, "projectId");
    const found: OperationResult[] = [];
    for await (const one of client.list(operations.list(args.projectId), { limit: args.limit })) {
      found.push(operationResult(one));
    }
    return found;
  });
}

/** {@link getOperations} for arguments that are outputs. */
export function getOperationsOutput(
  args: Inputs<GetOperationsArgs>,
  options?: LookupOptions,
): pulumi.Output<OperationResult[]> {
  return lookOutput(args, options, getOperations);
}

/** Which operation to fetch. */
export interface GetOperationArgs {
  /** The project it belongs to. */
  readonly projectId: string;
  /** The operation's id. */
  readonly operationId: string;
}

/** One operation. Fails if there is none of that id. */
export function getOperation(args: GetOperationArgs, options?: LookupOptions): Promise<OperationResult> {
  return look(options, async ({ client }) => {
    assertNeeded("getOperation", args, "projectId", "operationId");
    const { operation } = await client.send(operations.get(args.projectId, args.operationId));
    return operationResult(operation);
  });
}

/** {@link getOperation} for arguments that are outputs. */
export function getOperationOutput(
  args: Inputs<GetOperationArgs>,
  options?: LookupOptions,
): pulumi.Output<OperationResult> {
  return lookOutput(args, options, getOperation);
}

function operationResult(operation: Operation): OperationResult {
  return known<OperationResult>(operation, {
    id: true,
    projectId: true,
    branchId: true,
    endpointId: true,
    action: true,
    status: true,
    error: true,
    failuresCount: true,
    createdAt: true,
    updatedAt: true,
    totalDurationMs: true,
  });
}
