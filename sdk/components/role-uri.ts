import { isAddress } from "../../api/endpoint-host";

/** A connection to a branch's compute as the role of a `BranchEnvironment`. */
interface RoleConnection {
  readonly role: string;
  readonly password: string;
  readonly host: string;
  readonly database: string;
  readonly endpointId: string;
  /** The URI for the inherited role. Absent if the branch has several. */
  readonly inherited?: string | undefined;
}

/** The URI of a connection. */
export function roleUri({ role, password, host, database, endpointId, inherited }: RoleConnection): string {
  const [user, secret, path] = [role, password, database].map(encodeURIComponent);
  const at = (address: string, parameters: string): string =>
    `postgresql://${user ?? ""}:${secret ?? ""}@${address}/${path ?? ""}${parameters}`;
  if (!isAddress(host)) return at(host, "?sslmode=require&channel_binding=require");
  // An IP address belongs to a local platform and has no trusted certificate. Computes may share the address: then only
  // the port and the parameters lead to this one.
  const { port, search } = new URL(inherited ?? `postgresql://${host}/?options=endpoint%3D${endpointId}`);
  return at(port === "" ? host : `${host}:${port}`, search);
}
