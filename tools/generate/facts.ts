// Complete descriptions of inputs and outputs: a shared description, followed by sentences derived from schemas and
// rules.
import type { FieldRule } from "../../provider/kind/field-rules";
import type { AnyKind } from "../../provider/kind/kind";
import { type JsonSchema, membersOf } from "./json-schema";

/**
 * The inputs of a kind with complete descriptions. An input without a description uses that of the output with the same
 * name.
 */
export function inputsWithWords(inputs: JsonSchema, outputs: JsonSchema, kind: AnyKind): JsonSchema {
  const members = membersOf(inputs).map(([name, input]) => {
    const shared = { ...input, description: input.description ?? outputs.properties?.[name]?.description };
    if (name === "adopt") return [name, { ...input, description: adoptionOf(input, inputs, kind) }] as const;
    const change = [unreadOf(input, kind.rules[name]), changeOf(name, input, kind)];
    return [name, withWords(shared, defaultName(name, kind), sentences(...change))] as const;
  });
  return { ...inputs, properties: Object.fromEntries(members) };
}

/** The outputs of a kind with complete descriptions. */
export function outputsWithWords(outputs: JsonSchema, inputs: JsonSchema, { rules }: AnyKind): JsonSchema {
  const members = membersOf(outputs).map(([name, output]) => {
    const { platform } = rules[name] ?? {};
    const isKept = platform === "unaware" || platform === "write-only";
    const isDeclared = isKept && inputs.properties?.[name]?.description === output.description;
    return [name, reported(isDeclared ? { ...output, description: "The declared value." } : output)] as const;
  });
  return { ...outputs, properties: Object.fromEntries(members) };
}

/** The result of a data source with complete descriptions. */
export function resultWithWords(result: JsonSchema): JsonSchema {
  const { items, properties } = result;
  const members = properties && membersOf(result).map(([name, member]) => [name, resultWithWords(member)] as const);
  return {
    ...reported(result),
    ...(items && { items: resultWithWords(items) }),
    ...(members && { properties: Object.fromEntries(members) }),
  };
}

function reported(schema: JsonSchema): JsonSchema {
  const { description, absent, secret } = schema;
  return { ...schema, description: sentences(description, absent && `Absent ${absent}.`, secret && "Secret.") };
}

/** A declared schema with complete descriptions, also of its nested members. */
export function withWords(schema: JsonSchema, usual?: string, change?: string): JsonSchema {
  const { description, note, omitted, default: standard, change: more, items, properties } = schema;
  const fallback = omitted ?? usual ?? (standard === undefined ? undefined : valueText(standard));
  const inner = properties && membersOf(schema).map(([name, member]) => [name, withWords(member)] as const);
  return {
    ...schema,
    description: sentences(description, limitOf(schema), note, fallback && `Default: ${fallback}.`, change, more),
    ...(items && { items: withWords(items) }),
    ...(inner && { properties: Object.fromEntries(inner) }),
  };
}

function defaultName(name: string, kind: AnyKind): string | undefined {
  return name === kind.defaultName ? "the resource's logical name" : undefined;
}

function valueText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text === "{}" || text === "[]" ? "none" : `\`${text}\``;
}

function limitOf({ maxLength, minItems = 0, maxItems }: JsonSchema): string | undefined {
  if (maxItems !== undefined) return `${minItems > 0 ? `${minItems} to` : "At most"} ${maxItems} entries.`;
  return maxLength === undefined ? undefined : `At most ${maxLength} characters.`;
}

/**
 * A sentence about changing an input. If the platform does not know the input or moves it by itself, the input's
 * description says what a change does.
 */
function changeOf(name: string, input: JsonSchema, { rules, noun, update }: AnyKind): string | undefined {
  const { onChange, platform, refuse } = rules[name] ?? {};
  if (onChange === "replace") {
    const it = pronounOf(input);
    return `Changing ${platform === "unaware" ? `${it}, or adding ${it} later,` : it} replaces the ${noun}.`;
  }
  const isSet = update !== undefined && (platform === undefined || platform === "write-only") && refuse === undefined;
  return isSet ? updated : undefined;
}

const updated = "Updated in place.";

function pronounOf({ type }: JsonSchema): string {
  return type === "array" || type === "object" ? "them" : "it";
}

function unreadOf(input: JsonSchema, { platform, refuse, onChange }: FieldRule = {}): string | undefined {
  if (platform !== "write-only" || refuse !== undefined) return undefined;
  if (onChange === "replace") return `Neon does not return ${pronounOf(input)}.`;
  return "Its value is not read from Neon, so a change that somebody else makes is not drift.";
}

/** The description of `adopt`. A kind that finds its objects in a special way has its own description. */
function adoptionOf({ description, note }: JsonSchema, inputs: JsonSchema, kind: AnyKind): string | undefined {
  const last = "Setting or removing `adopt` later has no effect.";
  if (description !== undefined) return sentences(description, note, last);
  const { noun, listing, uniqueBy, addressNames, defaultName: name = "" } = kind;
  const copied = listing?.isCopied === undefined ? "" : ", such as one that the branch has from its parent";
  const isChanged = membersOf(inputs).some(
    ([name, input]) => name !== "adopt" && changeOf(name, input, kind) === updated,
  );
  const applied = isChanged ? ", and applies the declared arguments to it" : "";
  const segment = addressNames.at(-1) ?? "";
  const key = uniqueBy.at(-1);
  return sentences(
    `Adopts an existing ${noun} instead of creating one${copied}${applied}.`,
    `${segment.endsWith("Id") ? "An id" : `A ${segment}`} adopts that ${noun} and fails if it does not exist.`,
    key === undefined
      ? `\`true\` adopts the only ${noun} with this \`${name}\`, or creates one if there is none, and fails if there are several.`
      : `\`true\` adopts the ${noun} with this \`${key}\`, or creates one if there is none.`,
    note,
    last,
  );
}

function sentences(...all: readonly (string | false | undefined)[]): string | undefined {
  return all.filter(Boolean).join(" ") || undefined;
}
