import type { Client } from "pg";

import type { SchemaTable } from "../../../api/schemas/branch";
import { isUserObject, isUserSchema } from "./catalog-sql";

const columnNames = (table: string, numbers: string): string =>
  `(SELECT json_agg(a.attname ORDER BY u.position) FROM unnest(${numbers}) WITH ORDINALITY u(number, position)
    JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = u.number)`;

const tablesQuery = `SELECT n.nspname AS schema, c.relname AS name,
  coalesce((SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'nullable', NOT a.attnotnull, 'generated', a.attgenerated <> '') ORDER BY a.attnum)
    FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped), '[]') AS columns,
  coalesce((SELECT json_agg(json_strip_nulls(json_build_object('name', k.conname,
      'type', CASE k.contype WHEN 'p' THEN 'primary_key' WHEN 'u' THEN 'unique' ELSE 'foreign_key' END,
      'columns', ${columnNames("k.conrelid", "k.conkey")},
      'referenced_table', (SELECT json_build_object('schema', fn.nspname, 'table', f.relname,
          'columns', ${columnNames("k.confrelid", "k.confkey")})
        FROM pg_class f JOIN pg_namespace fn ON fn.oid = f.relnamespace WHERE f.oid = k.confrelid))) ORDER BY k.contype DESC, k.conname)
    FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('p', 'u', 'f')), '[]') AS constraints
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't' AND ${isUserSchema} AND ${isUserObject("pg_class", "c.oid")}
  ORDER BY n.nspname, c.relname`;

/** Reads the tables of a database, in the form in which the API returns them. */
export async function tablesAsJson(session: Client): Promise<SchemaTable[]> {
  return (await session.query<SchemaTable>(tablesQuery)).rows;
}

const unprotectedQuery = `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND n.nspname = 'public' AND NOT c.relrowsecurity AND ${isUserObject("pg_class", "c.oid")}
  ORDER BY c.relname`;

/** The tables of the schema `public` that have no row-level security. */
export async function queryUnprotectedTables(session: Client): Promise<string[]> {
  return (await session.query<{ name: string }>(unprotectedQuery)).rows.map(({ name }) => name);
}
