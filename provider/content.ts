/** What Pulumi calls a file, and several files. */
export type ContentType = "asset" | "archive";

/** Where content comes from: one of the members. None where the engine does not pass it on, and of an empty file or archive. */
export interface ContentSource {
  readonly path?: string;
  readonly text?: string;
  readonly uri?: string;
  /** The files of an archive by their names, which may be unknown. */
  readonly assets?: Readonly<Record<string, unknown>>;
}

/** A file or an archive that the program passes: one value, whatever it is made of. */
export class Content {
  readonly type: ContentType;
  /** Equal exactly if the files are. Before `check` has read them, it is the engine's, which depends on how an archive is packed. */
  readonly hash: string | undefined;
  readonly #source: ContentSource;

  constructor(type: ContentType, source: ContentSource, hash?: string) {
    this.type = type;
    this.hash = hash;
    this.#source = source;
  }

  /** No member: nothing walks through it, and nothing prints it. */
  get source(): ContentSource {
    return this.#source;
  }

  withHash(hash: string): Content {
    return new Content(this.type, this.#source, hash);
  }

  /** What is compared, and hashed: not where it comes from. */
  toJSON(): { readonly type: ContentType; readonly hash: string | undefined } {
    return { type: this.type, hash: this.hash };
  }
}
