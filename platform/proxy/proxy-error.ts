import { ComputeUnavailable } from "./compute-directory";

/** An error of the proxy, whose message is for the client. */
export class ProxyError extends Error {}

/** The compute cannot be reached, which is not the client's fault. */
export class ComputeError extends ProxyError {}

/** Errors with the texts of the real proxy, because programs recognize them. */
export const proxyErrors = {
  authenticationFailed: (user: string) => new ProxyError(`password authentication failed for user '${user}'`),
  authenticationTimedOut: () => new ProxyError("Authentication timed out"),
  computeUnreachable: () => new ComputeError("Couldn't connect to compute node"),
  endpointDisabled: () => new ProxyError("Control plane request failed: endpoint is disabled"),
  endpointMissing: () =>
    new ProxyError(
      "Endpoint ID is not specified. Either please upgrade the postgres client library (libpq) for SNI support or pass the endpoint ID (first part of the domain name) as a parameter: '?options=endpoint%3D<endpoint-id>'. See more at https://neon.tech/sni",
    ),
  endpointNotFound: () => new ProxyError("Control plane request failed: endpoint cannot be found"),
  endpointsInconsistent: (domain: string, option: string) =>
    new ProxyError(`Inconsistent project name inferred from SNI ('${domain}') and project option ('${option}').`),
  invalidEndpoint: (id: string) =>
    new ProxyError(`Project name ('${id}') must contain only alphanumeric characters and hyphen.`),
  ipNotAllowed: (address: string) =>
    new ProxyError(
      `This IP address ${address} is not allowed to connect to this endpoint. Please add it to the allowed list in the Neon console. Make sure to check for IPv4 or IPv6 addresses.`,
    ),
  networkBlocked: () => new ProxyError("This connection is trying to access this endpoint from a blocked network."),
  pointInTime: () =>
    new ProxyError(
      "The local platform has no computes at a point in time (neon_lsn, neon_timestamp). Create a branch from that point instead.",
    ),
  userMissing: () => new ProxyError("Parameter 'user' is missing in startup packet."),
};

/** The error for the client if the control plane or a compute has failed. */
export const computeError = (error: unknown): ProxyError =>
  error instanceof ComputeUnavailable ? new ComputeError(error.message) : proxyErrors.computeUnreachable();
