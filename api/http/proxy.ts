import type { EventEmitter } from "node:events";
import http, { type ClientRequest } from "node:http";
import https from "node:https";
import { BlockList, isIPv4, isIPv6, type Socket } from "node:net";

import { HttpsProxyAgent } from "https-proxy-agent";
import { getProxyForUrl } from "proxy-from-env";

/** The code of an error of a proxy: there was no connection to the platform, so nothing was sent. */
export const proxyErrorCode = "ERR_PROXY_CONNECTION";

class ProxyError extends Error {
  readonly code = proxyErrorCode;
}

/** An HTTP proxy that the environment names. */
interface Proxy {
  /** Without its credentials, which the agent would write to its debug log. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** For messages: its address and the variable that names it. */
  readonly label: string;
}

/**
 * The agent for requests to this origin, which keeps connections open between them.
 *
 * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply, in either case. Loopback addresses never go through a proxy.
 *
 * @throws ProxyError if the environment names a proxy that cannot be one.
 */
export function agentFor(url: URL): http.Agent {
  const proxy = proxyFor(url);
  if (proxy !== undefined) return new TunnelAgent(proxy);
  return url.protocol === "http:" ? new http.Agent({ keepAlive: true }) : new https.Agent({ keepAlive: true });
}

function proxyFor(url: URL): Proxy | undefined {
  const name = `${url.protocol.slice(0, -1)}_proxy`;
  const variable = [name, name.toUpperCase()].find((one) => (process.env[one] ?? "") !== "");
  // The package applies NO_PROXY. It also reads ALL_PROXY, which the Pulumi CLI itself does not.
  if (variable === undefined || isLoopback(url.hostname) || getProxyForUrl(url.href) === "") return undefined;
  return parsedProxy(variable, process.env[variable] ?? "");
}

function parsedProxy(variable: string, value: string): Proxy {
  const text = value.includes("://") ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ProxyError(`${variable} must be the URL of an HTTP proxy, such as http://proxy.example:3128`);
  }
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  url.username = url.password = "";
  return {
    url,
    headers:
      credentials === ":" ? {} : { "Proxy-Authorization": `Basic ${Buffer.from(credentials).toString("base64")}` },
    label: `the proxy ${url.origin} (${variable})`,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** @param hostname as `URL` normalizes it */
function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIPv4(host)) return loopback.check(host);
  return isIPv6(host) ? loopback.check(host, "ipv6") : host === "localhost";
}

type ConnectOptions = Parameters<HttpsProxyAgent<string>["connect"]>[1];

/** Reaches the platform through a tunnel (`CONNECT`), in which the proxy sees nothing of an `https:` request. */
class TunnelAgent extends HttpsProxyAgent<string> {
  readonly #label: string;

  constructor({ url, headers, label }: Proxy) {
    super(url, { keepAlive: true, headers });
    this.#label = label;
  }

  override async connect(request: ClientRequest, options: ConnectOptions): Promise<Socket> {
    let status = 0;
    let reason = "";
    request.once("proxyConnect", (answer: { readonly statusCode: number; readonly statusText: string }) => {
      ({ statusCode: status, statusText: reason } = answer);
    });
    const socket = await this.#open(request, options).catch((error: unknown) => {
      throw failure(this.#label, error);
    });
    // Otherwise the proxy's answer would be taken for the platform's.
    if (status === 200) return socket;
    socket.destroy();
    throw failure(this.#label, `it answered ${`${status} ${reason}`.trim()}`);
  }

  /** The package waits without a limit. A proxy that never answers would keep the process alive after the request. */
  async #open(request: ClientRequest, options: ConnectOptions): Promise<Socket> {
    const abandoned = new AbortController();
    const abandon = (): void => abandoned.abort();
    // What `node-fetch` aborts has no socket yet, and emits nothing else. Node's types call the event deprecated.
    const events: EventEmitter = request;
    events.once("abort", abandon);
    // `connect` reads it before it yields, so that no other request sees it.
    this.connectOpts = { ...this.connectOpts, signal: abandoned.signal };
    try {
      return await super.connect(request, options);
    } finally {
      events.off("abort", abandon);
    }
  }
}

function failure(label: string, cause: unknown): ProxyError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ProxyError(`${label} opened no connection: ${why}`, { cause });
}
