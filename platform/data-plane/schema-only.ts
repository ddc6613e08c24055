import { escapeIdentifier } from "pg";

import type { Postmaster } from "../postgres/postmaster";

interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly kind: "r" | "m" | "S";
}

/** Removes the rows of all tables, materialized views and large objects, and resets all sequences, in every database. */
export async function emptyTables(running: Postmaster): Promise<void> {
  const admin = await running.admin();
  const { rows: databases } = await admin.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE datallowconn AND NOT datistemplate",
  );
  for (const { name } of databases) {
    const session = await running.connect(name);
    try {
      const { rows } = await session.query<Relation>(
        `SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind IN ('r', 'm', 'S') AND c.relpersistence <> 't'
           AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
           AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')`,
      );
      const named = (kind: Relation["kind"]): string[] =>
        rows
          .filter((each) => each.kind === kind)
          .map((each) => `${escapeIdentifier(each.schema)}.${escapeIdentifier(each.name)}`);
      const tables = named("r");
      // Prevents triggers from firing.
      await session.query("SET session_replication_role = replica");
      if (tables.length > 0) await session.query(`TRUNCATE ${tables.join(", ")} CASCADE`);
      for (const view of named("m")) await session.query(`REFRESH MATERIALIZED VIEW ${view} WITH NO DATA`);
      for (const sequence of named("S")) await session.query(`ALTER SEQUENCE ${sequence} RESTART`);
      await session.query("SELECT lo_unlink(oid) FROM pg_largeobject_metadata");
    } finally {
      await session.end();
    }
  }
}
