import { Content, type ContentSource, type ContentType } from "../content";
import { isObject, mapDeep, unknownValue, type Values, withoutUndefined, withValue } from "../values";

// The encoding of values between the engine and a provider: plain JSON, in which certain members and texts stand for
// values that JSON does not have. Both protocols use the same encoding.

/** The engine's text for a value that is not known yet, if its type is unknown, too. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** All texts for unknown values: of any type, a boolean, a number, a list, an object, an asset, an archive. */
const unknownTexts = new Set<unknown>([
  unknownText,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
]);
/** Prefixes such a text if it is a value from the platform. */
const escape = "text ";

/** The member that marks a special object, and its value for a secret. */
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Its values for files and archives. */
const contentSignatures: Readonly<Record<ContentType, string>> = {
  asset: "c44067f5952c0a294b673a41bacd8c17",
  archive: "0def7320c3a5731c473e5ecbe6d01bc7",
};
const contentTypes = new Map<unknown, ContentType>(
  Object.entries(contentSignatures).map(([type, text]) => [text, type as ContentType]),
);

/** The path of a value, segment by segment. */
export type Path = readonly string[];

/** A decoded value, and the paths of its secrets. */
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
  // A secret in a list makes the whole list secret.
  if (Array.isArray(given))
    return { value: members.map(({ value }) => value), secrets: secrets.length > 0 ? [path] : [] };
  return { value: Object.fromEntries(members.map(({ name, value }) => [name, value])), secrets };
}

/** Encodes values for the engine, and marks the values at these paths as secret. A path without a value is ignored. */
export function encoded(values: Values, secrets: readonly Path[] = []): Values {
  const written = mapDeep(values, (part) => {
    if (part === unknownValue) return unknownText;
    if (part instanceof Content) return contentObject(part);
    return unknownTexts.has(part) ? escape + String(part) : part;
  });
  // Shortest paths first: inside a value that is marked as a whole, nothing needs a mark.
  const paths = [...secrets].sort((one, other) => one.length - other.length);
  return paths.reduce(withSecret, withoutUndefined(written) as Values);
}

/** Decodes a file or an archive. A secret in it makes the whole secret. */
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
