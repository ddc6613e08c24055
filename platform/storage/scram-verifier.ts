import { createHash, createHmac, pbkdf2, pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const keyBytes = 32;
const saltBytes = 16;
/** PostgreSQL's default. */
const defaultIterations = 4096;
/** A verifier that is set with SQL may name more, which every attempt to log in would have to compute. */
const maxIterations = 1_000_000;

const derive = promisify(pbkdf2);
export const sha256 = (data: Uint8Array): Buffer => createHash("sha256").update(data).digest();
export const hmac = (key: Uint8Array, data: string): Buffer => createHmac("sha256", key).update(data).digest();
export const base64 = (data: Uint8Array): string => Buffer.from(data).toString("base64");

/** The data with which a server checks a password. It does not reveal the password, and nobody can log in with it. */
export interface Verifier {
  readonly iterations: number;
  readonly salt: Buffer;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
}

/** The SCRAM-SHA-256 verifier of a password, in the form of `pg_authid.rolpassword`. */
export function scramVerifier(password: string): string {
  const salt = randomBytes(saltBytes);
  const salted = pbkdf2Sync(normalized(password), salt, defaultIterations, keyBytes, "sha256");
  const { storedKey, serverKey } = keysOf(salted);
  return `SCRAM-SHA-256$${defaultIterations}:${base64(salt)}$${base64(storedKey)}:${base64(serverKey)}`;
}

/** Parses a verifier in the form of `pg_authid.rolpassword`; undefined for another form, such as an MD5 hash. */
export function parseVerifier(text: string): Verifier | undefined {
  const match = /^SCRAM-SHA-256\$(\d{1,7}):([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]{44}):([A-Za-z0-9+/=]{44})$/.exec(text);
  if (!match) return undefined;
  const [, iterations, salt = "", storedKey = "", serverKey = ""] = match;
  const verifier: Verifier = {
    iterations: Number(iterations),
    salt: Buffer.from(salt, "base64"),
    storedKey: Buffer.from(storedKey, "base64"),
    serverKey: Buffer.from(serverKey, "base64"),
  };
  const isUsable =
    verifier.iterations >= 1 &&
    verifier.iterations <= maxIterations &&
    verifier.storedKey.length === keyBytes &&
    verifier.serverKey.length === keyBytes;
  return isUsable ? verifier : undefined;
}

/** A verifier that no password matches. It hides from the client whether a role exists. The same name always gets the same salt. */
export function verifierOfUnknownRole(role: string, secret: Uint8Array): Verifier {
  const salt = hmac(secret, role).subarray(0, saltBytes);
  return {
    iterations: defaultIterations,
    salt,
    storedKey: randomBytes(keyBytes),
    serverKey: randomBytes(keyBytes),
  };
}

/** Whether a password in plain text matches a verifier. */
export async function matchesVerifier(password: string, verifier: Verifier): Promise<boolean> {
  const salted = await derive(normalized(password), verifier.salt, verifier.iterations, keyBytes, "sha256");
  return timingSafeEqual(keysOf(salted).storedKey, verifier.storedKey);
}

function keysOf(saltedPassword: Uint8Array): { readonly storedKey: Buffer; readonly serverKey: Buffer } {
  return { storedKey: sha256(hmac(saltedPassword, "Client Key")), serverKey: hmac(saltedPassword, "Server Key") };
}

const otherSpaces = /\p{Zs}/gu;
/** RFC 3454, table B.1. */
// oxlint-disable-next-line no-misleading-character-class -- single code points of that table
const mappedToNothing = /[\u00ad\u034f\u1806\u180b-\u180d\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff]/gu;
const prohibited = /\p{Cc}|\p{Co}|\p{Cs}|\p{Cn}/u;

/** SASLprep (RFC 4013) as PostgreSQL applies it: a prohibited password is used as it is. */
function normalized(password: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII, with its control characters
  if (/^[\x00-\x7f]*$/.test(password)) return password;
  const mapped = password.replace(otherSpaces, " ").replace(mappedToNothing, "").normalize("NFKC");
  return prohibited.test(mapped) || mapped === "" ? password : mapped;
}
