import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

import { badRequest, HttpError } from "../http-error";

const mostBytes = 1 << 20;
/** Of a body that is too long so much is read, because many clients look for an answer only when they have sent it. */
const mostBytesRead = 16 * mostBytes;
/** Deeper than anything that is asked for here, and far from where a walk through a value runs out of stack. */
const mostLevels = 100;

/** What a request brings: a JSON value, nothing, or something that cannot be taken. */
export interface Body {
  readonly bytes: number;
  readonly value?: unknown;
  readonly refusal?: HttpError;
}

/** Reads the body of a request; `undefined` if the client has gone away before it had sent all of it. */
export async function bodyOf(request: IncomingMessage): Promise<Body | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes <= mostBytes) pieces.push(piece);
      if (bytes > mostBytesRead) break;
    }
  } catch {
    return undefined;
  }
  try {
    if (bytes > mostBytes) throw tooLong();
    return { bytes, value: jsonOf(Buffer.concat(pieces), request.headers["content-encoding"]) };
  } catch (error) {
    if (error instanceof HttpError) return { bytes, refusal: error };
    throw error;
  }
}

/**
 * The JSON value of a body, or `undefined` if there is none.
 *
 * @throws Refusal saying what is wrong with the body
 */
export function valueOf({ value, refusal }: Body): unknown {
  if (refusal) throw refusal;
  return value;
}

/** Refuses a body that says it is something other than JSON. */
export function requireJson({ bytes }: Body, type: string | undefined): void {
  if (bytes === 0 || type === undefined || jsonType.test(type)) return;
  throw new HttpError(415, `the body must be application/json, not ${type}`);
}

const jsonType = /^application\/([\w.-]+\+)?json *(;|$)/i;

function jsonOf(content: Buffer, encoding = "identity"): unknown {
  if (content.length === 0) return undefined;
  if (encoding !== "identity") throw new HttpError(415, `a body with content-encoding ${encoding} is not taken`);
  if (!isUtf8(content)) throw badRequest("the body is not UTF-8");
  const text = content.toString();
  if (text.trim() === "") return undefined;
  const value = parsed(text);
  requireStorable(value);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw badRequest(`the body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Looks through a value level by level: one that is nested too deeply must not be walked through by recursion. */
function requireStorable(value: unknown): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostLevels) throw badRequest(`the body is nested more than ${mostLevels} levels deep`);
    if (level.some(isBrokenText)) throw badRequest("the body has text that is not well-formed Unicode, or a NUL");
    level = level.flatMap(partsOf);
  }
}

function partsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === "object" && value !== null ? Object.entries(value).flat() : [];
}

function isBrokenText(value: unknown): boolean {
  return typeof value === "string" && /[\0\p{Surrogate}]/u.test(value);
}

/** The rest is not waited for. */
const tooLong = (): HttpError =>
  new HttpError(413, `the body must not be longer than ${mostBytes} bytes`, "", { connection: "close" });
