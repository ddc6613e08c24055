/**
 * The protocol between the server and the console page: the state from which the page is rendered, and the messages that keep it
 * current. Times are milliseconds since 1970. Nothing here is a secret.
 */

import type { Run, RunSummary } from "../pulumi-run/run";

export interface ProjectView {
  readonly id: string;
  readonly name: string;
  readonly region: string;
  readonly postgres: number;
  /** The organization or the user that owns it. */
  readonly owner: string;
  readonly branches: number;
  readonly activeComputes: number;
  readonly createdAt: number;
  /** Whether operations are in progress, which lock it. */
  readonly isLocked: boolean;
  readonly historySeconds: number;
}

export interface ComputeView {
  readonly id: string;
  readonly type: "read_write" | "read_only";
  readonly state: string;
  readonly pending: string | undefined;
  readonly host: string;
  readonly size: string;
  readonly lastActiveAt: number | undefined;
  /** The process id of its Postgres. */
  readonly pid: number | undefined;
}

export interface BranchView {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly parentId: string | undefined;
  readonly isDefault: boolean;
  readonly isProtected: boolean;
  readonly state: string;
  readonly pending: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly bytes: number | undefined;
  readonly source: string;
  readonly computes: readonly ComputeView[];
  /** Whether a client can connect to it. */
  readonly canConnect: boolean;
}

/** The details of a branch, which only its own page shows. */
export interface BranchDetail {
  readonly id: string;
  readonly roles: readonly { readonly name: string; readonly hasPassword: boolean; readonly isProtected: boolean }[];
  readonly databases: readonly { readonly name: string; readonly owner: string }[];
  readonly snapshots: readonly SnapshotView[];
  readonly schedule: readonly string[];
  /** The number of objects on each page below that of the branch. */
  readonly services: Readonly<Record<BranchPage, number>>;
}

/** The pages below that of a branch. */
export type BranchPage = "functions" | "triggers" | "buckets";

/** The branch that a page is about. */
export interface BranchPlace {
  readonly project: string;
  readonly branchId: string;
  readonly branch: string;
  /** The path of the page of the branch. */
  readonly path: string;
}

export interface FunctionView {
  readonly slug: string;
  readonly name: string;
  /** Empty until the function can be called. */
  readonly url: string;
  readonly isInherited: boolean;
  /** The latest ones, newest first. */
  readonly deployments: readonly DeploymentView[];
  readonly domains: readonly DomainView[];
}

/** A custom domain of a function. */
export interface DomainView {
  readonly domain: string;
  readonly status: "pending" | "active" | "error";
  /** The reason of an error; empty without one. */
  readonly reason: string;
}

export interface DeploymentView {
  readonly id: number;
  readonly status: "pending" | "building" | "completed" | "failed";
  /** Whether this deployment answers requests. */
  readonly isActive: boolean;
  readonly error: string | undefined;
  readonly createdAt: number;
  /** The names of its own variables. */
  readonly variables: readonly string[];
}

export interface LogLineView {
  readonly number: number;
  readonly time: number;
  readonly severity: string;
  readonly message: string;
}

export interface FunctionAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Whether only a part of the body is shown. */
  readonly isCut: boolean;
  readonly milliseconds: number;
}

export interface TriggerView {
  readonly id: string;
  readonly name: string;
  /** The slug of the function that the trigger invokes. */
  readonly target: string;
  readonly path: string;
  /** The schedule, or the uploads that invoke the function. */
  readonly when: string;
  readonly isSchedule: boolean;
  readonly isEnabled: boolean;
  readonly isInherited: boolean;
  readonly nextAt: number | undefined;
  readonly lastAt: number | undefined;
  /** The ends of the last invocations, newest first. The status is `null` if the function did not answer. */
  readonly results: readonly { readonly at: number; readonly status: number | null }[];
  /** Invocations that the function has not answered yet. */
  readonly waiting: number;
}

export interface BucketView {
  readonly name: string;
  readonly access: string;
  readonly isInherited: boolean;
}

/** A rule for requests of pages of other origins to a bucket. */
export interface CorsView {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  /** The header fields that requests may have. */
  readonly headers: readonly string[];
  /** The header fields that pages may read. */
  readonly exposed: readonly string[];
  readonly maxAgeSeconds: number | undefined;
}

/** A page of the objects of a bucket. */
export interface ObjectListView {
  readonly bucket: string;
  readonly cors: readonly CorsView[];
  readonly prefix: string;
  readonly folders: readonly string[];
  readonly objects: readonly {
    readonly key: string;
    readonly bytes: number;
    readonly modifiedAt: number;
    readonly isInherited: boolean;
    readonly type: string;
    /** The other header fields that are sent with the object. */
    readonly headers: Readonly<Record<string, string>>;
  }[];
  /** The value of `after` for the next page; undefined on the last page. */
  readonly next: string | undefined;
}

export interface SnapshotView {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly isManual: boolean;
}

export type OperationLabel = "OK" | "Scheduling" | "In progress" | "Error";

export interface OperationView {
  readonly id: string;
  readonly projectId: string;
  readonly project: string;
  readonly branchId: string | undefined;
  readonly branch: string | undefined;
  readonly computeId: string | undefined;
  readonly action: string;
  readonly status: string;
  readonly label: OperationLabel;
  readonly error: string | undefined;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  /** The time that the operation ran, once it has ended. */
  readonly milliseconds: number;
  readonly isEnded: boolean;
}

