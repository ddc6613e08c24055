import { DatabaseError } from "pg";

import { ComputeError, ProxyError } from "../proxy-error";
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

export function jsonOfResult(
  { fields, rows, command, rowCount }: QueryResult,
  { rowsAsArrays, rawText }: ResultForm,
): string {
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
  return [
    `{"fields":${JSON.stringify(fields)}`,
    `"rows":[${rows.map((row) => jsonOfRow(row)).join(",")}]`,
    `"command":${JSON.stringify(command ?? "")}`,
    `"rowCount":${String(rowCount)}`,
    `"rowAsArray":${rowsAsArrays}}`,
  ].join(",");
}

/** The members of an error, in the order of the real proxy. */
const errorMembers = [
  "code",
  "detail",
  "hint",
  "position",
  "internalPosition",
  "internalQuery",
  "severity",
  "where",
  "table",
  "column",
  "schema",
  "dataType",
  "constraint",
  "file",
  "line",
  "routine",
] as const;

/** The members that are empty texts if an error is not PostgreSQL's. All others are null. */
const emptyMembers: readonly string[] = ["code", "severity"];

/** The answer to a request that has failed. */
export function httpError(error: unknown): SqlHttpError {
  const [status, message] = statusAndMessage(error);
  const members = errorMembers.map((name) => [
    name,
    error instanceof DatabaseError ? (error[name] ?? null) : emptyMembers.includes(name) ? "" : null,
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
