import type { Agent } from "node:http";
import { Readable, Transform } from "node:stream";

import { reasonOf, systemClock } from "../core/clock";
import { messageOf } from "../core/errors";
import type { FileBody } from "../core/request";
import { ContentError, readContent } from "./content";
import { IdleLimit } from "./idle-limit";
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

/** Where a file is sent to. */
interface Target {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a file as a stream. Rejects if there is no answer. */
export async function uploadFile(
  { url, method, headers }: Target,
  { size, open }: FileBody,
  limit: IdleLimit,
): Promise<WireResponse> {
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
    const response = await exchange(agents, url, {
      method,
      headers: { ...headers, "content-length": String(size) },
      body: counted,
      redirect: "manual",
      signal: limit.signal,
    });
    const answer = await wireResponse(response);
    return { ...answer, body: asJson(answer.body), isCut: false };
  } catch (error) {
    throw unreadable ?? withoutUrl(error, url);
  } finally {
    file.destroy();
    counted.destroy();
  }
}

/** Converts an error of S3, which is XML, to the form of the API's errors. */
function asJson(text: string): string {
  const member = (name: string): string | undefined => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  return JSON.stringify({ message: member("Message") ?? text.slice(0, 200), code: member("Code") ?? "" });
}

/** Removes URLs from an error of `node-fetch`. The result has no `cause`, because that contains the URLs. */
function withoutUrl(error: unknown, url: string): Error {
  const quoted = messageOf(error).replace(/^request to \S+ failed, reason: /, "");
  const text = quoted.replaceAll(url, "[URL]").replace(/\S*\/\/\S+/g, "[URL]");
  return error instanceof NotSentError ? new NotSentError(text, error.isFinal) : new Error(text);
}
