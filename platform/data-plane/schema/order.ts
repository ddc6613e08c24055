import type { Client } from "pg";

import type { SchemaObject } from "./kinds";

/** The keys of the objects that each object needs, by its key. */
export type Needs = ReadonlyMap<string, readonly string[]>;

/**
 * The parts of objects for which the catalogs record dependencies, with their objects: the row type of a table, the rule of a
 * view, the expression of a default, a check, an array type, a multirange, the relation behind a composite type.
 */
const partsQuery = `
  SELECT 'pg_type:' || oid AS part, 'pg_class:' || typrelid AS whole FROM pg_type WHERE typrelid <> 0
  UNION ALL SELECT 'pg_class:' || typrelid, 'pg_type:' || oid FROM pg_type WHERE typrelid <> 0
  UNION ALL SELECT 'pg_type:' || typarray, 'pg_type:' || oid FROM pg_type WHERE typarray <> 0
  UNION ALL SELECT 'pg_type:' || rngmultitypid, 'pg_type:' || rngtypid FROM pg_range
  UNION ALL SELECT 'pg_rewrite:' || oid, 'pg_class:' || ev_class FROM pg_rewrite
  UNION ALL SELECT 'pg_attrdef:' || oid, 'pg_class:' || adrelid FROM pg_attrdef
  UNION ALL SELECT 'pg_constraint:' || oid, 'pg_class:' || conrelid FROM pg_constraint WHERE conrelid <> 0 AND contype = 'c'
  UNION ALL SELECT 'pg_constraint:' || oid, 'pg_type:' || contypid FROM pg_constraint WHERE contypid <> 0
  UNION ALL SELECT 'pg_class:' || conindid, 'pg_constraint:' || oid FROM pg_constraint WHERE contype IN ('p', 'u', 'x')`;

const dependenciesQuery = `SELECT DISTINCT classid::regclass || ':' || objid AS from, refclassid::regclass || ':' || refobjid AS to
  FROM pg_depend WHERE deptype <> 'e' AND refobjid >= 16384`;

/** Reads the needs of objects, as keys of objects that have statements. */
export async function readNeeds(session: Client, objects: readonly SchemaObject[]): Promise<Needs> {
  const keys = new Set(objects.map(({ key }) => key));
  const { rows: parts } = await session.query<{ part: string; whole: string }>(partsQuery);
  const wholes = new Map(parts.filter(({ part }) => !keys.has(part)).map(({ part, whole }) => [part, whole]));
  const resolved = (key: string): string => {
    const whole = keys.has(key) ? undefined : wholes.get(key);
    return whole === undefined ? key : keys.has(whole) ? whole : (wholes.get(whole) ?? key);
  };
  const needs = new Map(objects.map(({ key, needs: known }) => [key, (known ?? []).map(resolved)]));
  const { rows: dependencies } = await session.query<{ from: string; to: string }>(dependenciesQuery);
  for (const { from, to } of dependencies) needs.get(resolved(from))?.push(resolved(to));
  return needs;
}

/**
 * Sorts objects after those that they need, and keeps the order otherwise. Objects that need each other stay in order; Postgres
 * allows that in the bodies of functions only.
 */
export function inOrderOfNeeds(objects: readonly SchemaObject[], needs: Needs): SchemaObject[] {
  const rank = new Map(objects.map((each, index) => [each.key, { each, index }]));
  const done = new Set<string>();
  const result: SchemaObject[] = [];
  const add = ({ each }: { readonly each: SchemaObject }): void => {
    if (done.has(each.key)) return;
    done.add(each.key);
    const needed = (needs.get(each.key) ?? []).flatMap((key) => rank.get(key) ?? []);
    for (const other of needed.sort((a, b) => a.index - b.index)) add(other);
    result.push(each);
  };
  for (const entry of rank.values()) add(entry);
  return result;
}
