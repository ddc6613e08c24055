import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { nameProblem } from "../../api/lookups/name-for-id";
import type { Problem } from "../call/services";
import { closestName } from "../closest-name";
import { at, atPath, holdsUnknown, unknownValue, type Values } from "../values";
import { metaIn } from "./defaults";
import { type FieldRule, top } from "./field-rules";
import type { AnyKind } from "./kind";

export interface InputProblem extends Problem {
  /** The value is missing, or a list has too few entries. */
  readonly isMissing?: true;
  /** The name that the program declares where an id is expected. */
  readonly name?: string;
}

/** The problems of these inputs. Unknown values are not validated. */
export function shapeProblems(schema: z.ZodType, inputs: Values): readonly InputProblem[] {
  const texts = [...textsIn(inputs, [])];
  const outputsAsText = texts.flatMap(outputAsText);
  if (outputsAsText.length > 0) return outputsAsText;
  const names = texts.flatMap(nameForId);
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return [...names, ...texts.flatMap(lostOnTheWay)];
  const problems: readonly ShapeProblem[] = [
    ...names,
    ...parsed.error.issues
      .flatMap((issue) => problemsOf(schema, issue, inputs))
      .filter(({ property }) => names.every((name) => name.property !== property)),
  ];
  // Report a misspelled property once, although the correct one is missing, too.
  const meant = new Set(problems.map((problem) => problem.meant));
  return problems.filter(({ property, reason }) => reason !== required || !meant.has(property));
}

/** Whether a program can omit the inputs at these paths, because none of them is required. */
export function canOmit(schema: z.ZodType, inputs: Values, paths: readonly string[]): boolean {
  const names = paths.map(top);
  const others = Object.fromEntries(Object.entries(inputs).filter(([name]) => !names.includes(name)));
  return !shapeProblems(schema, others).some(({ isMissing }) => isMissing === true);
}

const dayMs = 86_400_000;

/** Tolerance for this process's estimate of the platform's time, in milliseconds: responses give whole seconds. */
const slack = 60_000;

/** Declared times that are new or changed and out of bounds relative to now. */
export function timeProblems(
  { inputs }: Pick<AnyKind, "inputs">,
  before: Values = {},
  declared: Values,
  now: number,
): readonly Problem[] {
  return metaIn(inputs(), ({ daysFromNow }) => daysFromNow).flatMap(([property, { least, most }]) => {
    const text = atPath(declared, property);
    if (typeof text !== "string" || text === atPath(before, property)) return [];
    const ahead = Date.parse(text) - now;
    if (least !== undefined && ahead < least * dayMs - slack) return [{ property, reason: "must be in the future" }];
    if (most === undefined || ahead <= most * dayMs + slack) return [];
    return [{ property, reason: most === 0 ? "must not be in the future" : `must be at most ${most} days from now` }];
  });
}

/** The reason for an input without a value. */
const required = "is required";

/** How the SDKs begin the text that results if an output is converted to a string, and the function to use instead. */
const outputTexts = [
  ["Calling [toString] on an [Output<T>]", "pulumi.interpolate"],
  ["Calling __str__ on an Output[T]", "pulumi.Output.format"],
] as const;

function outputAsText({ property, text }: Text): readonly Problem[] {
  return outputTexts
    .filter(([beginning]) => text.includes(beginning))
    .map(([, builder]) => ({ property, reason: `contains an output as text: build the value with \`${builder}\`` }));
}

/** Reports a name that is declared where an id is expected. */
function nameForId({ property, text, isName }: Text): readonly InputProblem[] {
  const reason = isName ? undefined : nameProblem(property.slice(property.lastIndexOf(".") + 1), text);
  return reason === undefined ? [] : [{ property, reason, name: text }];
}

/** A problem. For a misspelled property, `meant` is the path of the intended one. */
interface ShapeProblem extends InputProblem {
  readonly meant?: string;
}

interface Text {
  /** The path of the text or, for a member's name, of the object that has the member. */
  readonly property: string;
  readonly text: string;
  readonly isName: boolean;
}

/** All texts in a value, including the names of members. */
function* textsIn(value: unknown, path: readonly string[]): Generator<Text> {
  const property = path.join(".");
  if (typeof value === "string") yield { property, text: value, isName: false };
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield { property, text: name, isName: true };
    yield* textsIn(member, [...path, name]);
  }
}

const storable = "well-formed Unicode without NUL characters";

