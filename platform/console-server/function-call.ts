import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { z } from "zod";

import { conflict, HttpError } from "../http-error";
import type { Env } from "../http/api";
import { parsedBody, readBody } from "../http/body";
import { validate } from "../model/routing/validation";
import { id } from "../published/values";
import type { FunctionAnswer } from "./protocol";
import type { ConsoleServices } from "./services";

/** The bytes of an answer that are shown. */
const mostBytes = 64 << 10;

/** Header fields of the connection, and of the length of the body. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, "must be a name of a header field")
  .toLowerCase()
  .refine((name) => !ownHeaders.has(name), "must not be a header field that the platform sets itself");
const headerValue = z.string().regex(/^[\t -~\u{80}-\u{ff}]*$/u, "must be in one line, of Latin-1 characters");

const callInput = z.strictObject({
  branch_id: id,
  slug: z.string(),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("GET"),
  path: z.string().regex(/^\//, "must begin with /").max(2048).default("/"),
  /** Names may repeat. */
  headers: z
    .array(z.tuple([headerName, headerValue]))
    .max(50)
    .default([]),
  /** Sent as JSON if it is valid JSON, unless the header fields name its type. */
  body: z.string().optional(),
});
type CallInput = z.infer<typeof callInput>;

/** Calls a function for the page, which may not send requests to other addresses itself. The end of the request ends the call. */
export async function callFunction(services: ConsoleServices, context: Context<Env>): Promise<Response> {
  const received = await readBody(context.env.incoming);
  if (!received) return RESPONSE_ALREADY_SENT;
  const input = validate(callInput, parsedBody(received), "body");
  const { tables, clock } = services.controlPlane;
  const { port } = tables.functions.getOr404("function", { branch_id: input.branch_id, slug: input.slug });
  if (port === null) throw conflict("the function cannot be called yet");
  const ended = new AbortController();
  context.env.outgoing.once("close", () => ended.abort());
  const began = clock.now();
  const answer = await answerOf(port, input, AbortSignal.any([ended.signal, services.closing]));
  return context.json({ ...answer, milliseconds: clock.now() - began } satisfies FunctionAnswer);
}

async function answerOf(port: number, { method, path, headers, body }: CallInput, signal: AbortSignal) {
  try {
    const sent = request({
      host: "127.0.0.1",
      port,
      method,
      path: escaped(path),
      agent: false,
      signal,
      headers: { ...headersOf(body), ...grouped(headers) },
    });
    // Errors after the response has begun are errors of the response.
    sent.on("error", () => undefined);
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) break;
    }
    return {
      status: response.statusCode ?? 0,
      type: response.headers["content-type"] ?? "",
      body: Buffer.concat(chunks).subarray(0, mostBytes).toString(),
      isCut: bytes > mostBytes,
    };
  } catch (error) {
    throw new HttpError(502, `the function did not answer: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A path as a browser sends it. */
const escaped = (path: string): string => path.replace(/[^!-~]+/gu, encodeURIComponent);

/** The values of each header field, by its name. */
function grouped(headers: CallInput["headers"]): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(values);
}

function headersOf(body: string | undefined): Record<string, string | number> {
  if (body === undefined) return {};
  return {
    "content-type": isJson(body) ? "application/json" : "text/plain",
    "content-length": Buffer.byteLength(body),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
