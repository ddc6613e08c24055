import { Content, type ContentSource, type ContentType } from "../content";
import { isObject, mapDeep, unknownValue, type Values, withoutUndefined, withValue } from "../values";

// How values travel between the engine and a provider: as plain JSON, in which members and texts with certain names stand
// for what JSON cannot say. Both protocols use the same ones.

/** How the engine writes a value that is not known yet, if nothing is known of its type. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** All texts that stand for such a value: of any type, a boolean, a number, a list, an object, an asset, an archive. */
const unknownTexts = new Set<unknown>([
  unknownText,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
]);
/** Precedes such a text where the platform has sent it, as a value like any other. */
const escape = "text ";

/** The member that says what an object stands for, and its value in one that stands for a secret. */
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** The same in one that stands for a file or an archive. */
const contentSignatures: Readonly<Record<ContentType, string>> = {
  asset: "c44067f5952c0a294b673a41bacd8c17",
  archive: "0def7320c3a5731c473e5ecbe6d01bc7",
};
const contentTypes = new Map<unknown, ContentType>(
  Object.entries(contentSignatures).map(([type, text]) => [text, type as ContentType]),
);

/** A path of a value, segment by segment. */
export type Path = readonly string[];

/** A value as the lifecycle reads it, and the paths of what was marked as secret in it. */
interface Decoded {
  readonly value: unknown;
  readonly secrets: readonly Path[];
}

export function decoded(given: unknown, path: Path = []): Decoded {
  if (unknownTexts.has(given)) return { value: unknownValue, secrets: [] };
  if (typeof given === "string") return { value: isEscaped(given) ? given.slice(escape.length) : given, secrets: [] };
  if (!isObject(given)) return { value: given, secrets: [] };
  if (isSecret(given)) return { value: decoded(given["value"]).value, secrets: [path] };
  const type = contentTypes.get(memberOf(given, signature));
  if (type !== undefined) return contentIn(type, given as unknown as Values, path);
  const members = Object.entries(given).map(([name, member]) => ({ name, ...decoded(member, [...path, name]) }));
  const secrets = members.flatMap((member) => member.secrets);
  // What is secret in a list makes the list secret.
  if (Array.isArray(given))
    return { value: members.map(({ value }) => value), secrets: secrets.length > 0 ? [path] : [] };
  return { value: Object.fromEntries(members.map(({ name, value }) => [name, value])), secrets };
}

/** Values as the engine reads them, with what is at these paths marked as secret. A path without a value is ignored. */
export function encoded(values: Values, secrets: readonly Path[] = []): Values {
  const written = mapDeep(values, (part) => {
    if (part === unknownValue) return unknownText;
    if (part instanceof Content) return contentObject(part);
    return unknownTexts.has(part) ? escape + String(part) : part;
  });
  // The shortest first: in what is marked as a whole, nothing needs a mark.
  const paths = [...secrets].sort((one, other) => one.length - other.length);
  return paths.reduce(withSecret, withoutUndefined(written) as Values);
}

/** A file or an archive. What is secret in it makes it secret. */
function contentIn(type: ContentType, { [signature]: _, hash, ...source }: Values, path: Path): Decoded {
  const { value, secrets } = decoded(source);
  const known = typeof hash === "string" && hash !== "" ? hash : undefined;
  return { value: new Content(type, value as ContentSource, known), secrets: secrets.length > 0 ? [path] : [] };
}

function contentObject({ type, hash, source }: Content): Values {
  return { ...encoded(source as Values), hash, [signature]: contentSignatures[type] };
}

function isEscaped(text: string): boolean {
  return text.startsWith(escape) && unknownTexts.has(text.slice(escape.length));
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