/**
 * Reports a text that the platform would not receive unchanged: a lone surrogate, a NUL, which no database stores in a
 * text, or the name `__proto__`, which JavaScript treats as the prototype and not as a member.
 */
function lostOnTheWay({ property, text, isName }: Text): readonly Problem[] {
  if (isName && text === "__proto__") return [{ property, reason: `cannot have a member named ${text}` }];
  if (!/\p{Surrogate}/u.test(text) && !text.includes("\0")) return [];
  return [{ property, reason: isName ? `must have names of ${storable}` : `must be ${storable}` }];
}

function problemsOf(schema: z.ZodType, issue: z.core.$ZodIssue, inputs: Values): readonly ShapeProblem[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownProperty(schema, issue.path, key));
  const value = at(inputs, issue.path);
  const isCombination = issue.code === "custom" && issue.params?.["isCombination"] === true;
  if (issue.path.length > 0 && holdsUnknown(value) && !isCombination) return [];
  const isRequired = value === undefined && issue.code === "invalid_type";
  return [
    {
      property: issue.path.join("."),
      reason: isRequired ? required : sentence(issue),
      // A list that is too short lacks an entry.
      ...((value === undefined || (Array.isArray(value) && issue.code === "too_small")) && { isMissing: true }),
    },
  ];
}

function unknownProperty(schema: z.ZodType, path: readonly PropertyKey[], key: string): ShapeProblem {
  const others = otherNamesIn(schema, path);
  const meant = Object.hasOwn(others, key) ? others[key] : undefined;
  if (meant !== undefined) {
    const property = [...path, key].join(".");
    return { property, reason: `there is no such property here: ${meant}`, meant: "" };
  }
  const names = memberNames(schema, path);
  const close = closestName(key, names);
  const hint = close === undefined ? `; there are ${names.join(", ")}` : `; did you mean ${close}?`;
  return {
    property: [...path, key].join("."),
    reason: `there is no such property here${hint}`,
    ...(close === undefined ? {} : { meant: [...path, close].join(".") }),
  };
}

/** Names that other tools use for the inputs at a path, each with what to declare here instead. */
function otherNamesIn(schema: unknown, path: readonly PropertyKey[]): Readonly<Record<string, string | undefined>> {
  const found = schemaAt(schema, path);
  return (found instanceof z.ZodObject && found.meta()?.otherNames) || {};
}

/** The names of the members that a schema has at a path. */
function memberNames(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  const found = schemaAt(schema, path);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

/** The schema at a path. */
function schemaAt(schema: unknown, path: readonly PropertyKey[]): unknown {
  if (schema instanceof z.ZodOptional) return schemaAt(schema.unwrap(), path);
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  if (schema instanceof z.ZodArray) return schemaAt(schema.element, rest);
  return schema instanceof z.ZodObject ? schemaAt(schema.shape[String(key)], rest) : undefined;
}

/** Describes the requirement that a value violates, in the same words for all kinds of bounds. */
function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.message.replace(
        /^Invalid input: expected (\w+), received (\w+)$/,
        (_, wanted: string, given: string) =>
          wanted === "int" ? "must be a whole number" : `must be ${withArticle(wanted)}, not ${withArticle(given)}`,
      );
    case "too_small":
      return `must be at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case "too_big":
      return `must be at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
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

const countable: Readonly<Record<string, readonly [one: string, more: string]>> = {
  string: [" character long", " characters long"],
  array: [" entry long", " entries long"],
};

function unit(origin: string, count: number | bigint): string {
  return countable[origin]?.[Number(count) === 1 ? 0 : 1] ?? "";
}

export function withArticle(noun: string): string {
  return ["null", "undefined"].includes(noun) ? noun : `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
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
    if (rule.refuse === undefined || to === undefined || isDeepStrictEqual(from, to)) return [];
    if (from === unknownValue || to === unknownValue) return [];
    const reason = rule.refuse(from, to);
    return reason === undefined ? [] : [{ property, reason }];
  });
}

/** Required inputs that neither the program nor the account's settings give. */
export function unsetProblems(
  rules: Readonly<Record<string, FieldRule>>,
  inputs: Values,
  { orgId }: { readonly orgId: string | undefined },
): readonly InputProblem[] {
  return Object.entries(rules).flatMap(([property, { unset }]) =>
    unset !== "orgId" || inputs[property] !== undefined || orgId !== undefined
      ? []
      : [{ property, reason: "is required: declare it, or set neon:orgId", isMissing: true }],
  );
}
