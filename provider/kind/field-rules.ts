import { isDeepStrictEqual } from "node:util";

import type { Owner } from "../call/visibility";
import { Content, type ContentType } from "../content";
import { declaredAt, holdsUnknown, unknownValue, type Values, withValue } from "../values";

/**
 * What is special about one input: a few independent questions, each with a default. An input without a rule is updated
 * in place, compared with what the platform reports, and ignored when the program omits it.
 */
export interface FieldRule {
  /**
   * What a change of the program does. Default: it updates the object in place. With `replace`, the declared value stays
   * in the state however the platform has worded it, until a refresh finds that somebody has changed it.
   */
  readonly onChange?: "replace";
  /**
   * What a change by somebody else means. Default: it is drift, which the next `up` reverts; so is a change of what the program omits,
   * from the value that the reference names as the default. `ignore`: the state keeps what is declared, because a replacement would
   * lose data, or because nothing is to be reverted that the program does not declare.
   */
  readonly onDrift?: "ignore";
  /** What declaring it does to an object that reports nothing of it. Default: it is set in place. */
  readonly onAdd?: "replace";
  /**
   * What the platform knows of it. Default: it reports it, and a difference is drift.
   *
   * - `moves`: it changes without anybody changing the resource; the declared value is frozen, so that only a change of
   *   the program counts.
   * - `write-only`: it accepts the value and never reports it; the state keeps the declared one.
   * - `unaware`: it exists in the program and the state only; the kind decides what a change does.
   */
  readonly platform?: "moves" | "write-only" | "unaware";
  /** What omitting a previously declared value does. Default: the object keeps it. `clear` removes it from the object. */
  readonly onRemove?: "clear";
  /** How values that are written differently are compared. Default: literally. A function tells whether the first one is as declared. */
  readonly equality?: "instant" | "set" | "caseless" | ((present: unknown, declared: unknown) => boolean);
  /**
   * What no value means. Default: nothing is known.
   *
   * - `false`: a declared `false` is the same as omitting it.
   * - `none`: if the platform reports no value, there is none.
   * - `orgId`: the account's setting of that name applies if the program omits it; one of the two is required.
   */
  readonly unset?: "false" | "none" | "orgId";
  /**
   * The value that the object has by now, as far as the project's owner tells it. A program that declares it changes
   * nothing: the state records it.
   */
  readonly present?: (owner: Owner) => unknown;
  /** Why a change cannot be made at all, if so; asked in `check`. */
  readonly refuse?: (from: unknown, to: unknown) => string | undefined;
  /** It is a file or an archive, of which the state keeps only the hash: in the output of this name. */
  readonly content?: { readonly type: ContentType; readonly hash: string };
  /** The outputs that a change in place can change besides the input itself. Default: none. */
  readonly affects?: readonly string[];
}

/** Paths of inputs, such as those that changed. */
export interface Changes {
  /** Whether this input, or anything in it, is among them. */
  readonly has: (path: string) => boolean;
}

/** The rule for a path: its own, or that of what it is a part of. */
export function ruleFor(rules: Readonly<Record<string, FieldRule>>, path: string): FieldRule {
  const segments = path.split(".");
  for (let length = segments.length; length > 0; length -= 1) {
    const ancestor = segments.slice(0, length).join(".");
    if (Object.hasOwn(rules, ancestor)) return rules[ancestor] ?? {};
  }
  return {};
}

/** Whether a difference at this path needs a new object. */
export function replaces(rules: Readonly<Record<string, FieldRule>>, path: string, present: Values): boolean {
  const { onChange, onAdd } = ruleFor(rules, path);
  return onChange === "replace" || (onAdd === "replace" && present[top(path)] === undefined);
}

export function top(path: string): string {
  return path.split(".", 1)[0] ?? path;
}

/** The value that outputs hold of an input. Of a file or an archive, they hold the hash. */
export function presentAt(rules: Readonly<Record<string, FieldRule>>, outputs: Values, path: string): unknown {
  const { content } = ruleFor(rules, path);
  if (content === undefined) return declaredAt(outputs, path);
  const { [content.hash]: hash } = outputs;
  return typeof hash === "string" ? new Content(content.type, {}, hash) : undefined;
}

/** Outputs with the declared value of an input. */
export function withDeclaredAt(
  rules: Readonly<Record<string, FieldRule>>,
  outputs: Values,
  path: string,
  value: unknown,
): Values {
  const { content } = ruleFor(rules, path);
  if (content === undefined) return withValue(outputs, path.split("."), value);
  return { ...outputs, [content.hash]: (value instanceof Content ? value.hash : undefined) ?? unknownValue };
}

/** Whether the present value means the same to the platform as the declared one. */
export function same(rule: FieldRule, one: unknown, other: unknown): boolean {
  if (holdsUnknown(one) || holdsUnknown(other)) return false;
  if (one === undefined && asksNothing(rule, other)) return true;
  if (typeof rule.equality === "function") return rule.equality(one, other);
  if (rule.equality === "instant" && typeof one === "string" && typeof other === "string") {
    return Math.floor(Date.parse(one) / 1000) === Math.floor(Date.parse(other) / 1000);
  }
  if (rule.equality === "caseless" && typeof one === "string" && typeof other === "string") {
    return one.toLowerCase() === other.toLowerCase();
  }
  if (rule.equality === "set" && Array.isArray(one) && Array.isArray(other)) {
    return isDeepStrictEqual(new Set(one), new Set(other));
  }
  return isDeepStrictEqual(plain(one), plain(other));
}

/**
 * Whether a declaration asks for nothing of an object that reports no value. It is no reason to replace one.
 */
function asksNothing({ onChange }: FieldRule, value: unknown): boolean {
  if (onChange !== "replace") return false;
  return value === false || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

/** Without prototypes and undefined members, which mean nothing here. */
export function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
