/** An error of PostgreSQL. */
export class DatabaseError extends Error {
  /** Its fields by the letters of the protocol. */
  readonly fields: ReadonlyMap<string, string>;

  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get("M") ?? "");
    this.fields = fields;
  }
}
