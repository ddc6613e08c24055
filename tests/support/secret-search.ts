/** A secret that must not be found anywhere, with its title for reports. */
interface Secret {
  readonly title: string;
  /** The forms in which the secret could be written, by the name of the encoding. */
  readonly forms: readonly (readonly [writing: string, bytes: Buffer])[];
}

/** A secret that was found in a place where it must not be. */
export interface Leak {
  readonly secret: string;
  readonly writing: string;
  readonly where: string;
}

/** Known secrets, and the search for them. */
export class SecretSearch {
  readonly #secrets = new Map<string, Secret>();
  /** The number of searched places, and their size. */
  places = 0;
  bytes = 0;

  get count(): number {
    return this.#secrets.size;
  }

  /** Adds a secret. The same one under two titles counts once. */
  add(title: string, secret: unknown): void {
    if (typeof secret !== "string" || secret.length < 8) throw new Error(`${title} is not a secret to search for`);
    if (!this.#secrets.has(secret)) this.#secrets.set(secret, { title, forms: formsOf(secret) });
  }

  /** Adds a connection URI, and its password. */
  addUri(title: string, uri: unknown): void {
    this.add(title, uri);
    this.add(`the password in ${title}`, decodeURIComponent(new URL(String(uri)).password));
  }

  /** The secrets in a place, except the allowed ones. */
  search(where: string, content: string | Buffer, allowed: readonly string[] = []): Leak[] {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    this.places += 1;
    this.bytes += bytes.length;
    return [...this.#secrets]
      .filter(([secret]) => !allowed.includes(secret))
      .flatMap(([, { title, forms }]) =>
        forms
          .filter(([, form]) => bytes.includes(form))
          .slice(0, 1)
          .map(([writing]) => ({ secret: title, writing, where })),
      );
  }
}

/** A leak as one line, without the secret. */
export function leakText({ secret, writing, where }: Leak): string {
  return `${where} holds ${secret} (${writing})`;
}

function formsOf(secret: string): Secret["forms"] {
  const plain = Buffer.from(secret);
  const hex = plain.toString("hex");
  const texts: readonly (readonly [string, string])[] = [
    ["plain", secret],
    ["URL-encoded", encodeURIComponent(secret)],
    ["URL-encoded twice", encodeURIComponent(encodeURIComponent(secret))],
    ["JSON", JSON.stringify(secret).slice(1, -1)],
    ["JSON as Go writes it", inGoJson(secret)],
    ["JSON in JSON", JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ["hex", hex],
    ["hex", hex.toUpperCase()],
    ...[0, 1, 2].flatMap((offset) =>
      (["base64", "base64url"] as const).map((writing) => [writing, insideBase64(plain, offset, writing)] as const),
    ),
  ];
  const seen = new Set<string>();
  const different = texts.filter(([, text]) => !seen.has(text) && seen.add(text));
  return different.map(([writing, text]) => [writing, Buffer.from(text)]);
}

/** The part of a text's base64 that is the same in any content where the text begins at this offset modulo three. */
function insideBase64(plain: Buffer, offset: number, writing: "base64" | "base64url"): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), plain])
    .toString(writing)
    .replace(/=+$/, "");
  // The first letters also depend on the bytes before the text, and the last one on those after it.
  const first = Math.ceil((offset * 4) / 3);
  const isWhole = (offset + plain.length) % 3 === 0;
  return encoded.slice(first, isWhole ? undefined : -1);
}

/** A secret in JSON from Go, which escapes the characters that have a meaning in HTML. */
function inGoJson(secret: string): string {
  const code = (character: string): string => `\\u00${character.charCodeAt(0).toString(16)}`;
  return JSON.stringify(secret).slice(1, -1).replace(/[&<>]/g, code);
}
