import type { Agent } from "node:http";
import { Readable } from "node:stream";

import type { Method } from "../core/request";
import fetch from "./node-fetch";
import { agentFor, proxyErrorCode } from "./proxy";

/** An HTTP request. */
export interface WireRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  readonly signal: AbortSignal;
  /** Called when a part of a body of bytes has been handed to the connection. */
  readonly onProgress?: (() => void) | undefined;
}

/** A complete HTTP response. */
export interface WireResponse {
  readonly status: number;
  /** Returns the value of a header. The name is case-insensitive. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

/** Sends a request and reads the whole response. Rejects if the connection fails or the signal fires. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

/** Small enough for several of them within the timeout on a slow connection. In bytes. */
const partSize = 16 * 1024;

/** Uses `node-fetch` with keep-alive connections, and the proxy that the environment variables name. */
export function fetchTransport(): Transport {
  const agents = new Map<string, Agent>();
  const agentOf = (url: URL): Agent => {
    const agent = agents.get(url.origin) ?? agentFor(url);
    agents.set(url.origin, agent);
    return agent;
  };
  return async ({ method, url, headers, body, signal, onProgress }) => {
    try {
      const response = await fetch(url, {
        method,
        headers: Buffer.isBuffer(body) ? { ...headers, "content-length": String(body.length) } : headers,
        signal,
        // This API never redirects. Following a redirect could send the key to another host.
        redirect: "manual",
        agent: agentOf,
        ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? Readable.from(parts(body, onProgress)) : body }),
      });
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        body: await response.text(),
      };
    } catch (error) {
      throw networkError(error);
    }
  };
}

/** The bytes one part after the other, each when the connection takes it. */
function* parts(body: Buffer, onProgress: () => void = () => undefined): Generator<Buffer> {
  for (let start = 0; start < body.length; start += partSize) {
    onProgress();
    yield body.subarray(start, start + partSize);
  }
}

/** Removes the URL from the message of `node-fetch`: our messages name the request themselves. */
function networkError(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(message.replace(/^request to \S+ failed, reason: /, ""), { cause });
}

/** Codes of errors that occur before a connection exists, so that nothing was sent. */
const connectErrorCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  proxyErrorCode,
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Whether a network error is a proxy's. */
export function isProxyError(error: unknown): boolean {
  return [...causesOf(error)].some(({ code }) => code === proxyErrorCode);
}

function* causesOf(error: unknown): Generator<{ readonly code?: unknown }> {
  for (let cause: unknown = error; typeof cause === "object" && cause !== null; cause = (cause as Error).cause) {
    yield cause;
  }
}

/** Whether a network error proves that the request never reached the platform. */
export function wasNeverSent(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    const { code, syscall, erroredSysCall } = cause as { code?: unknown; syscall?: unknown; erroredSysCall?: unknown };
    if (typeof code !== "string" || !connectErrorCodes.has(code)) continue;
    // A host can also become unreachable over an existing connection.
    return ![syscall, erroredSysCall].some((call) => call === "read" || call === "write");
  }
  return false;
}
