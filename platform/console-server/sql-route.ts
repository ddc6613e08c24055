import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import type { ServerResponse } from "node:http";
import { z } from "zod";

import type { Env } from "../http/api";
import { parsedBody, readBody } from "../http/body";
import { validate } from "../model/routing/validation";
import { branchUri } from "../model/branches/connection-uri";
import { id } from "../published/values";
import type { SqlLine } from "./protocol";
import type { ConsoleServices } from "./services";
import { SqlSession, statementError } from "./sql-session";

const sqlInput = z.strictObject({
  branch_id: id,
  database_name: z.string().min(1),
  /** Default: the owner of the database. */
  role_name: z.string().min(1).optional(),
  /** The statements run in one session, until one fails. */
  statements: z.array(z.string().min(1)).min(1).max(200),
});

/**
 * Runs SQL on a branch. The answer has a line of JSON for each statement, sent as soon as the statement has ended. The end of the
 * request, such as by closing the page, cancels the statement in progress.
 */
export async function runSql({ controlPlane, closing }: ConsoleServices, context: Context<Env>): Promise<Response> {
  const received = await readBody(context.env.incoming);
  if (!received) return RESPONSE_ALREADY_SENT;
  const input = validate(sqlInput, parsedBody(received), "body");
  const uri = branchUri(controlPlane, input.branch_id, input.database_name, input.role_name);
  const { outgoing } = context.env;
  const ended = new AbortController();
  outgoing.once("close", () => ended.abort());
  const signal = AbortSignal.any([ended.signal, closing]);
  outgoing.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
  await runStatements(
    uri,
    input.statements,
    (line) => write(outgoing, line),
    signal,
    () => controlPlane.clock.now(),
  );
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

async function runStatements(
  uri: string,
  statements: readonly string[],
  report: (line: SqlLine) => void,
  signal: AbortSignal,
  now: () => number,
): Promise<void> {
  let session: SqlSession | undefined;
  const close = (): void => void session?.close();
  signal.addEventListener("abort", close, { once: true });
  let statement = 0;
  try {
    session = await SqlSession.open(uri, now);
    for (const text of statements) {
      if (signal.aborted) return;
      report({ statement, result: await session.run(text) });
      statement += 1;
    }
  } catch (error) {
    report({ statement, error: statementError(error) });
  } finally {
    signal.removeEventListener("abort", close);
    await session?.close();
  }
}

function write(outgoing: ServerResponse, line: SqlLine): void {
  if (!outgoing.destroyed) outgoing.write(`${JSON.stringify(line)}\n`);
}
