import { ComputeError, ProxyError } from "../proxy-error";
import { DatabaseError } from "./database-error";
import { jsonOfValue } from "./json-values";
import { type QueryResult, ResultTooLarge } from "./query-session";

/** The real proxy's limit for requests and for answers. */
export const maxSqlBodyBytes = 10 * 1024 * 1024;

/** The request is larger than allowed. */
export class RequestTooLarge extends Error {}

export interface SqlHttpError {
  readonly status: number;
  readonly body: string;
}

interface ResultForm {
  readonly rowsAsArrays: boolean;
  /** Whether values stay in PostgreSQL's text format. */
  readonly rawText: boolean;
}

export function jsonOfResult({ fields, rows, commandTag }: QueryResult, { rowsAsArrays, rawText }: ResultForm): string {
  const names = fields.map(({ name }) => JSON.stringify(name));
  const jsonOfRow = (row: readonly (string | null)[]): string => {
    const values = row.map((value, index) =>
      rawText ? JSON.stringify(value) : jsonOfValue(value, fields[index]?.dataTypeID ?? 0),
    );
    if (rowsAsArrays) return `[${values.join(",")}]`;
    // If columns have the same name, the last one counts.
    const members = new Map(values.map((value, index) => [names[index] ?? "", value]));
    return `{${[...members].map(([name, value]) => `${name}:${value}`).join(",")}}`;
  };
  const [command = ""] = commandTag.split(" ");
  const count = /\d+$/.exec(commandTag)?.[0] ?? "null";
  return [
    `{"fields":${JSON.stringify(fields.map((field) => ({ ...field, format: "text" })))}`,
    `"rows":[${rows.map((row) => jsonOfRow(row)).join(",")}]`,
    `"command":${JSON.stringify(command)}`,
    `"rowCount":${count}`,
    `"rowAsArray":${rowsAsArrays}}`,
  ].join(",");
}

/** The members of an error and the letters of PostgreSQL's protocol, in the order of the real proxy. */
const errorMembers = {
  code: "C",
  detail: "D",
  hint: "H",
  position: "P",
  internalPosition: "p",
  internalQuery: "q",
  severity: "S",
  where: "W",
  table: "t",
  column: "c",
  schema: "s",
  dataType: "d",
  constraint: "n",
  file: "F",
  line: "L",
  routine: "R",
} as const;

/** The members that are empty texts if an error is not PostgreSQL's. All others are null. */
const emptyMembers: readonly string[] = ["code", "severity"];

/** The answer to a request that has failed. */
export function httpError(error: unknown): SqlHttpError {
  const fields = error instanceof DatabaseError ? error.fields : undefined;
  const [status, message] = statusAndMessage(error);
  const members = Object.entries(errorMembers).map(([member, letter]) => [
    member,
    fields ? (fields.get(letter) ?? null) : emptyMembers.includes(member) ? "" : null,
  ]);
  return { status, body: JSON.stringify(Object.fromEntries([["message", message], ...members])) };
}

function statusAndMessage(error: unknown): readonly [number, string] {
  if (error instanceof RequestTooLarge) return [413, `request is too large (max is ${maxSqlBodyBytes} bytes)`];
  if (error instanceof ResultTooLarge) return [507, `response is too large (max is ${maxSqlBodyBytes} bytes)`];
  if (error instanceof ComputeError) return [500, error.message];
  if (error instanceof ProxyError || error instanceof DatabaseError) return [400, error.message];
  return [500, "the connection to the compute was closed"];
}
