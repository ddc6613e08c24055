import type { IncomingHttpHeaders } from "node:http";

import { assertAddressAllowed } from "../allowed-ips";
import { checkPassword } from "../authentication";
import type { ComputeDirectory, ProxiedCompute } from "../compute-directory";
import type { ClientConnection } from "../connection";
import { routeToEndpoint } from "../endpoint-routing";
import { proxyErrors } from "../proxy-error";
import { parseStartupOptions } from "../startup-options";
import { type ConnectionString, parseConnectionString } from "./connection-string";
import { type QueryResult, type QuerySession, ResultTooLarge } from "./query-session";
import type { SessionPool } from "./session-pool";
import { isTrue, parseSqlRequest, type RequestedQuery, type SqlRequest, transactionMode } from "./sql-request";
import { httpError, jsonOfResult, maxSqlBodyBytes } from "./sql-response";

export interface SqlServices {
  readonly directory: ComputeDirectory;
  readonly pool: SessionPool;
  /** The endpoint to which an address belongs, if computes do not share it. */
  endpointOfAddress(address: string, port: number): string | undefined;
}

export interface SqlExchange {
  readonly client: ClientConnection;
  readonly headers: IncomingHttpHeaders;
  readonly readBody: () => Promise<string>;
  /** Aborted when the client leaves. */
  readonly leaving: AbortSignal;
}

export interface SqlAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers `POST /sql`. Turns errors into answers, too. */
export async function answerSql(services: SqlServices, request: SqlExchange): Promise<SqlAnswer> {
  try {
    const { directory, pool } = services;
    const { headers } = request;
    const mode = transactionMode(headers);
    const target = parseConnectionString(single(headers["neon-connection-string"]));
    const compute = computeOf(services, request.client, target);
    assertAddressAllowed(compute, request.client.clientAddress);
    await checkPassword(directory, compute, target.user, target.password);
    const sql = parseSqlRequest(await request.readBody(), isTrue(headers, "neon-array-mode"));
    if (compute.disabled) throw proxyErrors.endpointDisabled();
    directory.recordActivity(compute);
    const rawText = isTrue(headers, "neon-raw-text-output");
    const body = await pool.use({ compute, role: target.user, database: target.database }, (session) =>
      cancelWhenAborted(session, request.leaving, () => runRequest(session, sql, mode.begin, rawText, request.leaving)),
    );
    if (Buffer.byteLength(body) > maxSqlBodyBytes) throw new ResultTooLarge();
    return { status: 200, headers: sql.kind === "batch" ? mode.headers : {}, body };
  } catch (error) {
    return { ...httpError(error), headers: {} };
  }
}

function computeOf(services: SqlServices, client: ClientConnection, target: ConnectionString): ProxiedCompute {
  const endpointId = routeToEndpoint({
    serverName: target.host,
    option: parseStartupOptions(target.options).endpointId,
    ofAddress: services.endpointOfAddress(target.host, target.port) ?? client.endpointId,
  });
  if (endpointId === undefined) throw proxyErrors.endpointMissing();
  const compute = services.directory.find(endpointId);
  if (!compute) throw proxyErrors.endpointNotFound();
  return compute;
}

/** Runs some work and cancels its statement when the client leaves. */
async function cancelWhenAborted<Result>(
  session: QuerySession,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  let cancelled: Promise<void> | undefined;
  const cancel = (): void => {
    cancelled = session.cancel();
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", cancel);
    // Wait for the cancellation, because a late one would end a statement of the next request.
    await cancelled;
  }
}

async function runRequest(
  session: QuerySession,
  sql: SqlRequest,
  begin: string,
  rawText: boolean,
  leaving: AbortSignal,
): Promise<string> {
  let budget = maxSqlBodyBytes;
  const run = async (query: RequestedQuery): Promise<string> => {
    const result = await session.run(query, budget);
    const json = jsonOfResult(result, { rowsAsArrays: query.rowsAsArrays, rawText });
    budget -= sizeOf(result);
    return json;
  };
  if (sql.kind === "single") return run(sql.query);
  // After a failure, the release of the session rolls back.
  await session.runAll(begin);
  const results: string[] = [];
  for (const query of sql.queries) {
    results.push(await run(query));
    // A cancellation between two statements reaches none of them.
    leaving.throwIfAborted();
  }
  await session.runAll("COMMIT");
  return `{"results":[${results.join(",")}]}`;
}

const sizeOf = ({ rows }: QueryResult): number =>
  rows.reduce((sum, row) => row.reduce((size, value) => size + (value?.length ?? 0), sum), 0);

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
