import type { Agent } from "node:http";
import { Readable, Transform } from "node:stream";

import type { FileBody } from "../core/request";
import { ContentError, readContent } from "./content";
import type { IdleLimit } from "./idle-limit";
import fetch from "./node-fetch";
import { agentFor } from "./proxy";
import type { WireResponse } from "./transport";

// Transfers of files to and from other servers than the API: without its key. A URL can be a secret, so no message has one.

const agents = new Map<string, Agent>();

function agentOf(url: URL): Agent {
  const agent = agents.get(url.origin) ?? agentFor(url);
  agents.set(url.origin, agent);
  return agent;
}

/** Downloads a file. */
export async function downloadFile(url: string): Promise<Readable> {
  const response = await fetch(url, { agent: agentOf }).catch((error: unknown) => {
    throw withoutUrl(error);
  });
  if (!response.ok || response.body === null) throw new Error(`the server answered with HTTP ${response.status}`);
  return Readable.from(response.body);
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
    const response = await fetch(url, {
      method,
      headers: { ...headers, "content-length": String(size) },
      body: counted,
      redirect: "manual",
      agent: agentOf,
      signal: limit.signal,
    });
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      body: asJson(await response.text()),
    };
  } catch (error) {
    throw unreadable ?? withoutUrl(error);
  } finally {
    file.destroy();
    counted.destroy();
  }
}

/** An error of S3, which is XML, in the form of the API's errors. */
function asJson(text: string): string {
  const member = (name: string): string | undefined => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  return JSON.stringify({ message: member("Message") ?? text.slice(0, 200), code: member("Code") ?? "" });
}

function withoutUrl(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(message.replace(/^request to \S+ failed, reason: /, ""), { cause });
}
