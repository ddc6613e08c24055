/** A secret that must not be found anywhere, by what it is called when it is. */
interface Secret {
  readonly title: string;
  /** Every form in which it could stand somewhere, by how it is written. */
  readonly forms: readonly (readonly [writing: string, bytes: Buffer])[];
}

/** A place where a secret stands that should not. */
export interface Leak {
  readonly secret: string;
  readonly writing: string;
  readonly where: string;
}

/** Known secrets, and the search for them. */
export class SecretSearch {
  readonly #secrets = new Map<string, Secret>();
  /** How many places were searched, and how much there was in them. */
  places = 0;
  bytes = 0;

  get count(): number {
    return this.#secrets.size;
  }

  /** Remembers a secret; the same one under two titles counts once. */
  add(title: string, secret: unknown): void {
    if (typeof secret !== "string" || secret.length < 8) throw new Error(`${title} is not a secret to search for`);
    if (!this.#secrets.has(secret)) this.#secrets.set(secret, { title, forms: formsOf(secret) });
  }

  /** Remembers the password of a connection URI, and the URI as a whole. */
  addUri(title: string, uri: unknown): void {
    this.add(title, uri);
    this.add(`the password in ${title}`, decodeURIComponent(new URL(String(uri)).password));
  }

  /** Which of the secrets stand in this place, but for those that may. */
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

/** A leak as one line; the secret itself is not in it. */
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

/** What of a text is in the base64 of anything in which the text begins at a byte of this remainder by three. */
function insideBase64(plain: Buffer, offset: number, writing: "base64" | "base64url"): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), plain])
    .toString(writing)
    .replace(/=+$/, "");
  // The first letters mix with what stands before the text, and the last one with what stands behind it.
  const first = Math.ceil((offset * 4) / 3);
  const isWhole = (offset + plain.length) % 3 === 0;
  return encoded.slice(first, isWhole ? undefined : -1);
}

/** Go leaves no characters in its JSON that mean something in HTML. */
function inGoJson(secret: string): string {
  const code = (character: string): string => `\\u00${character.charCodeAt(0).toString(16)}`;
  return JSON.stringify(secret).slice(1, -1).replace(/[&<>]/g, code);
}
