import { escapeIdentifier } from "pg";

import { authenticatedRole } from "../model/branches/token-roles";
import type { DatabaseRow } from "../model/branches/database";
import type { Postmaster } from "../postgres/postmaster";

/** Whether a database still lacks the grants of its Data API. */
export function needsGrants({ deleted_at, data_api }: DatabaseRow): boolean {
  return deleted_at === null && data_api?.grants === "pending";
}

/**
 * Lets clients with a token use the tables in the schema `public`, and those that the owner of the database creates there later.
 */
export async function grantDefaults(running: Postmaster, { name, owner_name }: DatabaseRow): Promise<void> {
  const [role, owner] = [escapeIdentifier(authenticatedRole), escapeIdentifier(owner_name)];
  const session = await running.connect(name);
  try {
    await session.query(`GRANT USAGE ON SCHEMA public TO ${role}`);
    await session.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    await session.query(`ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA public GRANT ALL ON TABLES TO ${role}`);
  } finally {
    await session.end();
  }
}

/** The row after the grants were made. */
export function granted(row: DatabaseRow): DatabaseRow {
  return row.data_api === undefined ? row : { ...row, data_api: { ...row.data_api, grants: "made" } };
}
