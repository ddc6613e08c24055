import { isIP } from "node:net";
import { WebSocket } from "ws";

/** The settings of `neonConfig` in `@neondatabase/serverless` that a local platform needs. */
export interface ServerlessDriverConfig {
  fetchEndpoint: unknown;
  wsProxy: unknown;
  useSecureWebSocket: unknown;
  webSocketConstructor: unknown;
  forceDisablePgSSL: unknown;
}

/** An address of the local platform's proxy. */
export interface ProxyAddressOption {
  /** A loopback address, such as `127.0.0.1`. */
  readonly host: string;
  readonly port: number;
}

const defaultPort = 5432;

/**
 * Sets up `@neondatabase/serverless` for the local platform: its queries and its connections go to the address in their
 * connection string, without TLS. Call it once, before the first query.
 *
 * @param neonConfig the driver's `neonConfig`
 * @param proxy the address for queries whose connection string has a name as its host, which the machine may not resolve;
 *   default: that name
 * @example
 * ```ts
 * import { neonConfig, Pool } from "@neondatabase/serverless";
 * import { configureServerlessDriver } from "neon-platform";
 *
 * configureServerlessDriver(neonConfig);
 * const pool = new Pool({ connectionString: process.env["DATABASE_URL"] ?? "" });
 * console.log((await pool.query("select now()")).rows);
 * ```
 */
export function configureServerlessDriver(neonConfig: ServerlessDriverConfig, proxy?: ProxyAddressOption): void {
  const addressFor = (host: string, port: number | string): string => {
    if (proxy === undefined || isIP(host) !== 0) return `${host}:${port === "" ? defaultPort : port}`;
    return `${proxy.host}:${proxy.port}`;
  };
  neonConfig.fetchEndpoint = (host: string, port: number | string) => `http://${addressFor(host, port)}/sql`;
  neonConfig.wsProxy = (host: string, port: number | string) =>
    `${addressFor(host, port)}/v2?address=${encodeURIComponent(`${host}:${port}`)}`;
  neonConfig.useSecureWebSocket = false;
  neonConfig.webSocketConstructor = WebSocket;
  // The connection to a loopback address needs no encryption inside the WebSocket.
  neonConfig.forceDisablePgSSL = true;
}
