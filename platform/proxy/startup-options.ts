import { proxyErrors } from "./proxy-error";

/** The startup parameter `options`, divided into the part for the proxy and the part for the compute. */
export interface StartupOptions {
  /** The endpoint that the options name; undefined if they name none, or several. */
  readonly endpointId: string | undefined;
  /** Whether all startup parameters go to the compute. */
  readonly forwardsAllParameters: boolean;
  /** The options for the compute; undefined if none are left. */
  readonly forCompute: string | undefined;
}

const endpointToken = /^(?:endpoint|project)=(.*)$/s;
const proxyToken = /^neon_[a-z_]+:/;
const pointInTimeToken = /^neon_(?:lsn|timestamp):/;
const forwardAllToken = "neon_proxy_params_compat:true";

/** @throws ProxyError if the options ask for a compute at a point in time: computes here have the present data only */
export function parseStartupOptions(text: string | undefined): StartupOptions {
  const tokens = text === undefined ? [] : splitOptions(text);
  if (tokens.some((token) => pointInTimeToken.test(token))) throw proxyErrors.pointInTime();
  const endpoints = tokens.flatMap((token) => endpointToken.exec(token)?.[1] ?? []);
  const forCompute = tokens.filter((token) => !endpointToken.test(token) && !proxyToken.test(token));
  return {
    endpointId: endpoints.length === 1 ? endpoints[0] : undefined,
    forwardsAllParameters: tokens.includes(forwardAllToken),
    forCompute: forCompute.length > 0 ? forCompute.join(" ") : undefined,
  };
}

/** Splits at white space that has no backslash before it. The tokens keep their backslashes, for the compute. */
const splitOptions = (text: string): readonly string[] => text.match(/(?:\\.|[^\\\s]|\\$)+/gs) ?? [];
