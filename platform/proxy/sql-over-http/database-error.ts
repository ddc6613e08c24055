/** An error of PostgreSQL. */
export class DatabaseError extends Error {
  /** The fields of the error, by their letters in the protocol. */
  readonly fields: ReadonlyMap<string, string>;

  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get("M") ?? "");
    this.fields = fields;
  }
}
