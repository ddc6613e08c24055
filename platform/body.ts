import type { IncomingMessage } from "node:http";

import { badRequest, Refusal } from "./refusal";

const mostBytes = 1 << 20;

/** The body of a request as text; what is too long is not kept. */
export async function textOf(request: IncomingMessage): Promise<{ text: string | undefined }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes <= mostBytes) pieces.push(piece);
  }
  return { text: bytes > mostBytes ? undefined : Buffer.concat(pieces).toString() };
}

/** A body that is JSON, or `undefined` if there is none. */
export function jsonOf(text: string | undefined): unknown {
  if (text === undefined) throw new Refusal(413, `the body must not be longer than ${mostBytes} bytes`);
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw badRequest(`the body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
