import type { ErrorKind, FailedExchange } from "./error-kind";
import type { Method } from "./request";

/** The stable codes of errors: each is a heading of docs/troubleshooting.md. */
export const topics = [
  "invalid-key",
  "missing-permission",
  "not-found",
  "missing-organization",
  "already-exists",
  "refused-by-neon",
  "unfinished-operation",
  "unknown-outcome",
] as const;

export type Topic = (typeof topics)[number];

/** What the user can do about an error, in sentences. */
export interface Remediation {
  /** What has to be fixed before a retry can succeed. */
  readonly fix?: string;
  /** Says that a retry may succeed. Callers that know what happens next replace this text. */
  readonly retry?: string;
  /** The action if neither the fix nor the retry helps. */
  readonly fallback?: string;
  /** Where the documentation explains the error. */
  readonly topic?: Topic;
}

interface Row {
  /** Default: all statuses. */
  readonly statuses?: readonly number[];
  /** Default: all methods. */
  readonly methods?: readonly Method[];
  /** Default: all paths. */
  readonly path?: RegExp;
  /** The platform's error code. Default: all codes. */
  readonly code?: string;
  /** Matches the platform's error message. Default: all messages. */
  readonly reason?: RegExp;
  readonly remediation: Remediation;
}

const mutations: readonly Method[] = ["POST", "PATCH", "PUT", "DELETE"];
const contactSupport = "contact Neon support about this request.";
const ifItPersists = `If the error persists, ${contactSupport}`;
const stateOrLimit: Remediation = {
  topic: "refused-by-neon",
  fix: "The request conflicts with the object's state or an account limit. Resolve that first.",
};
/** The ends of paths that act on an object. */
const actions =
  /\/(start|suspend|restart|restore|finalize_restore|reset_password|set_as_default|recover|transfer|transfer_requests|anonymize)$/;
/** The ends of paths that create objects with unique names, and of paths that can rename such an object. */
const named = /\/(branches|branch_anonymized|roles|databases|buckets|projects|snapshot)$/;
const renamed = /\/(branches|databases|snapshots)\/[^/]+$/;
const later: Remediation = { retry: "Try again later." };
const isRunning: Remediation = {
  retry: "Other operations on the project are still running. Try again when they have finished.",
};
const exists: Remediation = {
  topic: "already-exists",
  fix: "The object already exists, or the state of what it belongs to excludes it. Resolve that first.",
};
/** The reason of a 422 while the operations of a new branch are running: the platform has changed nothing. */
export const branchNotReady = /\bbranch not ready yet\b/;
/** The error code for a second read-write compute of a branch. The HTTP status varies. */
export const secondCompute = "ENDPOINTS_LIMIT_EXCEEDED";

/** Remediations of HTTP errors. The first matching row applies. */
const httpRemediations: readonly Row[] = [
  { code: secondCompute, reason: /\balready exists\b/, remediation: exists },
  {
    statuses: [401],
    remediation: { topic: "invalid-key", fix: "The API key is invalid or revoked. Use a valid API key." },
  },
  {
    statuses: [403],
    remediation: { topic: "missing-permission", fix: "This API key lacks the permission. Use an API key that has it." },
  },
  {
    statuses: [404, 410],
    remediation: {
      topic: "not-found",
      fix: "The object does not exist, or this API key cannot see it. Check the id, or use an API key that can see it.",
    },
  },
  {
    statuses: [412],
    path: /\/(reveal_password|connection_uri)$/,
    remediation: {
      fix: "The project does not store passwords. Use the password that was returned when the role was created, or reset it.",
    },
  },
  {
    // A personal API key of an account whose projects belong to organizations.
    statuses: [400, 422],
    reason: /\borg_id\b/,
    remediation: {
      topic: "missing-organization",
      fix: "The request must name an organization.",
    },
  },
  {
    statuses: [400],
    methods: ["GET", "POST", "PATCH", "PUT"],
    remediation: {
      topic: "refused-by-neon",
      fix: "Correct the inputs.",
      fallback: `If they are correct, ${contactSupport}`,
    },
  },
  { statuses: [422], reason: branchNotReady, remediation: isRunning },
  {
    statuses: [412],
    methods: mutations,
    path: /\/branches\/[^/]+\/(roles|databases)(\/|$)/,
    reason: /\bread-write endpoint\b/,
    remediation: { topic: "refused-by-neon", fix: "The branch has no read-write compute. Create one first." },
  },
  {
    // Actions create nothing, so the conflict is not an existing object.
    statuses: [409],
    methods: ["POST"],
    path: actions,
    remediation: stateOrLimit,
  },
  {
    statuses: [409],
    methods: ["POST"],
    path: named,
    remediation: {
      topic: "already-exists",
      fix: "The object already exists. Choose another name.",
    },
  },
  {
    // Other creations have no name that the user could change, such as a compute, a Data API or Neon Auth.
    statuses: [409],
    methods: ["POST"],
    remediation: exists,
  },
  {
    statuses: [409],
    methods: ["PATCH", "PUT"],
    path: renamed,
    remediation: {
      topic: "already-exists",
      fix: "The request conflicts with another object. Choose another name.",
    },
  },
  {
    statuses: [409, 412, 422],
    methods: mutations,
    remediation: stateOrLimit,
  },
  // A read has no inputs to correct.
  {
    statuses: [405, 406, 409, 412],
    methods: ["GET"],
    remediation: { retry: "Try again.", fallback: ifItPersists },
  },
  { statuses: [301, 302, 303, 307, 308], remediation: { fix: "Correct the base URL. It must end in /api/v2." } },
  { statuses: [423], remediation: isRunning },
  {
    statuses: [429],
    remediation: {
      retry: "The account exceeded its rate limit for longer than this request could wait. Try again later.",
    },
  },
  { statuses: [408], remediation: later },
];

/** Returns the remediation of an HTTP error. */
export function httpRemediation({ method, path, status, code, reason }: FailedExchange): Remediation {
  const match = httpRemediations.find(
    (row) =>
      (row.statuses?.includes(status) ?? true) &&
      (row.methods?.includes(method) ?? true) &&
      (row.path?.test(path) ?? true) &&
      (row.code === undefined || row.code === code) &&
      (row.reason?.test(reason) ?? true),
  );
  if (match !== undefined) return match.remediation;
  return status >= 500 ? later : { fix: "Fix the problem reported above.", fallback: ifItPersists };
}

/** Default remediations of errors without one of their own. */
export const remediations: Readonly<Record<ErrorKind, Remediation>> = {
  http: later,
  "unknown-route": {
    fix: "Neon does not know this route. Check the base URL, which must end in /api/v2.",
    fallback: "If it does, check for a newer version of this package.",
  },
  "outcome-unknown": { topic: "unknown-outcome", retry: "Check the current state before retrying." },
  unreachable: later,
  "never-responded": { fix: "Check the base URL." },
  unreadable: { retry: "Try again.", fallback: "If the error persists, check for a newer version of this package." },
  "operation-failed": { topic: "unfinished-operation", retry: "Check the current state before retrying." },
  "operation-timeout": {
    topic: "unfinished-operation",
    retry: "Pending operations continue in Neon. Wait for them again.",
  },
  "operation-unknown": { retry: "Check the current state before retrying." },
  invalid: {},
};
