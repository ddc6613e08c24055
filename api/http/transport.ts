import type { Agent, ClientRequest } from "node:http";
import { Readable } from "node:stream";
import { TLSSocket } from "node:tls";

import { messageOf } from "../core/errors";
import type { Method } from "../core/request";
import fetch, { type RequestInit, type Response } from "./node-fetch";
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
  /** Whether the body was too large and is cut off after its beginning. */
  readonly isCut?: boolean;
}

/** Sends a request and reads the whole response. Rejects if the connection fails or the signal fires. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

/** Size of the parts in which a body is sent, in bytes. Several fit into the timeout on a slow connection. */
const partSize = 16 * 1024;

/** Maximum size of a body that is read, in bytes: larger than any list or schema, and than any useful error. */
const maxBody = { answer: 32 * 1024 * 1024, error: 1024 * 1024 } as const;

/** Uses `node-fetch` with keep-alive connections, and the proxy that the environment variables name. */
export function fetchTransport(): Transport {
  const agents = new Map<string, Agent>();
  return async ({ method, url, headers, body, signal, onProgress }) => {
    try {
      const response = await exchange(agents, url, {
        method,
        headers: Buffer.isBuffer(body) ? { ...headers, "content-length": String(body.length) } : headers,
        signal,
        // This API never redirects. Following a redirect could send the key to another host.
        redirect: "manual",
        ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? Readable.from(parts(body, onProgress)) : body }),
      });
      return await wireResponse(response);
    } catch (error) {
      throw error instanceof NotSentError ? error : networkError(error);
    }
  };
}

/** Reads a response, and its body up to the maximum size. */
export async function wireResponse({ status, ok, headers, body }: Response): Promise<WireResponse> {
  const max = ok ? maxBody.answer : maxBody.error;
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop ends the connection.
  for await (const chunk of body ?? []) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > max) break;
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, max));
  return { status, header: (name) => headers.get(name) ?? undefined, body: text, isCut: size > max };
}

/** A request was not sent: its connection was never open. */
export class NotSentError extends Error {
  /** @param isFinal whether the request can never be sent, because its URL or a header is malformed */
  constructor(
    message: string,
    readonly isFinal: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/**
 * Sends a request with the agent of its origin.
 *
 * @throws NotSentError if nothing was sent
 */
export async function exchange(agents: Map<string, Agent>, url: string, init: RequestInit): Promise<Response> {
  const connection = { isOpen: false };
  const agentOf = (target: URL): Agent => {
    const agent = agents.get(target.origin) ?? agentFor(target);
    agents.set(target.origin, agent);
    return watched(agent, () => (connection.isOpen = true));
  };
  try {
    return await fetch(url, { ...init, agent: agentOf });
  } catch (error) {
    throw connection.isOpen ? error : new NotSentError(connectionText(error), error instanceof TypeError, error);
  }
}

/**
 * Wraps the agent for one request and reports when the connection is open. Node's errors do not say whether anything
 * was sent.
 */
function watched(agent: Agent, onOpen: () => void): Agent {
  // Node calls this method to assign a request to its agent. Its types lack it.
  interface Joined {
    addRequest: (request: ClientRequest, ...options: readonly unknown[]) => void;
  }
  const joined = agent as Agent & Joined;
  return Object.assign(Object.create(agent) as Agent, {
    addRequest: (request: ClientRequest, ...options: readonly unknown[]) => {
      request.once("socket", (socket) => {
        const isSecured = socket instanceof TLSSocket;
        if (request.reusedSocket || (!isSecured && !socket.connecting)) onOpen();
        else socket.once(isSecured ? "secureConnect" : "connect", onOpen);
      });
      joined.addRequest(request, ...options);
    },
  } satisfies Joined);
}

/** Explanations of connection errors whose own text explains nothing. */
const connectionProblems: readonly (readonly [pattern: RegExp, text: string])[] = [
  [
    /\b(wrong version number|packet length too long|http request|record overflow)\b/,
    "the server does not speak TLS on this port. Check the scheme and the port",
  ],
  [/\bENOTFOUND\b/, "the host name is unknown"],
  [/\bEAI_AGAIN\b/, "the host name cannot be resolved now"],
];

/**
 * The text of a connection error. Node's message is empty if several addresses failed, and OpenSSL's quotes its own
 * source files.
 */
function connectionText(error: unknown): string {
  const { message } = networkError(error);
  const { code = "no connection" } = error as { readonly code?: string };
  const ofTls = /:SSL routines:[^:]*:([^:]+)/.exec(message)?.[1];
  const text = ofTls === undefined ? message || code : `no TLS connection (${ofTls})`;
  const problem = connectionProblems.find(([pattern]) => pattern.test(text))?.[1];
  return problem === undefined ? text : `${text}: ${problem}`;
}

/** Yields the body part by part, as the connection takes them. */
function* parts(body: Buffer, onProgress: () => void = () => undefined): Generator<Buffer> {
  for (let start = 0; start < body.length; start += partSize) {
    onProgress();
    yield body.subarray(start, start + partSize);
  }
}

/** Removes the URL from the message of `node-fetch`: our messages name the request themselves. */
function networkError(cause: unknown): Error {
  return new Error(messageOf(cause).replace(/^request to \S+ failed, reason: /, ""), { cause });
}

/**
 * Codes of errors that occur before a connection exists. Other transports throw them without a {@link NotSentError}.
 */
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
  if (error instanceof NotSentError) return true;
  for (const cause of causesOf(error)) {
    const { code, syscall, erroredSysCall } = cause as { code?: unknown; syscall?: unknown; erroredSysCall?: unknown };
    if (typeof code !== "string" || !connectErrorCodes.has(code)) continue;
    // A host can also become unreachable while a connection is open.
    return ![syscall, erroredSysCall].some((call) => call === "read" || call === "write");
  }
  return false;
}
