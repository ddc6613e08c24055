import { type Client, escapeIdentifier, type QueryConfig } from "pg";

import type { MaskingRule } from "../../api/schemas/masking";
import type { DatabaseRow } from "../model/branches/database";
import type { Postmaster } from "../postgres/postmaster";

/**
 * The functions of PostgreSQL Anonymizer that the published document names, in plain SQL, so that nobody has to install that
 * extension. Any other function is one of Postgres, or of the database.
 */
const functions = `
  CREATE SCHEMA IF NOT EXISTS anon;
  GRANT USAGE ON SCHEMA anon TO PUBLIC;
  CREATE OR REPLACE FUNCTION anon.random_string(length int) RETURNS text LANGUAGE sql VOLATILE AS
    $$ SELECT string_agg(chr(97 + floor(random() * 26)::int), '') FROM generate_series(1, length) $$;
  CREATE OR REPLACE FUNCTION anon.fake_email() RETURNS text LANGUAGE sql VOLATILE AS
    $$ SELECT anon.random_string(12) || '@example.com' $$;
  CREATE OR REPLACE FUNCTION anon.hash(value text) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT encode(sha256(convert_to(value, 'UTF8')), 'hex') $$;
`;

/**
 * Masks the data of a branch, each database in one transaction. The session belongs to the owner of the database, because clients
 * choose the text of the functions.
 */
export async function maskData(
  running: Postmaster,
  databases: readonly DatabaseRow[],
  rules: readonly MaskingRule[],
): Promise<void> {
  for (const { name, owner_name: owner } of databases) {
    const own = rules.filter(({ database_name }) => database_name === name);
    if (own.length === 0) continue;
    const admin = await running.connect(name);
    await within(admin, () => admin.query(functions));
    const session = await running.connect(name, owner);
    await within(session, async () => {
      await session.query("BEGIN");
      for (const rule of own) await session.query(statementOf(rule));
      await session.query("COMMIT");
    });
  }
}

async function within(session: Client, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } finally {
    await session.end();
  }
}

/** The statement of a rule. With a parameter, Postgres accepts a single statement only. */
function statementOf({
  schema_name,
  table_name,
  column_name,
  masking_function,
  masking_value,
}: MaskingRule): QueryConfig {
  const table = `${escapeIdentifier(schema_name)}.${escapeIdentifier(table_name)}`;
  const update = `UPDATE ${table} SET ${escapeIdentifier(column_name)} =`;
  return masking_function === undefined
    ? { text: `${update} $1`, values: [masking_value] }
    : { text: `${update} ${masking_function} WHERE $1::boolean`, values: [true] };
}
