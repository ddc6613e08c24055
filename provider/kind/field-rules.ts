import { isDeepStrictEqual } from "node:util";

import { Content } from "../content";
import { declaredAt, holdsUnknown, unknownValue, type Values, withValue } from "../values";
import type { FieldRule } from "./kind";

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
