import { type Admin, adminRole } from "./postmaster";
import { privilegedRole } from "./template-sql";

/** A role in the catalog of a cluster. */
export interface CatalogRole {
  readonly oid: number;
  readonly name: string;
  /** The SCRAM verifier of its password, unless it has none. */
  readonly verifier?: string | undefined;
  readonly login: boolean;
}

/** A database in the catalog of a cluster. */
export interface CatalogDatabase {
  readonly oid: number;
  readonly name: string;
  readonly owner: string;
}

/** The state that a running cluster reports. */
export interface ClusterState {
  readonly roles: readonly CatalogRole[];
  readonly databases: readonly CatalogDatabase[];
  /** The end of the log. */
  readonly lsn: string;
  /** In bytes. */
  readonly size: number;
}

const hiddenRoles = [adminRole, privilegedRole];

/** Reads everything that the platform shows of a cluster, in one query. Objects of the platform itself are left out. */
export async function readState(admin: Admin): Promise<ClusterState> {
  const { rows } = await admin.query<{ state: ClusterState & { size: string } }>(
    `SELECT json_build_object(
       'roles', coalesce((SELECT json_agg(json_strip_nulls(json_build_object(
           'oid', oid::int8, 'name', rolname, 'verifier', rolpassword, 'login', rolcanlogin)) ORDER BY oid)
         FROM pg_authid WHERE rolname !~ '^pg_' AND NOT rolname = ANY ($1)), '[]'),
       'databases', coalesce((SELECT json_agg(json_build_object(
           'oid', oid::int8, 'name', datname, 'owner', pg_get_userbyid(datdba)) ORDER BY oid)
         FROM pg_database WHERE NOT datistemplate AND datname <> 'postgres'), '[]'),
       'lsn', CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END,
       'size', (SELECT sum(pg_database_size(oid)) FROM pg_database WHERE NOT datistemplate)) AS state`,
    [hiddenRoles],
  );
  const state = rows[0]?.state;
  if (!state) throw new Error("Postgres has returned no row");
  return { ...state, size: Number(state.size) };
}
