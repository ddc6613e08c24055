import type { ErrorKind, Exchange } from "./error-kind";
import type { Method } from "./request";

/** What to do about an error, in sentences. */
export interface Remediation {
  /** What has to be mended before another try can do better. */
  readonly fix?: string;
  /** That another try can do better. Who knows what happens next says that instead. */
  readonly retry?: string;
  /** What to do if that does not help. */
  readonly fallback?: string;
}

interface Row {
  readonly statuses: readonly number[];
  /** Default: whatever was asked with. */
  readonly methods?: readonly Method[];
  /** Default: whatever was asked. */
  readonly path?: RegExp;
  /** Part of the platform's words. Default: whatever it says. */
  readonly reason?: RegExp;
  readonly remediation: Remediation;
}

const changes: readonly Method[] = ["POST", "PATCH", "PUT", "DELETE"];
const support = "ask the platform's support about this request.";
const askSupport = `If that does not help, ${support}`;
const later: Remediation = { retry: "Try again later." };

/** What to do about a refusal: the first row that fits. */
const httpRemediations: readonly Row[] = [
  { statuses: [401], remediation: { fix: "The API key is missing, wrong or revoked: use a valid one." } },
  { statuses: [403], remediation: { fix: "This API key may not do that: use a key of someone who may." } },
  {
    statuses: [404, 410],
    remediation: {
      fix: "There is no such object, or this API key does not see it: check its id, or use a key that sees it.",
    },
  },
  {
    statuses: [412],
    path: /\/(reveal_password|connection_uri)$/,
    remediation: { fix: "The project stores no passwords: use the one from when it was made, or reset it." },
  },
  {
    // A personal key in an account whose projects belong to organizations.
    statuses: [400, 422],
    reason: /\borg_id\b/,
    remediation: {
      fix: "Name the organization: run `pulumi config set neon:orgId <id>`, or set `orgId` on the resource.",
    },
  },
  {
    statuses: [400],
    methods: ["POST", "PATCH", "PUT"],
    remediation: { fix: "Correct what the program asks for.", fallback: `If that is right, ${support}` },
  },
  {
    statuses: [400],
    methods: ["GET"],
    remediation: { retry: "Try again.", fallback: `If that does not help, correct what was asked for, or ${support}` },
  },
  {
    statuses: [409],
    methods: ["POST"],
    remediation: {
      fix: "An object like it exists already: choose another name. If nothing else manages it, `adopt` takes it over.",
    },
  },
  {
    statuses: [409],
    methods: ["PATCH", "PUT"],
    remediation: { fix: "Something that is there stands against it: choose another name, or remove that first." },
  },
  {
    statuses: [409, 412, 422],
    methods: changes,
    remediation: {
      fix: "The object's present state, or a limit of the account, stands against it: change that first.",
    },
  },
  // A read asks for nothing that could be mended.
  { statuses: [405, 406, 409, 412, 422], methods: ["GET"], remediation: { retry: "Try again.", fallback: askSupport } },
  { statuses: [301, 302, 303, 307, 308], remediation: { fix: "Use the right base URL: it ends in /api/v2." } },
  {
    statuses: [423],
    remediation: { retry: "Other operations were still running: try again when they are done." },
  },
  {
    statuses: [429],
    remediation: {
      retry: "The account's rate limit was exceeded for longer than this request could wait: try again later.",
    },
  },
  { statuses: [408], remediation: later },
];

/** A refused request, with the platform's own words. */
type HttpFailure = Exchange & { readonly status: number; readonly reason: string };

/** What to do about a refused request. */
export function httpRemediation({ method, path, status, reason }: HttpFailure): Remediation {
  const fitting = httpRemediations.find(
    (row) =>
      row.statuses.includes(status) &&
      (row.methods?.includes(method) ?? true) &&
      (row.path?.test(path) ?? true) &&
      (row.reason?.test(reason) ?? true),
  );
  if (fitting !== undefined) return fitting.remediation;
  return status >= 500 ? later : { fix: "Mend what the platform names.", fallback: askSupport };
}

/** What to do about errors of a kind that do not say it themselves. */
export const remediations: Readonly<Record<ErrorKind, Remediation>> = {
  http: later,
  "outcome-unknown": { retry: "Look for its result before you send it again." },
  unreachable: later,
  // These say it where they say what happened.
  "never-answered": {},
  unreadable: { retry: "Try again.", fallback: "If that does not help, look for a newer version of this package." },
  "operation-failed": { retry: "Look what has come of it before you ask for it again." },
  "operation-timeout": { retry: "It goes on: wait for it again." },
  "operation-unknown": { retry: "Look what has come of it before you ask for it again." },
  invalid: {},
};
