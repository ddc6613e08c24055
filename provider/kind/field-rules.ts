import { isDeepStrictEqual } from "node:util";

import type { Owner } from "../call/visibility";
import { Content, type ContentType } from "../content";
import { declaredAt, holdsUnknown, unknownValue, type Values, withValue } from "../values";

/**
 * The behavior of one input: a few independent questions, each with a default. An input without a rule is updated in
 * place, compared with what the platform reports, and ignored when the program omits it.
 */
export interface FieldRule {
  /**
   * The effect of a change in the program. Default: the object is updated in place. With `replace`, the state keeps the
   * declared value even if the platform words it differently, until a refresh finds that somebody has changed it.
   */
  readonly onChange?: "replace";
  /**
   * The meaning of a change by somebody else. Default: it is drift, which the next `up` reverts. For an input that the
   * program omits, a change from the documented default is drift, too. `ignore`: the state keeps the declared value,
   * because a replacement would lose data, or because an undeclared value is not to be reverted.
   */
  readonly onDrift?: "ignore";
  /** The effect of declaring the input if the object reports no value. Default: it is set in place. */
  readonly onAdd?: "replace";
  /**
   * How the platform treats the input. Default: it reports the value, and a difference is drift.
   *
   * - `moves`: the value changes without anybody changing the resource. The declared value is frozen, so that only a
   *   change in the program counts.
   * - `write-only`: the platform accepts the value and never reports it. The state keeps the declared one.
   * - `unaware`: the input exists in the program and the state only. The kind decides what a change does.
   */
  readonly platform?: "moves" | "write-only" | "unaware";
  /**
   * The effect of omitting a previously declared value. Default: the object keeps it. `clear` removes it from the
   * object.
   */
  readonly onRemove?: "clear";
  /**
   * How values that can be written in several ways are compared. Default: literally. A function gets the present and
   * the declared value.
   */
  readonly equality?: "instant" | "set" | "caseless" | ((present: unknown, declared: unknown) => boolean);
  /**
   * The meaning of a missing value. Default: nothing is known.
   *
   * - `false`: a declared `false` is the same as omitting the input.
   * - `none`: if the platform reports no value, there is none.
   * - `orgId`: the account's setting of that name applies if the program omits the input; one of the two is required.
   */
  readonly unset?: "false" | "none" | "orgId";
  /**
   * The object's present value, if it follows from the project's owner. Declaring this value changes nothing; the state
   * only records it.
   */
  readonly present?: (owner: Owner) => unknown;
  /** Why a change cannot be made at all; undefined if it can. Called in `check`. */
  readonly refuse?: (from: unknown, to: unknown) => string | undefined;
  /**
   * For a file or an archive: the output of this name keeps the hash in the state, instead of the content. `isSent`:
   * whether the content is sent to the platform, and not only compared. Default: true.
   */
  readonly content?: { readonly type: ContentType; readonly hash: string; readonly isSent?: false };
  /** The outputs, besides the input itself, that a change in place can affect. Default: none. */
  readonly affects?: readonly string[];
}

/** Paths of inputs, such as those that changed. */
export interface Changes {
  /** Whether this input, or a member of it, is among them. */
  readonly has: (path: string) => boolean;
}

/** The rule for a path: its own, or that of its nearest ancestor. */
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

/** The value of an input in the outputs. For a file or an archive, it holds only the hash. */
export function presentAt(rules: Readonly<Record<string, FieldRule>>, outputs: Values, path: string): unknown {
  const { content } = ruleFor(rules, path);
  if (content === undefined) return declaredAt(outputs, path);
  const { [content.hash]: hash } = outputs;
  return typeof hash === "string" ? new Content(content.type, {}, hash) : undefined;
}

/** Sets the declared value of an input in outputs. */
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
 * Whether an object that reports no value already satisfies a declared one, so that it need not be replaced: `false` or
 * an empty object.
 */
function asksNothing({ onChange }: FieldRule, value: unknown): boolean {
  if (onChange !== "replace") return false;
  return value === false || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

/** Removes prototypes and undefined members, which have no meaning here. */
export function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
