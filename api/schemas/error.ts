import { z } from "zod";

/** The body of an HTTP error. `code` is often empty, so use the HTTP status to tell errors apart. */
export const errorBody = z.looseObject({
  request_id: z.string().optional(),
  code: z.string().optional(),
  message: z.string(),
});

/** Members that say in words what is wrong, in the order in which they form a sentence. */
const telling = ["title", "message", "msg", "reason", "detail", "description", "error_description", "error"] as const;
/** Members that are left out of a reason, because they say nothing or may be secret. */
const untold = /^(code|request_?id)$|pass|secret|token|key|auth|credential|cookie|ur[il]$/i;
/** No known gateway or service nests texts more deeply, and more texts than this are of no use to a reader. */
const limits = { depth: 8, texts: 10 } as const;

/** Extracts the reason from an error body of any shape; `undefined` if there is none. */
export function reasonIn(body: unknown): string | undefined {
  const texts = new Set(textsIn(body, 0).slice(0, limits.texts));
  return texts.size === 0 ? undefined : [...texts].join("; ");
}

/** The code of an error body, or of the error that it wraps. */
export function codeIn(body: unknown): string | undefined {
  const { code, error } = membersOf(body);
  return [code, membersOf(error)["code"]].find((one): one is string => typeof one === "string" && one !== "");
}

/**
 * The texts of a body. For an object: its telling members and the texts of nested values, or if there are none, all its
 * values.
 */
function textsIn(value: unknown, depth: number): readonly string[] {
  if (isText(value)) return [value];
  if (depth > limits.depth || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, limits.texts).flatMap((one) => textsIn(one, depth + 1));
  const members = membersOf(value);
  const said = telling.map((name) => members[name]).filter(isText);
  const own = [...new Set(said)].join(": ");
  const code = depth > 1 && isText(members["code"]) ? ` (${members["code"]})` : "";
  const nested = Object.entries(members).flatMap(([name, member]) =>
    typeof member === "object" && !untold.test(name) ? textsIn(member, depth + 1) : [],
  );
  if (own !== "") return [own + code, ...nested];
  if (nested.length > 0) return nested;
  const pairs = Object.entries(members).filter(
    ([name, member]) => !untold.test(name) && (isText(member) || ["number", "boolean"].includes(typeof member)),
  );
  return pairs.length === 0 ? [] : [pairs.map(([name, member]) => `${name}: ${String(member)}`).join(", ")];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
