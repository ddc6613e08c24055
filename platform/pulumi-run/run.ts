import { z } from "zod";

/** A request of a run, as the platform has recorded it. Times are in milliseconds since 1970. */
export const runRequest = z.object({
  at: z.number(),
  /** The time until the answer. */
  milliseconds: z.number(),
  method: z.string(),
  /** The path below the base URL, with the query. */
  path: z.string(),
  /** `null` if the connection was dropped instead of an answer. */
  status: z.number().nullable(),
  requestId: z.string(),
  agent: z.string(),
  /** The operations that the request has started. */
  operations: z.array(z.string()).readonly(),
  /** The name in its body. */
  name: z.string().optional(),
});
export type RunRequest = Readonly<z.infer<typeof runRequest>>;

/** An operation, as the platform has stored it. */
export interface RunOperation {
  readonly id: string;
  readonly projectId: string;
  readonly branchId: string | undefined;
  readonly action: string;
  readonly status: string;
  readonly isFailed: boolean;
  readonly startedAt: number;
  /** The time that the operation has run so far. */
  readonly milliseconds: number;
  readonly isEnded: boolean;
}

/** Something between two moments of a run: a request, an operation or a wait. */
export interface Span {
  readonly kind: "request" | "operation" | "wait";
  readonly title: string;
  /** Additional information for the reader. */
  readonly detail: string;
  readonly from: number;
  readonly to: number;
  readonly isFailed: boolean;
  /** Whether it is a request that changes nothing, which is drawn smaller. */
  readonly isRead: boolean;
  /** Whether the run would have been shorter without it. */
  readonly isCritical: boolean;
}

/** The spans of one object, such as a branch or a role. */
export interface Lane {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly spans: readonly Span[];
}

export interface RunTotals {
  readonly requests: number;
  readonly operations: number;
  /** The time that operations took, added up. */
  readonly operationMs: number;
  readonly wallMs: number;
  /** The time that objects waited for the lock of their project, or for the rate limit, added up. */
  readonly waitMs: number;
  readonly failures: number;
}

/** The part of a run that a list shows. */
export interface RunSummary {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly agent: string;
  readonly title: string;
  readonly totals: RunTotals;
}

/** A run of Pulumi: requests of one client without a longer pause, and the operations that they started. */
export interface Run extends RunSummary {
  readonly lanes: readonly Lane[];
}

/** The data from which runs are built. */
export interface Recorded {
  /** In the order of their arrival. */
  readonly requests: readonly RunRequest[];
  /** An operation by its id. */
  readonly operation: (id: string) => RunOperation | undefined;
  /** The name of a project, which may be deleted. */
  readonly projectName: (id: string) => string | undefined;
  /** The name of a branch, which may be deleted. */
  readonly branchName: (id: string) => string | undefined;
}
