import { XMLParser } from "fast-xml-parser";
import type { Agent } from "node:http";
import { Readable, Transform } from "node:stream";

import { reasonOf, systemClock } from "../core/clock";
import { messageOf } from "../core/errors";
import type { FileBody } from "../core/request";
import { ContentError, readContent } from "./content";
import { IdleLimit } from "./idle-limit";
import type { RequestInit } from "./node-fetch";
import { exchange, NotSentError, type WireResponse, wireResponse } from "./transport";

// Transfers files to and from servers other than the API, without the API key. URLs can be secret, so no message
// contains one.

const agents = new Map<string, Agent>();

/** How long a server may send nothing of a download, in milliseconds. */
const downloadTimeout = 30_000;

/** Downloads a file. Reading it rejects if the server stops sending. */
export async function downloadFile(
  url: string,
  limit = new IdleLimit(systemClock, downloadTimeout, "the server sent nothing"),
): Promise<Readable> {
  const failure = (error: unknown): Error => (limit.signal.aborted ? reasonOf(limit.signal) : withoutUrl(error, url));
  limit.restart();
  try {
    const { ok, status, body } = await exchange(agents, url, { signal: limit.signal });
    limit.pause();
    if (ok && body !== null) return Readable.from(received(body, limit, failure));
    // An unread body would keep its connection open.
    if (body instanceof Readable) body.destroy();
    throw new Error(`the server answered with HTTP ${status}`);
  } catch (error) {
    limit.end();
    throw failure(error);
  }
}

/** The parts of a download. The time between reads does not count towards the timeout. */
async function* received(
  body: NodeJS.ReadableStream,
  limit: IdleLimit,
  failure: (error: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  limit.restart();
  try {
    for await (const part of body) {
      limit.pause();
      yield part as Buffer;
      limit.restart();
    }
  } catch (error) {
    throw failure(error);
  } finally {
    limit.end();
  }
}

/** A request to another server than the API. */
interface Target {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends a request to S3, with a file as a stream. The body of the answer is JSON: the header fields, and the elements of
 * the document. Rejects if there is no answer.
 */
export async function sendToS3(
  { url, method, headers }: Target,
  body: FileBody | string | undefined,
  limit: IdleLimit,
  signal: AbortSignal = limit.signal,
): Promise<WireResponse> {
  if (typeof body !== "object") {
    try {
      return asJson(await exchanged(url, { method, headers, signal, ...(body !== undefined && { body }) }));
    } catch (error) {
      throw withoutUrl(error, url);
    }
  }
  const { size, open } = body;
  const file = await readContent(open);
  let unreadable: Error | undefined;
  const counted = file.pipe(
    new Transform({
      transform: (chunk: Buffer, _, done) => {
        limit.restart();
        done(null, chunk);
      },
    }),
  );
  file.on("error", (error) => {
    unreadable = new ContentError(error);
    counted.destroy(unreadable);
  });
  try {
    const sent = { ...headers, "content-length": String(size) };
    return asJson(await exchanged(url, { method, headers: sent, body: counted, signal }));
  } catch (error) {
    throw unreadable ?? withoutUrl(error, url);
  } finally {
    file.destroy();
    counted.destroy();
  }
}

/** An answer of S3, and its header fields. */
interface S3Answer extends WireResponse {
  readonly headers: Readonly<Record<string, string>>;
}

async function exchanged(url: string, init: RequestInit): Promise<S3Answer> {
  const response = await exchange(agents, url, { ...init, redirect: "manual" });
  return { ...(await wireResponse(response)), headers: Object.fromEntries(response.headers) };
}

// A key may begin or end with a space.
const parser = new XMLParser({ parseTagValue: false, trimValues: false, ignoreDeclaration: true });

/** Converts an answer of S3, which is XML, to JSON. That of an error has the form of the API's errors. */
function asJson({ headers, ...answer }: S3Answer): WireResponse {
  const document = parsed(answer.body);
  if (answer.status < 300) return { ...answer, body: JSON.stringify({ headers, ...document }), isCut: false };
  const { Message: message = answer.body.slice(0, 200), Code: code = "" } = document.Error ?? {};
  const reason = message === "" ? undefined : message;
  return { ...answer, body: JSON.stringify({ message: reason, code }), isCut: false };
}

interface S3Document {
  readonly Error?: { readonly Message?: string; readonly Code?: string };
}

/** The elements of a document; none if a text is no document, such as a gateway's error page. */
function parsed(text: string): S3Document {
  try {
    return parser.parse(text) as S3Document;
  } catch {
    return {};
  }
}

/** Removes URLs from an error of `node-fetch`. The result has no `cause`, because that contains the URLs. */
function withoutUrl(error: unknown, url: string): Error {
  const quoted = messageOf(error).replace(/^request to \S+ failed, reason: /, "");
  const text = quoted.replaceAll(url, "[URL]").replace(/\S*\/\/\S+/g, "[URL]");
  return error instanceof NotSentError ? new NotSentError(text, error.isFinal) : new Error(text);
}
