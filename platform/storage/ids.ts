import { randomInt } from "node:crypto";

const adjectives = (
  "aged ancient autumn bitter black blue bold broad broken calm cold cool crimson curly damp dark dawn delicate " +
  "divine dry empty falling fancy flat floral fragrant frosty gentle green hidden holy icy jolly late lingering " +
  "little lively long lucky misty morning muddy nameless noisy odd old orange patient plain polished proud purple " +
  "quiet rapid raspy red restless rough round royal shiny shrill shy silent small snowy soft solitary sparkling " +
  "spring square steep still summer super sweet throbbing tight tiny twilight wandering weathered white wild " +
  "winter wispy withered yellow young"
).split(" ");

const nouns = (
  "art band bar base bird block boat bonus bread breeze brook bush butterfly cake cell cherry cloud credit darkness " +
  "dawn dew disk dream dust feather field fire firefly flower fog forest frog frost glade glitter grass hall hat " +
  "haze heart hill king lab lake leaf limit math meadow mode moon morning mountain mouse mud night paper pine poetry " +
  "pond queen rain recipe resonance rice river salad scene sea shadow shape silence sky smoke snow snowflake sound " +
  "star sun sunset surf term thunder tooth tree truth union unit violet voice water waterfall wave wildflower wind " +
  "wood"
).split(" ");

const digits = "0123456789";
const lowerCase = `abcdefghijklmnopqrstuvwxyz${digits}`;
const mixedCase = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${lowerCase}`;
const letters = mixedCase.replace(digits, "");

const pick = (words: readonly string[]): string => words[randomInt(words.length)] ?? "";
const text = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");

const threeGroups = (end: string): string => `${pick(adjectives)}-${pick(nouns)}-${end}`;
const numbered = (): string => threeGroups(text(8, digits));
/** The format since 2024. The first letter distinguishes an id from older ones. */
const lettered = (): string => threeGroups(`a${text(7, lowerCase)}`);

/** Random ids in the format of the real platform. */
export const newId = {
  project: (): string => numbered(),
  branch: (): string => `br-${lettered()}`,
  endpoint: (): string => `ep-${lettered()}`,
  organization: (): string => `org-${numbered()}`,
  snapshot: (): string => `snap-${lettered()}`,
  function: (): string => `fn-${lettered()}`,
  slug: (): string => numbered(),
} as const;

/** A random API key. */
export const newKey = (): string => `napi_${text(64, lowerCase)}`;

/** Random keys of an authentication provider. */
export const newAuthKey = {
  client: (): string => `pck_${text(40, lowerCase)}`,
  server: (): string => `ssk_${text(40, lowerCase)}`,
} as const;

/** Random keys of an OAuth client. */
export const newOauthKey = {
  id: (): string => text(32, letters),
  secret: (): string => text(32, letters),
} as const;

/** A random role password. */
export const newPassword = (): string => `npg_${text(16, mixedCase)}`;
