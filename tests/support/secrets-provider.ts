import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

const nonceLength = 12;
const tagLength = 16;
/** What Pulumi writes instead of the type name of a secret in a state file. */
const [signature, secret] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];

/**
 * A secrets provider of Pulumi: a server that gives the CLI the key of a stack, as HashiCorp Vault does. With the key, Pulumi
 * encrypts as it does with a passphrase (`v1`: AES-256-GCM), but a passphrase costs each process of the CLI 0.2 CPU seconds.
 */
export class SecretsProvider {
  readonly #key = randomBytes(32);
  /** Stands for the key in the settings of a stack. */
  readonly #encryptedKey = `vault:v1:${randomBytes(32).toString("base64")}`;
  readonly #token = randomBytes(16).toString("hex");
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then((data) => {
      response.writeHead(data === undefined ? 403 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(data === undefined ? { errors: ["permission denied"] } : { data }));
    });
  });

  private constructor() {
    // It ends with the process.
    this.#server.unref();
  }

  static async start(): Promise<SecretsProvider> {
    const provider = new SecretsProvider();
    await new Promise<void>((resolve) => provider.#server.listen(0, "127.0.0.1", resolve));
    return provider;
  }

  /** What a CLI that uses it needs. */
  get environment(): NodeJS.ProcessEnv {
    const { port } = this.#server.address() as AddressInfo;
    return { VAULT_ADDR: `http://127.0.0.1:${port}`, VAULT_TOKEN: this.#token };
  }

  /** Its part of a stack's settings file. */
  get settings(): { readonly secretsprovider: string; readonly encryptedkey: string } {
    return {
      secretsprovider: "hashivault://stacks",
      encryptedkey: Buffer.from(this.#encryptedKey).toString("base64"),
    };
  }

  async #answer(request: IncomingMessage): Promise<{ readonly plaintext: string } | undefined> {
    const { ciphertext } = (await json(request)) as { readonly ciphertext?: string };
    const admitted = request.headers["x-vault-token"] === this.#token && request.url === "/v1/transit/decrypt/stacks";
    return admitted && ciphertext === this.#encryptedKey ? { plaintext: this.#key.toString("base64") } : undefined;
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
