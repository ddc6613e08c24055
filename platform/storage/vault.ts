import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

import { writeWhole } from "./write-whole";

/** The file of a data folder that holds the key. */
export const vaultKeyFileName = "platform.key";

const cipher = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** The text whose encrypted form is stored to recognize the key. It is persisted: do not change it. */
const keyCheckText = "the key of this data";

/** Encrypts the secrets that the platform must be able to return again, such as role passwords. */
export class Vault {
  readonly #key: Buffer;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /** A vault with a random key that ends with the process. */
  static inMemory(): Vault {
    return new Vault(randomBytes(keyBytes));
  }

  /**
   * The vault whose key is in a file.
   *
   * @param keyCheck the {@link Vault.keyCheck} that was stored with the data; without one, a missing key file is created
   * @throws Error if the key file is missing, malformed or not the one that encrypted the data.
   */
  static fromKeyFile(file: string, keyCheck: string | undefined): Vault {
    if (!existsSync(file)) {
      if (keyCheck !== undefined) throw unusableKey(`the key file ${file} is missing`);
      createKeyFile(file);
    }
    const text = readFileSync(file, "utf8").trim();
    if (!/^[0-9a-f]{64}$/.test(text)) throw unusableKey(`${file} holds no key`);
    const vault = new Vault(Buffer.from(text, "hex"));
    if (keyCheck !== undefined && !vault.#canDecrypt(keyCheck)) {
      throw unusableKey(`the key in ${file} is not the one of this data`);
    }
    return vault;
  }

  /** A known text in encrypted form, which later shows whether a key is the same. */
  get keyCheck(): string {
    return this.encrypt(keyCheckText);
  }

  /** A secret for one purpose. The same vault always returns the same one. */
  secretFor(purpose: string): string {
    return createHmac("sha256", this.#key).update(purpose).digest("hex");
  }

  encrypt(text: string): string {
    const nonce = randomBytes(nonceBytes);
    const encryption = createCipheriv(cipher, this.#key, nonce, { authTagLength: tagBytes });
    const content = Buffer.concat([encryption.update(text, "utf8"), encryption.final()]);
    return Buffer.concat([nonce, encryption.getAuthTag(), content]).toString("base64");
  }

  /** @throws Error if this vault has not encrypted the text. */
  decrypt(text: string): string {
    const bytes = Buffer.from(text, "base64");
    const decryption = createDecipheriv(cipher, this.#key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decryption.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return decryption.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + decryption.final("utf8");
  }

  #canDecrypt(keyCheck: string): boolean {
    try {
      return this.decrypt(keyCheck) === keyCheckText;
    } catch {
      return false;
    }
  }
}

function unusableKey(problem: string): Error {
  return new Error(
    `${problem}, so the role passwords cannot be decrypted. Restore the key file or use another data folder`,
  );
}

/** Creates a key that is completely on disk before anything is encrypted with it. */
function createKeyFile(file: string): void {
  writeWhole(file, `${randomBytes(keyBytes).toString("hex")}\n`, { mode: 0o600, flush: true });
  syncFolder(dirname(file));
}

function syncFolder(folder: string): void {
  // Windows cannot open folders.
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
