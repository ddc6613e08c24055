import { join } from "node:path";

/** A compute that a client asks for. */
export interface ProxiedCompute {
  readonly endpointId: string;
  readonly branchId: string;
  readonly projectId: string;
  /** Addresses and ranges that may connect; empty means all. */
  readonly allowedIps: readonly string[];
  /** Whether only private networks may connect. The proxy is never reached from one. */
  readonly blocksPublicConnections: boolean;
  readonly disabled: boolean;
}

/** The part of the control plane and of the databases that the proxy needs. */
export interface ComputeDirectory {
  /** The compute with an endpoint id (without `-pooler`), or undefined if there is none. */
  find(endpointId: string): ProxiedCompute | undefined;
  /**
   * The SCRAM-SHA-256 verifier of a role, as `pg_authid.rolpassword`
   * stores it; undefined if the role does not exist or cannot log in.
   */
  verifier(compute: ProxiedCompute, role: string): Promise<string | undefined>;
  /**
   * Starts the compute if it is suspended, and returns the folder of its Unix socket.
   *
   * @throws ComputeUnavailable with the text for the client
   */
  wake(compute: ProxiedCompute): Promise<{ readonly socketFolder: string }>;
  /** Records that a client has sent data, which postpones the suspension. */
  recordActivity(compute: ProxiedCompute): void;
  /** Calls back when the addresses of computes must change, because an endpoint was added or removed. */
  onEndpointsChange(listener: () => void): void;
}

/** A compute that cannot be started; the message is for the client. */
export class ComputeUnavailable extends Error {}

/** The Unix socket of a compute in the folder of its sockets. Every compute has its own folder, so all have one port. */
export const socketPath = (folder: string): string => join(folder, ".s.PGSQL.5432");
