import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";

import { HttpError } from "../http-error";
import type { HttpFault } from "../model/operations/faults";
import { ContentResult, emptyBody, noContent } from "../model/routing/route";

/** A response to a request of the API. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Opens a body that is not sent as one text. */
  readonly open?: () => Readable;
}

const json = { "content-type": "application/json" } as const;

export function successResponse(result: unknown, status = 200): ApiResponse {
  if (result === noContent) return { status: 204, headers: {} };
  if (result === emptyBody) return { status, headers: {} };
  if (result instanceof ContentResult) return { status, headers: result.headers, open: result.open };
  return { status, headers: json, body: JSON.stringify(result) };
}

/**
 * The response to a request that failed. Any error but an {@link HttpError} is a bug: it is logged and answered with 500.
 *
 * @param notFound the members that the body of a 404 has in addition to code and message, instead of a request id
 */
export function errorResponse(error: unknown, requestId: string, notFound?: object): ApiResponse {
  const known = error instanceof HttpError ? error : undefined;
  if (!known) console.error(`request ${requestId}:`, error);
  const shown = known ?? new HttpError(500, "internal error of the local platform");
  const { status, message, code, headers } = shown;
  const added = (status === 404 && notFound) || { request_id: requestId };
  const { body = { ...added, code, message } } = shown;
  return { status, headers: { ...json, ...headers }, body: JSON.stringify(body) };
}

/** The response that a scripted fault sends instead of the real one. */
export function faultResponse({ body, headers = {} }: HttpFault, status: number): ApiResponse {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  return {
    status,
    headers: { ...(names.includes("content-type") ? {} : { "content-type": type }), ...headers },
    body: text ?? JSON.stringify({ code: "", message: `scripted fault: ${status}` }),
  };
}

/** Announces the whole body, sends half of it and closes the connection. */
export function sendTruncated(outgoing: ServerResponse, { status, headers, body = "" }: ApiResponse): void {
  const content = Buffer.from(body);
  outgoing.writeHead(status, { ...headers, "content-length": content.length });
  outgoing.write(content.subarray(0, content.length >> 1), () => outgoing.socket?.destroy());
}
