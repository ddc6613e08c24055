import { type Client, escapeIdentifier, escapeLiteral } from "pg";

import { schemaKinds, type SchemaObject } from "./kinds";
import { inOrderOfNeeds, readNeeds } from "./order";
import { readPrivileges } from "./privileges";

const preamble = `--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

`;
const end = "--\n-- PostgreSQL database dump complete\n--\n";

interface TypedObject extends SchemaObject {
  readonly type: string;
  readonly isOwned: boolean;
  readonly rank: number;
}

/** A statement and the comment above it. */
interface Entry {
  readonly type: string;
  readonly schema: string | null;
  readonly name: string;
  readonly owner: string;
  readonly sql: string;
  /** The statement that sets the owner. */
  readonly ownership?: string;
}

/** Writes the schema of a database as SQL that recreates the schema in an empty database, in the form of `pg_dump --schema-only`. */
export async function schemaAsSql(session: Client): Promise<string> {
  const objects = await readObjects(session);
  const comments = await readComments(session);
  const sorted = inOrderOfNeeds(objects, await readNeeds(session, objects)) as TypedObject[];
  const entries: Entry[] = [
    ...sorted.flatMap((each) => [objectEntry(each), ...commentEntries(each, comments)]),
    ...(await readPrivileges(session)),
  ];
  return preamble + entries.map(textOf).join("") + (await missingObjects(session)) + end;
}

async function readObjects(session: Client): Promise<TypedObject[]> {
  const objects: TypedObject[] = [];
  let rank = 0;
  for (const { type, isOwned = false, sameRank = false, query } of schemaKinds) {
    if (!sameRank) rank += 1;
    const { rows } = await session.query<SchemaObject>(query);
    for (const row of rows) objects.push({ ...row, type, isOwned, rank });
  }
  const isBefore = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return objects.sort(
    (a, b) =>
      a.rank - b.rank || isBefore(a.schema ?? "", b.schema ?? "") || isBefore(a.name, b.name) || isBefore(a.sql, b.sql),
  );
}

function objectEntry({ type, isOwned, schema, name, owner, target, sql }: TypedObject): Entry {
  const ownership = isOwned && { ownership: `ALTER ${target} OWNER TO ${escapeIdentifier(owner)};` };
  return { type, schema, name, owner, sql, ...ownership };
}

interface Comment {
  readonly class: string;
  readonly oid: string;
  /** The column, quoted; null if the comment is on the whole object. */
  readonly column: string | null;
  readonly text: string;
  /** Whether the comment is on a check, which is part of the statement of its table or domain, and the name of that check. */
  readonly isCheck: boolean;
  readonly check: string;
}

async function readComments(session: Client): Promise<ReadonlyMap<string, Comment[]>> {
  const { rows } = await session.query<Comment>(
    `SELECT CASE WHEN k.oid IS NULL THEN d.classoid WHEN k.conrelid <> 0 THEN 'pg_class'::regclass::oid ELSE 'pg_type'::regclass::oid END::int8 AS class,
       coalesce(nullif(k.conrelid, 0), nullif(k.contypid, 0), d.objoid)::int8 AS oid, quote_ident(a.attname) AS column, d.description AS text,
       concat('CONSTRAINT ', quote_ident(k.conname), ' ON ', CASE WHEN k.conrelid <> 0 THEN k.conrelid::regclass::text ELSE 'DOMAIN ' || k.contypid::regtype END) AS check,
       k.oid IS NOT NULL AS "isCheck"
     FROM pg_description d LEFT JOIN pg_attribute a
       ON d.classoid = 'pg_class'::regclass AND a.attrelid = d.objoid AND a.attnum = d.objsubid AND d.objsubid > 0
     LEFT JOIN pg_constraint k ON d.classoid = 'pg_constraint'::regclass AND k.oid = d.objoid AND k.contype = 'c' AND (k.convalidated OR k.conrelid = 0)
     WHERE d.objoid >= 16384 OR d.classoid = 'pg_namespace'::regclass ORDER BY d.objsubid, k.conname`,
  );
  const comments = new Map<string, Comment[]>();
  for (const row of rows) {
    const key = `${row.class} ${row.oid}`;
    comments.set(key, [...(comments.get(key) ?? []), row]);
  }
  return comments;
}

function commentEntries(object: TypedObject, comments: ReadonlyMap<string, readonly Comment[]>): Entry[] {
  const { schema, target, owner } = object;
  return (comments.get(`${object.class} ${object.oid}`) ?? []).map(({ column, text, isCheck, check }) => {
    const whole = isCheck ? check : target;
    const what = column === null ? whole : `COLUMN ${target.slice(object.type.length + 1)}.${column}`;
    return { type: "COMMENT", schema, name: what, owner, sql: `COMMENT ON ${what} IS ${literal(text)};` };
  });
}

const literal = (text: string): string => escapeLiteral(text).trimStart();

function textOf({ type, schema, name, owner, sql, ownership }: Entry): string {
  // A name with a line break must not end the comment.
  const line = (text: string): string => text.replaceAll(/[\r\n]/g, " ");
  const header = `-- Name: ${line(name)}; Type: ${type}; Schema: ${line(schema ?? "-")}; Owner: ${line(owner)}`;
  return `--\n${header}\n--\n\n${sql}\n\n\n${ownership === undefined ? "" : `${ownership}\n\n`}`;
}

/** Catalogs whose objects have no statement here. */
const otherCatalogs = [
  "pg_cast",
  "pg_collation",
  "pg_conversion",
  "pg_event_trigger",
  "pg_foreign_data_wrapper",
  "pg_foreign_server",
  "pg_language",
  "pg_opclass",
  "pg_operator",
  "pg_opfamily",
  "pg_publication",
  "pg_subscription",
  "pg_transform",
  "pg_ts_config",
  "pg_ts_dict",
  "pg_ts_parser",
  "pg_ts_template",
];

/** Names the objects that have no statement here, so that nobody takes the text for complete. */
async function missingObjects(session: Client): Promise<string> {
  const others = otherCatalogs.map((catalog) => `SELECT '${catalog}'::regclass AS class, oid FROM ${catalog}`);
  const aggregates = "SELECT 'pg_proc'::regclass, oid FROM pg_proc WHERE prokind = 'a'";
  const tables =
    "SELECT 'pg_class'::regclass, oid FROM pg_class WHERE relkind = 'f' OR (relkind = 'r' AND reloftype <> 0)";
  const { rows } = await session.query<{ line: string }>(
    `SELECT concat(i.type, ' ', i.identity) AS line
     FROM (${[...others, aggregates, tables].join(" UNION ALL ")}) o CROSS JOIN LATERAL pg_identify_object(o.class, o.oid, 0) i
     WHERE o.oid >= 16384 AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = o.class AND e.objid = o.oid AND e.deptype IN ('e', 'i'))
     ORDER BY line`,
  );
  return rows.map(({ line }) => `-- Not included: ${line.replaceAll(/[\r\n]/g, " ")}\n\n`).join("");
}
