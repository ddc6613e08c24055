import { escapeIdentifier, escapeLiteral } from "pg";

import type { DatabaseRow } from "../model/branches/database";
import type { RoleRow } from "../model/branches/role";
import { type CatalogDatabase, type CatalogRole, readState } from "../postgres/catalog";
import type { Postmaster } from "../postgres/postmaster";
import { privilegedRole, roleAttributes } from "../postgres/template-sql";
import { objectOfRow } from "./catalog-rows";

/** The roles and databases that a Postgres should have. */
export interface WantedCatalog {
  readonly roles: readonly RoleRow[];
  readonly databases: readonly DatabaseRow[];
  /** The operation that applies the rows. Objects whose deletion it carries out are dropped. */
  readonly operationId: string;
}

/**
 * Applies to Postgres the changes of rows since the platform last read the catalog. Objects that were made or changed in SQL
 * stay. A second call changes nothing.
 */
export async function applyRows(running: Postmaster, major: number, wanted: WantedCatalog): Promise<void> {
  const admin = await running.admin();
  const seen = await readState(admin);
  for (const row of wanted.roles.filter(isKept)) {
    for (const statement of roleStatements(major, row, objectOfRow(row, seen.roles))) await admin.query(statement);
  }
  for (const row of wanted.databases.filter(isKept)) {
    for (const statement of databaseStatements(major, row, objectOfRow(row, seen.databases)))
      await admin.query(statement);
  }
  const isDropped = (row: RoleRow | DatabaseRow): boolean =>
    row.deleted_at !== null && (row.deletion_id === null || row.deletion_id === wanted.operationId);
  for (const row of wanted.databases.filter(isDropped)) {
    const database = objectOfRow(row, seen.databases);
    if (database && !isNameKept(wanted.databases, database)) {
      await admin.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(database.name)} WITH (FORCE)`);
    }
  }
  for (const row of wanted.roles.filter(isDropped)) {
    const role = objectOfRow(row, seen.roles);
    if (role && !isNameKept(wanted.roles, role)) await dropRole(running, role.name);
  }
}

const isKept = (row: RoleRow | DatabaseRow): boolean => row.deleted_at === null;

/** Whether a kept row has the name, because the object was created again before the deletion was applied. */
function isNameKept(rows: readonly (RoleRow | DatabaseRow)[], { name }: { readonly name: string }): boolean {
  return rows.some((row) => isKept(row) && (row.catalog?.name ?? row.name) === name);
}

function roleStatements(major: number, row: RoleRow, role: CatalogRole | undefined): string[] {
  const name = escapeIdentifier(role?.name ?? row.name);
  const verifier = row.next_password ? row.next_password.verifier : row.verifier;
  const login = row.authentication_method !== "no_login";
  const password = verifier === undefined ? "NULL" : escapeLiteral(verifier);
  if (!role) {
    // The role was dropped in SQL.
    if (row.catalog !== undefined) return [];
    if (row.restricted === true) return [`CREATE ROLE ${name} NOLOGIN`];
    return [
      `CREATE ROLE ${name} ${login ? "LOGIN" : "NOLOGIN"} ${roleAttributes(major)} PASSWORD ${password}`,
      `GRANT ${privilegedRole} TO ${name} WITH ADMIN OPTION`,
    ];
  }
  const before = row.catalog;
  const setsPassword = verifier !== undefined && verifier !== before?.verifier && verifier !== role.verifier;
  const setsLogin = login !== (before?.login ?? !login) && login !== role.login;
  return [
    ...(setsPassword ? [`ALTER ROLE ${name} PASSWORD ${password}`] : []),
    ...(setsLogin ? [`ALTER ROLE ${name} ${login ? "LOGIN" : "NOLOGIN"}`] : []),
  ];
}

function databaseStatements(major: number, row: DatabaseRow, database: CatalogDatabase | undefined): string[] {
  const owner = escapeIdentifier(row.owner_name);
  if (!database) {
    if (row.catalog !== undefined) return [];
    // A copy of files writes little to the log, all of which is kept.
    const strategy = major >= 15 ? " STRATEGY FILE_COPY" : "";
    return [`CREATE DATABASE ${escapeIdentifier(row.name)} OWNER ${owner} TEMPLATE template0${strategy}`];
  }
  const before = row.catalog;
  const isRenamed = row.name !== before?.name && row.name !== database.name;
  const isGiven = row.owner_name !== before?.owner && row.owner_name !== database.owner;
  const now = escapeIdentifier(database.name);
  return [
    ...(isGiven ? [`ALTER DATABASE ${now} OWNER TO ${owner}`] : []),
    ...(isRenamed
      ? [
          // A database in use cannot be renamed.
          `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = ${escapeLiteral(database.name)}`,
          `ALTER DATABASE ${now} RENAME TO ${escapeIdentifier(row.name)}`,
        ]
      : []),
  ];
}

/** Drops a role with its privileges. Its objects in a database then belong to the owner of that database. */
async function dropRole(running: Postmaster, name: string): Promise<void> {
  const role = escapeIdentifier(name);
  const admin = await running.admin();
  await admin.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = ${escapeLiteral(name)}`,
  );
  const { rows } = await admin.query<{ name: string; owner: string }>(
    "SELECT datname AS name, pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datallowconn AND NOT datistemplate",
  );
  for (const database of rows) {
    const session = await running.connect(database.name);
    try {
      const heir = database.owner === name ? "CURRENT_USER" : escapeIdentifier(database.owner);
      await session.query(`REASSIGN OWNED BY ${role} TO ${heir}; DROP OWNED BY ${role} CASCADE`);
    } finally {
      await session.end();
    }
  }
  await admin.query(`DROP ROLE ${role}`);
}
