import { isAddress } from "../../api/endpoint-host";

/** A connection as a role of its own to the compute of a branch. */
interface RoleConnection {
  readonly role: string;
  readonly password: string;
  readonly host: string;
  readonly database: string;
  readonly endpointId: string;
  /** The URI of the role that the branch has from its parent. Absent if there are several. */
  readonly inherited?: string | undefined;
}

/** The URI of a connection. */
export function roleUri({ role, password, host, database, endpointId, inherited }: RoleConnection): string {
  const [user, secret, path] = [role, password, database].map(encodeURIComponent);
  const at = (address: string, parameters: string): string =>
    `postgresql://${user ?? ""}:${secret ?? ""}@${address}/${path ?? ""}${parameters}`;
  if (!isAddress(host)) return at(host, "?sslmode=require&channel_binding=require");
  // An address is on this machine, and has no certificate that clients trust. Computes may share it: then only the port and the
  // parameters lead to this one.
  const { port, search } = new URL(inherited ?? `postgresql://${host}/?options=endpoint%3D${endpointId}`);
  return at(port === "" ? host : `${host}:${port}`, search);
}
