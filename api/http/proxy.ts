import type { EventEmitter } from "node:events";
import http, { type ClientRequest } from "node:http";
import https from "node:https";
import { BlockList, isIPv4, isIPv6, type Socket } from "node:net";

import { HttpsProxyAgent } from "https-proxy-agent";
import { getProxyForUrl } from "proxy-from-env";

import { decoded } from "../core/request";

/** Error code of a proxy error: there was no connection to the platform, so nothing was sent. */
export const proxyErrorCode = "ERR_PROXY_CONNECTION";

class ProxyError extends Error {
  readonly code = proxyErrorCode;
}

/** An HTTP proxy from the environment variables. */
interface Proxy {
  /** The URL without credentials, because the agent writes it to its debug log. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The name for messages: the address and the environment variable. */
  readonly label: string;
}

/**
 * How long an idle connection is kept, in milliseconds. NAT gateways drop idle connections after minutes, load
 * balancers and servers after seconds. The next request on a dropped connection fails with an unknown outcome.
 * Successive requests still share a connection, and after a longer pause, a new handshake costs less than the pause.
 */
const idleTimeout = 2_000;

/**
 * Returns the keep-alive agent for requests to this origin.
 *
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in upper or lower case. Loopback addresses never use a proxy.
 *
 * @throws ProxyError if an environment variable is not the URL of an HTTP proxy.
 */
export function agentFor(url: URL): http.Agent {
  const proxy = proxyFor(url);
  if (proxy !== undefined) return new TunnelAgent(proxy);
  const options = { keepAlive: true, timeout: idleTimeout };
  return url.protocol === "http:" ? new http.Agent(options) : new https.Agent(options);
}

function proxyFor(url: URL): Proxy | undefined {
  const name = `${url.protocol.slice(0, -1)}_proxy`;
  const variable = [name, name.toUpperCase()].find((one) => (process.env[one] ?? "") !== "");
  // The package is used for NO_PROXY only: it also reads ALL_PROXY, which the Pulumi CLI ignores.
  if (variable === undefined || isLoopback(url.hostname) || getProxyForUrl(url.href) === "") return undefined;
  return parsedProxy(variable, process.env[variable] ?? "");
}

function parsedProxy(variable: string, value: string): Proxy {
  const text = value.includes("://") ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ProxyError(`${variable} must be the URL of an HTTP proxy, such as http://proxy.example:3128`);
  }
  const credentials = `${decoded(url.username) ?? url.username}:${decoded(url.password) ?? url.password}`;
  url.username = url.password = "";
  return {
    url,
    headers:
      credentials === ":" ? {} : { "Proxy-Authorization": `Basic ${Buffer.from(credentials).toString("base64")}` },
    label: `the proxy ${url.origin} (${variable})`,
  };
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** @param hostname normalized by `URL` */
function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIPv4(host)) return loopback.check(host);
  return isIPv6(host) ? loopback.check(host, "ipv6") : host === "localhost";
}

type ConnectOptions = Parameters<HttpsProxyAgent<string>["connect"]>[1];

/** Connects through a tunnel (`CONNECT`), so that the proxy cannot read `https:` requests. */
class TunnelAgent extends HttpsProxyAgent<string> {
  readonly #label: string;

  constructor({ url, headers, label }: Proxy) {
    super(url, { keepAlive: true, headers });
    // The constructor of the base class drops this option.
    Object.assign(this.options, { timeout: idleTimeout });
    this.#label = label;
  }

  override async connect(request: ClientRequest, options: ConnectOptions): Promise<Socket> {
    let status = 0;
    let reason = "";
    request.once("proxyConnect", (response: { readonly statusCode: number; readonly statusText: string }) => {
      ({ statusCode: status, statusText: reason } = response);
    });
    const socket = await this.#open(request, options).catch((error: unknown) => {
      throw proxyError(this.#label, error);
    });
    // After any other status, the proxy's response would be read as the platform's.
    if (status === 200) return socket;
    socket.destroy();
    throw proxyError(this.#label, `HTTP ${status} ${reason}`.trim());
  }

  /** Opens the tunnel. Aborts with the request, because a proxy that never responds would keep the process alive. */
  async #open(request: ClientRequest, options: ConnectOptions): Promise<Socket> {
    const abandoned = new AbortController();
    const abandon = (): void => abandoned.abort();
    // An aborted request without a socket emits no other event. Node's types mark this one as deprecated.
    const events: EventEmitter = request;
    events.once("abort", abandon);
    // `connect` reads this synchronously, so that concurrent requests do not affect each other.
    this.connectOpts = { ...this.connectOpts, signal: abandoned.signal };
    try {
      return await super.connect(request, options);
    } finally {
      events.off("abort", abandon);
    }
  }
}

function proxyError(label: string, cause: unknown): ProxyError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ProxyError(`${label} did not open a connection: ${why}`, { cause });
}
