import type { Agent } from "node:http";

import fetch from "node-fetch";

import type { Method } from "../request";
import { agentFor, proxyErrorCode } from "./proxy";

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** An answer as it came over the wire, whole. */
export interface WireResponse {
  readonly status: number;
  /** The value of a header, whatever the case of its name. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

/** Sends one request and reads its whole answer; rejects when the connection fails or the signal fires. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

/** `node-fetch` over connections that are kept open between requests, through the proxy that the environment names. */
export function fetchTransport(): Transport {
  const agents = new Map<string, Agent>();
  const agentOf = (url: URL): Agent => {
    const agent = agents.get(url.origin) ?? agentFor(url);
    agents.set(url.origin, agent);
    return agent;
  };
  return async ({ method, url, headers, body, signal }) => {
    try {
      const response = await fetch(url, {
        method,
        headers,
        signal,
        // A redirect is never part of this API: following one could carry the key to another host.
        redirect: "manual",
        agent: agentOf,
        ...(body === undefined ? {} : { body }),
      });
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        body: await response.text(),
      };
    } catch (fault) {
      throw faultOf(fault);
    }
  };
}

/** The fault without the address, which whoever reports it names already. */
function faultOf(fault: unknown): Error {
  const message = fault instanceof Error ? fault.message : String(fault);
  return new Error(message.replace(/^request to \S+ failed, reason: /, ""), { cause: fault });
}

/** Codes of faults at which nothing can have been sent: there was no connection to send it over. */
const connectionNeverMade = new Set([
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

/** Whether a fault of the transport is that of a proxy. */
export function failedAtProxy(fault: unknown): boolean {
  return [...causesOf(fault)].some(({ code }) => code === proxyErrorCode);
}

function* causesOf(fault: unknown): Generator<{ readonly code?: unknown }> {
  for (let cause: unknown = fault; typeof cause === "object" && cause !== null; cause = (cause as Error).cause) {
    yield cause;
  }
}

/** Whether a fault of the transport proves that the platform never saw the request. */
export function wasNeverSent(fault: unknown): boolean {
  for (const cause of causesOf(fault)) {
    const { code, syscall, erroredSysCall } = cause as { code?: unknown; syscall?: unknown; erroredSysCall?: unknown };
    if (typeof code !== "string" || !connectionNeverMade.has(code)) continue;
    // A host can get out of reach of a connection that was made, too.
    return ![syscall, erroredSysCall].some((call) => call === "read" || call === "write");
  }
  return false;
}
