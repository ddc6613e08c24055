import { parseBody } from "hono/utils/body";
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

import { badRequest, HttpError } from "../http-error";
import { type BodyKind, mediaTypes } from "../model/routing/body-kind";

const maxBytes = 1 << 20;
/** A form can have an archive, of at most 10 MiB. */
const maxFormBytes = 11 * maxBytes;
/** The bytes that are read of a body that is too long. Many clients read no response before they have sent the whole body. */
const maxBytesRead = 16 * maxBytes;
/** Deeper than any valid body, and safe for recursive code. */
const maxDepth = 100;
const formType = /^multipart\/form-data *;/i;
const jsonType = /^application\/([\w.-]+\+)?json *(;|$)/i;

/** The body of a request: its JSON value or the members of its form, or the error to answer with. */
export interface Body {
  readonly bytes: number;
  readonly value?: unknown;
  readonly error?: HttpError;
}

/** Reads the body of a request; `undefined` if the client disconnects before it has sent all of it. */
export async function readBody(request: IncomingMessage, kind: BodyKind = "json"): Promise<Body | undefined> {
  const limit = kind === "form" ? maxFormBytes : maxBytes;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= limit) chunks.push(chunk);
      if (bytes > maxBytesRead) break;
    }
  } catch {
    return undefined;
  }
  try {
    if (bytes > limit) throw tooLong(limit);
    const content = Buffer.concat(chunks);
    const { "content-encoding": encoding, "content-type": type } = request.headers;
    return { bytes, value: kind === "form" ? await parseForm(content, type) : parse(content, encoding) };
  } catch (error) {
    if (error instanceof HttpError) return { bytes, error };
    throw error;
  }
}

/**
 * The JSON value of a body, `undefined` if it is empty.
 *
 * @throws HttpError if the body is invalid.
 */
export function parsedBody({ value, error }: Body): unknown {
  if (error) throw error;
  return value;
}

/** @throws HttpError 415 if the `content-type` of a body is not that of its kind */
export function requireType({ bytes }: Body, kind: BodyKind, type: string | undefined): void {
  if (bytes === 0 || type === undefined || (kind === "form" ? formType : jsonType).test(type)) return;
  throw new HttpError(415, `the body must be ${mediaTypes[kind]}, not ${type}`);
}

/** The members of a form: texts, and the content of files. */
async function parseForm(body: Buffer<ArrayBuffer>, type: string | undefined): Promise<unknown> {
  if (body.length === 0) return undefined;
  const request = new Request("http://127.0.0.1", { method: "POST", body, headers: { "content-type": type ?? "" } });
  const members = Object.entries(await parseBody(request).catch(() => ({})));
  if (members.length === 0) throw badRequest("the body is not a form");
  const values = members.map(async ([name, value]) => [
    name,
    value instanceof File ? new Uint8Array(await value.arrayBuffer()) : value,
  ]);
  return Object.fromEntries(await Promise.all(values)) as unknown;
}

function parse(content: Buffer, encoding = "identity"): unknown {
  if (content.length === 0) return undefined;
  if (encoding !== "identity") throw new HttpError(415, `content-encoding ${encoding} is not supported`);
  if (!isUtf8(content)) throw badRequest("the body is not UTF-8");
  const text = content.toString();
  if (text.trim() === "") return undefined;
  const value = parseJson(text);
  requireStorable(value);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw badRequest(`the body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Walks through a value level by level, because recursion would overflow the stack if the value is nested too deeply. */
function requireStorable(value: unknown): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw badRequest(`the body is nested more than ${maxDepth} levels deep`);
    if (level.some(isMalformedText)) throw badRequest("text in the body must be well-formed Unicode without NUL");
    level = level.flatMap(childrenOf);
  }
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === "object" && value !== null ? Object.entries(value).flat() : [];
}

function isMalformedText(value: unknown): boolean {
  return typeof value === "string" && /[\0\p{Surrogate}]/u.test(value);
}

/** Closes the connection, so that the rest of the body is not read. */
const tooLong = (limit: number): HttpError =>
  new HttpError(413, `the body must not be longer than ${limit} bytes`, { headers: { connection: "close" } });