export interface RequestView {
  /** The number of the request since the start. */
  readonly number: number;
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly milliseconds: number | undefined;
  readonly requestId: string;
  readonly agent: string;
  /** JSON without secrets. */
  readonly body: string | undefined;
}

/** Whether a request has all words of a search. */
export function hasWords({ method, path, status, requestId, agent, body }: RequestView, search: string): boolean {
  const text = `${method} ${path} ${status ?? ""} ${requestId} ${agent} ${body ?? ""}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export interface KeyView {
  readonly id: number;
  readonly name: string;
  readonly kind: "personal" | "organization" | "project";
  readonly owner: string;
  readonly project: string | undefined;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

export interface OrganizationView {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly projects: number;
  readonly projectsLimit: number;
  readonly members: readonly { readonly email: string; readonly role: string }[];
}

/** A limit of the platform, and its use. */
export interface LimitView {
  readonly name: string;
  readonly used: number | undefined;
  readonly limit: number;
  /** The start option that would enforce the limit; undefined if it is enforced. */
  readonly missingOption?: string | undefined;
}

/** A branch that SQL can be run on. */
export interface SqlTarget {
  readonly branchId: string;
  readonly branch: string;
  readonly projectId: string;
  readonly project: string;
  readonly databases: readonly { readonly name: string; readonly owner: string }[];
  readonly roles: readonly string[];
}

/** The part of the state that only some pages show. */
export type View =
  | {
      readonly kind: "branches";
      readonly projectId: string | undefined;
      readonly branches: readonly BranchView[];
      readonly detail: BranchDetail | undefined;
      /** The latest operations of the branch in detail, or else of the project, newest first. */
      readonly operations: readonly OperationView[];
    }
  | { readonly kind: "operations" }
  | { readonly kind: "timeline"; readonly runs: readonly RunSummary[]; readonly run: Run | undefined }
  | { readonly kind: "sql"; readonly targets: readonly SqlTarget[] }
  | { readonly kind: "requests"; readonly requests: readonly RequestView[] }
  | {
      readonly kind: "faults";
      readonly faults: readonly unknown[];
      readonly actions: readonly string[];
      /** The operation times, as they were given. */
      readonly operationTime: string;
    }
  | { readonly kind: "keys"; readonly keys: readonly KeyView[]; readonly organizations: readonly OrganizationView[] }
  | {
      readonly kind: "people";
      readonly organizations: readonly OrganizationView[];
      readonly limits: readonly LimitView[];
    }
  | {
      readonly kind: "functions";
      readonly place: BranchPlace;
      readonly functions: readonly FunctionView[];
      /** The function that is shown with its log, oldest line first. */
      readonly selected: string | undefined;
      readonly log: readonly LogLineView[];
    }
  | { readonly kind: "triggers"; readonly place: BranchPlace; readonly triggers: readonly TriggerView[] }
  | {
      readonly kind: "buckets";
      readonly place: BranchPlace;
      readonly buckets: readonly BucketView[];
      readonly list: ObjectListView | undefined;
    }
  | { readonly kind: "missing"; readonly what: string };

/** The view of a kind. */
export type ViewOf<Kind extends View["kind"]> = Extract<View, { readonly kind: Kind }>;

export interface PageState {
  /** The id of the running platform, which changes at each start. */
  readonly instance: string;
  /** The number of changes since the start. */
  readonly version: number;
  readonly now: number;
  /** The base of all URLs of the platform. */
  readonly origin: string;
  readonly dataFolder: string | undefined;
  /** The versions of Postgres that run the databases. */
  readonly versions: readonly string[] | undefined;
  /** Path and query of the page. */
  readonly path: string;
  readonly projects: readonly ProjectView[];
  /** The latest ones, newest first. */
  readonly operations: readonly OperationView[];
  readonly view: View;
}

/** A message of the page's stream. */
export type LiveMessage =
  | { readonly type: "hello"; readonly instance: string; readonly version: number }
  | { readonly type: "operations"; readonly rows: readonly OperationView[] }
  | { readonly type: "projects"; readonly rows: readonly ProjectView[]; readonly removed: readonly string[] }
  | { readonly type: "branches"; readonly rows: readonly BranchView[]; readonly removed: readonly string[] }
  | { readonly type: "requests"; readonly rows: readonly RequestView[] }
  /** Changes that are not sent: a page with one of these views, or the details of one of these branches, reads its state again. */
  | { readonly type: "stale"; readonly views: readonly View["kind"][]; readonly branches: readonly string[] };

/** The result of a statement, as the page shows it. Values are texts, as Postgres writes them. */
export interface StatementResult {
  readonly command: string;
  /** The number of rows that the statement has returned or changed. */
  readonly rowCount: number | null;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Whether there were more rows than those that are kept. */
  readonly isCut: boolean;
  readonly milliseconds: number;
}

/** The error of a statement, in the words of Postgres. */
export interface StatementError {
  readonly message: string;
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  /** The position of the error in the statement, in characters from 1. */
  readonly position: number | undefined;
}

/** A line of the answer: the result or the error of one statement. */
export type SqlLine =
  | { readonly statement: number; readonly result: StatementResult }
  | { readonly statement: number; readonly error: StatementError };
