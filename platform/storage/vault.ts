import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const cipher = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** What encrypted texts begin with; no secret in plain text does, since the platform makes them all itself. */
const mark = "sealed:";
const proven = "the key of this data";

/** Encrypts the secrets that the platform has to be able to tell again, so that its database holds none in plain text. */
export class Vault {
  readonly #key: Buffer;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /** A vault for this process alone. */
  static ofProcess(): Vault {
    return new Vault(randomBytes(keyBytes));
  }

  /**
   * The vault whose key is in a file.
   *
   * @param proof what {@link Vault.proof} gave when the vault was made; without one the key is made if there is none
   */
  static ofFile(file: string, proof: string | undefined): Vault {
    if (!existsSync(file)) {
      if (proof !== undefined) throw unusable(`the key file ${file} is missing`);
      makeKey(file);
    }
    const text = readFileSync(file, "utf8").trim();
    if (!/^[0-9a-f]{64}$/.test(text)) throw unusable(`${file} holds no key`);
    const vault = new Vault(Buffer.from(text, "hex"));
    if (proof !== undefined && !vault.#opens(proof)) throw unusable(`the key in ${file} is not the one of this data`);
    return vault;
  }

  /** Lets it be told later whether a key is this one. */
  get proof(): string {
    return this.seal(proven);
  }

  seal(text: string): string {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.#key, nonce, { authTagLength: tagBytes });
    const content = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
    return mark + Buffer.concat([nonce, sealing.getAuthTag(), content]).toString("base64");
  }

  /** What was sealed; a text in plain, which older versions have written, is as it is. */
  open(sealed: string): string {
    if (!sealed.startsWith(mark)) return sealed;
    const bytes = Buffer.from(sealed.slice(mark.length), "base64");
    const opening = createDecipheriv(cipher, this.#key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return opening.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + opening.final("utf8");
  }

  #opens(proof: string): boolean {
    try {
      return this.open(proof) === proven;
    } catch {
      return false;
    }
  }
}

function unusable(problem: string): Error {
  return new Error(`${problem}: without it the role passwords cannot be read; put it back, or use another data folder`);
}

/** Makes a key that is on the disk, whole, before anything is encrypted with it. */
function makeKey(file: string): void {
  const unfinished = `${file}.new`;
  const opened = openSync(unfinished, "w", 0o600);
  try {
    writeSync(opened, `${randomBytes(keyBytes).toString("hex")}\n`);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(unfinished, file);
  syncFolder(dirname(file));
}

function syncFolder(folder: string): void {
  // Windows opens no folders.
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
