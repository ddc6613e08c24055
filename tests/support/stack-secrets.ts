import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from "node:crypto";

const nonceLength = 12;
const tagLength = 16;
/** The texts by which Pulumi marks a secret in a state file. */
const [signature, secret] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];

const passphrase = "of the tests";
const salt = "bmVvbi1wdWx1bWk=";
/** The key of all stacks, as Pulumi derives it. */
let key: Buffer | undefined;

/** The environment in which the CLI reads and writes secrets. */
export const secretsEnvironment: NodeJS.ProcessEnv = { PULUMI_CONFIG_PASSPHRASE: passphrase };

/** The part of a stack's settings file that tells the CLI how to encrypt. */
export function secretsSettings(): Readonly<Record<string, string>> {
  return { encryptionsalt: `v1:${salt}:${encrypt("pulumi")}` };
}

/** Encrypts a value of a settings file as Pulumi does with a passphrase (`v1`: AES-256-GCM). */
export function encrypt(text: string): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", stackKey(), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
}

/** Decrypts the secrets in a value of a state file. */
export function reveal(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reveal);
  const members = value as Readonly<Record<string, unknown>>;
  if (members[signature] === secret) return JSON.parse(decrypt(String(members["ciphertext"])));
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, reveal(member)]));
}

function decrypt(encrypted: string): string {
  const [, nonce = "", text = ""] = encrypted.split(":");
  const sealed = Buffer.from(text, "base64");
  const decipher = createDecipheriv("aes-256-gcm", stackKey(), Buffer.from(nonce, "base64"));
  decipher.setAuthTag(sealed.subarray(-tagLength));
  return Buffer.concat([decipher.update(sealed.subarray(0, -tagLength)), decipher.final()]).toString("utf8");
}

function stackKey(): Buffer {
  return (key ??= pbkdf2Sync(passphrase, Buffer.from(salt, "base64"), 1_000_000, 32, "sha256"));
}
