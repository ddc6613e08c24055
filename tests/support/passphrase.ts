import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from "node:crypto";

const nonceLength = 12;
const tagLength = 16;
/** What Pulumi writes instead of the type name of a secret in a state file. */
const [signature, secret] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];

/** Pulumi's encryption with a passphrase (`v1`): AES-256-GCM with a key derived from passphrase and salt. */
export class Passphrase {
  /** The `encryptionsalt` of a stack's settings file. */
  readonly salt: string;
  readonly #key: Buffer;

  constructor(passphrase: string) {
    const salt = randomBytes(8);
    this.#key = pbkdf2Sync(passphrase, salt, 1_000_000, 32, "sha256");
    // Pulumi decrypts the second part to check the passphrase.
    this.salt = `v1:${salt.toString("base64")}:${this.encrypt("pulumi")}`;
  }

  encrypt(text: string): string {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
  }

  /** A value of a state file with its secrets in plain text. */
  reveal(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.reveal(item));
    const members = value as Readonly<Record<string, unknown>>;
    if (members[signature] === secret) return JSON.parse(this.#decrypt(String(members["ciphertext"])));
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, this.reveal(member)]));
  }

  #decrypt(encrypted: string): string {
    const [, nonce = "", text = ""] = encrypted.split(":");
    const sealed = Buffer.from(text, "base64");
    const decipher = createDecipheriv("aes-256-gcm", this.#key, Buffer.from(nonce, "base64"));
    decipher.setAuthTag(sealed.subarray(-tagLength));
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagLength)), decipher.final()]).toString("utf8");
  }
}
