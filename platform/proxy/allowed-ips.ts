import { BlockList, isIP } from "node:net";

import type { ProxiedCompute } from "./compute-directory";
import { proxyErrors } from "./proxy-error";

/** @throws ProxyError if a client with this address must not connect to a compute. */
export function assertAddressAllowed(compute: ProxiedCompute, clientAddress: string): void {
  if (!isAllowed(compute.allowedIps, clientAddress)) throw proxyErrors.ipNotAllowed(clientAddress);
  if (compute.blocksPublicConnections) throw proxyErrors.networkBlocked();
}

/** Whether an address is in a list of addresses, ranges (`192.0.2.1-192.0.2.9`) and subnets (`192.0.2.0/24`). */
export function isAllowed(allowedIps: readonly string[], clientAddress: string): boolean {
  if (allowedIps.length === 0) return true;
  const list = new BlockList();
  for (const entry of allowedIps) add(list, entry.trim());
  const family = familyOf(clientAddress);
  return family !== undefined && list.check(clientAddress, family);
}

/** Adds an entry to a list. An entry that is not an address allows nobody. */
function add(list: BlockList, entry: string): void {
  const [, first = "", kind = "", last = ""] = /^([^-/]+)(?:([-/])(.+))?$/.exec(entry) ?? [];
  const family = familyOf(first);
  if (family === undefined) return;
  try {
    if (kind === "/") list.addSubnet(first, Number(last), family);
    else if (kind === "-") list.addRange(first, last, family);
    else list.addAddress(first, family);
  } catch {
    return;
  }
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : `ipv${version === 4 ? 4 : 6}`;
}
