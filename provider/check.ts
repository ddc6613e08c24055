import { isDeepStrictEqual } from "node:util";

import { distance } from "fastest-levenshtein";
import { z } from "zod";

import type { FieldRule, Problem, Values } from "./kind";
import { at, atPath, holdsUnknown, unknownValue } from "./values";

/** What is wrong with these inputs. What is not known yet is not judged. */
export function shapeProblems(schema: z.ZodType, inputs: Values): readonly Problem[] {
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => problemsOf(schema, issue, inputs));
}

function problemsOf(schema: z.ZodType, issue: z.core.$ZodIssue, inputs: Values): readonly Problem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      property: [...issue.path, key].join("."),
      reason: `there is no such property here${suggestion(key, memberNames(schema, issue.path))}`,
    }));
  }
  const value = at(inputs, issue.path);
  if (issue.path.length > 0 && holdsUnknown(value)) return [];
  return [
    {
      property: issue.path.join("."),
      reason: value === undefined && issue.code === "invalid_type" ? "is required" : sentence(issue),
    },
  ];
}

/** The names of the members that a schema has at a path. */
function memberNames(schema: unknown, [key, ...rest]: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional) return memberNames(schema.unwrap(), key === undefined ? [] : [key, ...rest]);
  if (!(schema instanceof z.ZodObject)) return [];
  return key === undefined ? Object.keys(schema.shape) : memberNames(schema.shape[String(key)], rest);
}

/** The name that was probably meant, if one is close. */
function suggestion(wrong: string, names: readonly string[]): string {
  const plain = (name: string): string => name.toLowerCase().replaceAll("_", "");
  const [closest] = names
    .map((name) => ({ name, steps: distance(plain(name), plain(wrong)) }))
    .sort((one, other) => one.steps - other.steps);
  const close = closest !== undefined && closest.steps <= 2 ? closest.name : undefined;
  return close === undefined ? `; there are ${names.join(", ")}` : `; did you mean ${close}?`;
}

/** What is asked of a value, in the same words for all kinds of bounds. */
function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.message.replace(/^Invalid input: expected (\w+), received (\w+)$/, "must be a $1, not a $2");
    case "too_small":
      return `must be at least ${issue.minimum}${unit(issue.origin)}`;
    case "too_big":
      return `must be at most ${issue.maximum}${unit(issue.origin)}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "invalid_format":
    case "not_multiple_of":
    case "unrecognized_keys":
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return issue.message;
    default:
      return issue satisfies never;
  }
}

function unit(origin: string): string {
  return origin === "string" ? " characters long" : origin === "array" ? " entries long" : "";
}

/** Changes that a rule refuses, with its reason. */
export function refusedChanges(
  rules: Readonly<Record<string, FieldRule>>,
  before: Values,
  after: Values,
): readonly Problem[] {
  return Object.entries(rules).flatMap(([property, rule]) => {
    const from = atPath(before, property);
    const to = atPath(after, property);
    if (rule.refuses === undefined || to === undefined || isDeepStrictEqual(from, to)) return [];
    if (from === unknownValue || to === unknownValue) return [];
    const reason = rule.refuses(from, to);
    return reason === undefined ? [] : [{ property, reason }];
  });
}

/** The rule for a path: its own, or that of what it is a part of. */
export function ruleFor(rules: Readonly<Record<string, FieldRule>>, path: string): FieldRule {
  const segments = path.split(".");
  for (let length = segments.length; length > 0; length -= 1) {
    const rule = rules[segments.slice(0, length).join(".")];
    if (rule !== undefined) return rule;
  }
  return {};
}

/** Whether two values of an input are the same to the platform. */
export function same(rule: FieldRule, one: unknown, other: unknown): boolean {
  if (holdsUnknown(one) || holdsUnknown(other)) return false;
  if (rule.same === "instant" && typeof one === "string" && typeof other === "string") {
    return Math.floor(Date.parse(one) / 1000) === Math.floor(Date.parse(other) / 1000);
  }
  if (rule.same === "set" && Array.isArray(one) && Array.isArray(other)) {
    return isDeepStrictEqual(new Set(one), new Set(other));
  }
  return isDeepStrictEqual(plain(one), plain(other));
}

/** Without prototypes and undefined members, which mean nothing here. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
