import { mapDeep, unknownValue, type Values, withoutUndefined, withValue } from "../values";

// How values travel between the engine and a provider: as plain JSON, in which members and texts with certain names stand
// for what JSON cannot say. Both protocols use the same ones.

/** How the engine writes a value that is not known yet, if nothing is known of its type. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** All texts that stand for such a value: of any type, a boolean, a number, a list, an object. */
const unknownTexts = new Set<unknown>([
  unknownText,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);
/** Precedes such a text where the platform has sent it, as a value like any other. */
const escape = "text ";

/** The member that says what an object stands for, and its value in one that stands for a secret. */
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** A path of a value, segment by segment. */
export type Path = readonly string[];

/** Values as the lifecycle reads them. */
export function decoded(given: unknown): Values {
  return mapDeep(given, (part) => {
    if (unknownTexts.has(part)) return unknownValue;
    return typeof part === "string" && isEscaped(part) ? part.slice(escape.length) : part;
  }) as Values;
}

/** Values as the engine reads them. */
export function encoded(values: Values): Values {
  const marked = mapDeep(values, (part) => {
    if (part === unknownValue) return unknownText;
    return unknownTexts.has(part) ? escape + String(part) : part;
  });
  return withoutUndefined(marked) as Values;
}

function isEscaped(text: string): boolean {
  return text.startsWith(escape) && unknownTexts.has(text.slice(escape.length));
}

/** The same value without marks of secrets, and the paths that were marked. What is secret in a list makes the list secret. */
export function unwrapped(
  given: unknown,
  path: Path = [],
): { readonly value: unknown; readonly secrets: readonly Path[] } {
  if (isSecret(given)) return { value: unwrapped(given["value"]).value, secrets: [path] };
  if (typeof given !== "object" || given === null) return { value: given, secrets: [] };
  if (Array.isArray(given)) {
    const items = given.map((item) => unwrapped(item));
    return {
      value: items.map(({ value }) => value),
      secrets: items.some(({ secrets }) => secrets.length > 0) ? [path] : [],
    };
  }
  const members = Object.entries(given).map(([name, member]) => [name, unwrapped(member, [...path, name])] as const);
  return {
    value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
    secrets: members.flatMap(([, { secrets }]) => secrets),
  };
}

/** The same values with what is at these paths marked as secret. A path without a value is ignored. */
export function wrapped(values: Values, secrets: readonly Path[]): Values {
  // The shortest first: in what is marked as a whole, nothing needs a mark.
  return [...secrets].sort((one, other) => one.length - other.length).reduce(withSecret, values);
}

function withSecret(values: Values, path: Path): Values {
  const value = path.reduce<unknown>(memberOf, values);
  const isMarked = value === undefined || isSecret(value);
  return isMarked ? values : withValue(values, path, { [signature]: secretSignature, value });
}

function memberOf(value: unknown, name: string): unknown {
  const isOpen = typeof value === "object" && value !== null && !Array.isArray(value) && !isSecret(value);
  return isOpen && Object.hasOwn(value, name) ? (value as Values)[name] : undefined;
}

function isSecret(value: unknown): value is Values {
  return typeof value === "object" && value !== null && (value as Values)[signature] === secretSignature;
}
