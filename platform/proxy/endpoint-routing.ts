import { proxyErrors } from "./proxy-error";

/** The ways in which a client can name the endpoint that it wants. */
export interface EndpointHints {
  /** The name from TLS (SNI), or the `Host` of a WebSocket. */
  readonly serverName?: string | undefined;
  /** From the startup parameter `options`. */
  readonly option?: string | undefined;
  /** The endpoint to which the address belongs that the client has connected to. */
  readonly ofAddress?: string | undefined;
}

/** A password that also names the endpoint, for clients that cannot name it in another way. */
export interface PasswordWithEndpoint {
  readonly endpointId: string;
  readonly password: string;
}

/** The prefix of endpoint ids. Other names, such as `localhost`, name no endpoint. */
const endpointPrefix = "ep-";
/** Suffixes of an endpoint id that do not change the compute. */
const suffixes = /-(?:pooler|local-proxy)$/;

/** The endpoint that the first label of a host name names; undefined if it names none. */
function endpointOfHost(host: string | undefined): string | undefined {
  const label = host?.split(".", 1)[0]?.toLowerCase();
  return label?.startsWith(endpointPrefix) ? label : undefined;
}

/**
 * The endpoint that a client asks for, without `-pooler`. A name or an option takes precedence over the address.
 *
 * @returns undefined if the client has named none, so that only the password can
 * @throws ProxyError if the hints contradict each other or are malformed
 */
export function routeToEndpoint({ serverName, option, ofAddress }: EndpointHints): string | undefined {
  const named = endpointOfHost(serverName);
  if (named !== undefined && option !== undefined && named !== option) {
    throw proxyErrors.endpointsInconsistent(serverName ?? "", option);
  }
  const id = named ?? option ?? ofAddress;
  return id === undefined ? undefined : checkedEndpoint(id);
}

/** Reads `endpoint=<id>;<password>` or `endpoint=<id>$<password>`; undefined if the text is neither. */
export function parsePasswordWithEndpoint(text: string): PasswordWithEndpoint | undefined {
  const rest = /^(?:endpoint|project)=(.*)$/s.exec(text)?.[1];
  if (rest === undefined) return undefined;
  const at = rest.includes(";") ? rest.indexOf(";") : rest.indexOf("$");
  if (at === -1) return undefined;
  return { endpointId: checkedEndpoint(rest.slice(0, at)), password: rest.slice(at + 1) };
}

function checkedEndpoint(id: string): string {
  if (!/^[A-Za-z0-9-]+$/.test(id)) throw proxyErrors.invalidEndpoint(id);
  return id.replace(suffixes, "");
}
