import type { Readable } from "node:stream";

import { inWholeSeconds } from "../../storage/timestamps";

/** Returned by a handler that answers 204. */
export const noContent = Symbol("204");
/** Returned by a handler that answers with the status of its route and an empty body. */
export const emptyBody = Symbol("empty");

/** What a handler returns that answers with something else than JSON. */
export class ContentResult {
  readonly headers: Readonly<Record<string, string>>;
  /** Opens the content, when it is sent. */
  readonly open: () => Readable;

  constructor(headers: Readonly<Record<string, string>>, open: () => Readable) {
    this.headers = headers;
    this.open = open;
  }
}

/** What a handler returns: the object to send as JSON, a content, or one of the two answers without a body. */
export type HandlerResult = object | ContentResult | typeof noContent | typeof emptyBody;

/** The members of a row that an answer has as they are: timestamps are in whole seconds. */
export function pick<Row extends object, const Name extends keyof Row & string>(
  row: Row,
  names: readonly Name[],
): Pick<Row, Name> {
  const picked: readonly string[] = names;
  const members = Object.entries(row).filter(([name]) => picked.includes(name));
  return inWholeSeconds(Object.fromEntries(members) as Pick<Row, Name>);
}
