import type { Endpoint } from "./schemas/endpoint";

/** Whether a host is an IPv4 address, as on a local platform, and not a name. */
export const isAddress = (host: string): boolean => /^\d{1,3}(\.\d{1,3}){3}$/.test(host);

/** The host of a compute's connection pooler: `-pooler` follows the compute's id. An address is the same for both. */
export function poolerHostOf(endpoint: Pick<Endpoint, "id" | "host">): string | undefined {
  if (isAddress(endpoint.host)) return endpoint.host;
  return endpoint.host.startsWith(endpoint.id)
    ? `${endpoint.id}-pooler${endpoint.host.slice(endpoint.id.length)}`
    : undefined;
}
