import type { ErrorKind, Exchange } from "./errors";
import type { Method } from "./request";

/** What to do about an error, in sentences. */
export interface Advice {
  /** What has to be mended before another try can do better. */
  readonly mend?: string;
  /** That another try can do better. Who knows what happens next says that instead. */
  readonly again?: string;
  /** What to do if that does not help. */
  readonly else?: string;
}

interface Row {
  readonly statuses: readonly number[];
  /** Default: whatever was asked with. */
  readonly methods?: readonly Method[];
  /** Default: whatever was asked. */
  readonly path?: RegExp;
  /** Part of the platform's words. Default: whatever it says. */
  readonly reason?: RegExp;
  readonly advice: Advice;
}

const changes: readonly Method[] = ["POST", "PATCH", "PUT", "DELETE"];
const support = "ask the platform's support about this request.";
const askSupport = `If that does not help, ${support}`;
const later: Advice = { again: "Try again later." };

/** What to do about a refusal: the first row that fits. */
const refusals: readonly Row[] = [
  { statuses: [401], advice: { mend: "The API key is missing, wrong or revoked: use a valid one." } },
  { statuses: [403], advice: { mend: "This API key may not do that: use a key of someone who may." } },
  {
    statuses: [404, 410],
    advice: {
      mend: "There is no such object, or this API key does not see it: check its id, or use a key that sees it.",
    },
  },
  {
    statuses: [412],
    path: /\/(reveal_password|connection_uri)$/,
    advice: { mend: "The project stores no passwords: use the one from when it was made, or reset it." },
  },
  {
    // A personal key in an account whose projects belong to organizations.
    statuses: [400, 422],
    reason: /\borg_id\b/,
    advice: {
      mend: "Name the organization: run `pulumi config set neon:orgId <id>`, or set `orgId` on the resource.",
    },
  },
  {
    statuses: [400],
    methods: ["POST", "PATCH", "PUT"],
    advice: { mend: "Correct what the program asks for.", else: `If that is right, ${support}` },
  },
  {
    statuses: [400],
    methods: ["GET"],
    advice: { again: "Try again.", else: `If that does not help, correct what was asked for, or ${support}` },
  },
  {
    statuses: [409],
    methods: ["POST"],
    advice: {
      mend: "An object like it exists already: choose another name. If nothing else manages it, `adopt` takes it over.",
    },
  },
  {
    statuses: [409],
    methods: ["PATCH", "PUT"],
    advice: { mend: "Something that is there stands against it: choose another name, or remove that first." },
  },
  {
    statuses: [409, 412, 422],
    methods: changes,
    advice: { mend: "The object's present state, or a limit of the account, stands against it: change that first." },
  },
  // A read asks for nothing that could be mended.
  { statuses: [405, 406, 409, 412, 422], methods: ["GET"], advice: { again: "Try again.", else: askSupport } },
  { statuses: [301, 302, 303, 307, 308], advice: { mend: "Use the right base URL: it ends in /api/v2." } },
  {
    statuses: [423],
    advice: { again: "Other operations were still running: try again when they are done." },
  },
  {
    statuses: [429],
    advice: {
      again: "The account's rate limit was exceeded for longer than this request could wait: try again later.",
    },
  },
  { statuses: [408], advice: later },
];

/** A refused request, with the platform's own words. */
type Refusal = Exchange & { readonly status: number; readonly reason: string };

/** What to do about a refused request. */
export function adviceOnRefusal({ method, path, status, reason }: Refusal): Advice {
  const fitting = refusals.find(
    (row) =>
      row.statuses.includes(status) &&
      (row.methods?.includes(method) ?? true) &&
      (row.path?.test(path) ?? true) &&
      (row.reason?.test(reason) ?? true),
  );
  if (fitting !== undefined) return fitting.advice;
  return status >= 500 ? later : { mend: "Mend what the platform names.", else: askSupport };
}

/** What to do about errors of a kind that do not say it themselves. */
export const adviceOn: Readonly<Record<ErrorKind, Advice>> = {
  refused: later,
  "outcome-unknown": { again: "Look for its result before you send it again." },
  unreachable: later,
  // These say it where they say what happened.
  "never-answered": {},
  unreadable: { again: "Try again.", else: "If that does not help, look for a newer version of this package." },
  "operation-failed": { again: "Look what has come of it before you ask for it again." },
  "operation-timeout": { again: "It goes on: wait for it again." },
  "operation-unknown": { again: "Look what has come of it before you ask for it again." },
  invalid: {},
};
