import type { Client } from "pg";

import { isUserObject, isUserSchema } from "./catalog-sql";

interface Privilege {
  /** Quoted, or `PUBLIC`. */
  readonly grantee: string;
  readonly privilege: string;
  readonly grantable: boolean;
}

/** The privileges of an object: those at its creation, and those that it has now. */
interface AccessList {
  readonly schema: string | null;
  readonly name: string;
  readonly owner: string;
  /** The text before `GRANT`. */
  readonly prefix: string;
  /** The target of the privileges, such as `TABLE public.item`. */
  readonly target: string;
  /** The column, quoted; null if the privileges are on the whole object. */
  readonly column: string | null;
  /** All privileges that an object of its type has. */
  readonly all: readonly Privilege[];
  readonly before: readonly Privilege[];
  readonly now: readonly Privilege[];
}

/** A header and the statements below it. */
export interface PrivilegeStatements extends Pick<AccessList, "schema" | "name" | "owner"> {
  readonly type: "ACL" | "DEFAULT ACL";
  readonly sql: string;
}

const exploded = (list: string): string =>
  `coalesce((SELECT json_agg(json_build_object('grantee', CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END,
    'privilege', x.privilege_type, 'grantable', x.is_grantable)) FROM aclexplode(${list}) x), '[]')`;

const objectsQuery = `
  SELECT schema, target AS name, pg_get_userbyid(owner) AS owner, '' AS prefix, target, "column",
    ${exploded(`acldefault(CASE kind WHEN 'c' THEN 'r' ELSE kind END::"char", owner)`)} AS all,
    ${exploded(`coalesce(initial, acldefault(kind::"char", owner))`)} AS before, ${exploded("acl")} AS now
  FROM (
    SELECT 1 AS rank, NULL AS schema, format('SCHEMA %I', n.nspname) AS target, NULL AS "column", 'n' AS kind, n.nspowner AS owner, n.nspacl AS acl,
      (SELECT p.initprivs FROM pg_init_privs p WHERE p.classoid = 'pg_namespace'::regclass AND p.objoid = n.oid) AS initial
    FROM pg_namespace n WHERE ${isUserSchema} AND (n.nspname = 'public' OR ${isUserObject("pg_namespace", "n.oid")})
    UNION ALL SELECT 2, n.nspname, 'TYPE ' || t.oid::regtype, NULL, 'T', t.typowner, t.typacl, NULL
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE ${isUserSchema} AND ${isUserObject("pg_type", "t.oid")}
    UNION ALL SELECT 3, n.nspname, CASE p.prokind WHEN 'p' THEN 'PROCEDURE ' ELSE 'FUNCTION ' END || p.oid::regprocedure, NULL, 'f', p.proowner, p.proacl, NULL
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.prokind <> 'a' AND ${isUserSchema} AND ${isUserObject("pg_proc", "p.oid")}
    UNION ALL SELECT 4, n.nspname, CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || c.oid::regclass, NULL,
      CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END, c.relowner, c.relacl, NULL
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S') AND c.relpersistence <> 't' AND ${isUserSchema} AND ${isUserObject("pg_class", "c.oid")}
    UNION ALL SELECT 5, n.nspname, 'TABLE ' || c.oid::regclass, quote_ident(a.attname), 'c', c.relowner, a.attacl, NULL
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relpersistence <> 't' AND NOT a.attisdropped AND ${isUserSchema} AND ${isUserObject("pg_class", "c.oid")}
  ) objects WHERE acl IS NOT NULL ORDER BY rank, target, "column"`;

const defaultsQuery = `
  SELECT n.nspname AS schema, format('DEFAULT PRIVILEGES FOR %s', noun) AS name, pg_get_userbyid(d.defaclrole) AS owner,
    concat('ALTER DEFAULT PRIVILEGES FOR ROLE ', quote_ident(pg_get_userbyid(d.defaclrole)), ' IN SCHEMA ' || quote_ident(n.nspname), ' ') AS prefix,
    noun AS target, NULL AS "column", ${exploded("acldefault(kind, d.defaclrole)")} AS all,
    CASE WHEN n.oid IS NULL THEN ${exploded("acldefault(kind, d.defaclrole)")} ELSE '[]' END AS before, ${exploded("d.defaclacl")} AS now
  FROM pg_default_acl d LEFT JOIN pg_namespace n ON n.oid = d.defaclnamespace
  CROSS JOIN LATERAL (SELECT CASE d.defaclobjtype WHEN 'S' THEN 's' ELSE d.defaclobjtype END::"char" AS kind,
    CASE d.defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES' WHEN 'f' THEN 'FUNCTIONS' WHEN 'T' THEN 'TYPES'
      WHEN 'n' THEN 'SCHEMAS' ELSE 'LARGE OBJECTS' END AS noun) names
  ORDER BY schema, noun, owner`;

/** Reads the privileges on the objects of a database, and on those that are created later. */
export async function readPrivileges(session: Client): Promise<PrivilegeStatements[]> {
  const result: PrivilegeStatements[] = [];
  for (const [type, query] of [
    ["ACL", objectsQuery],
    ["DEFAULT ACL", defaultsQuery],
  ] as const) {
    const { rows } = await session.query<AccessList>(query);
    for (const row of rows) {
      const { schema, name, owner } = row;
      const lines = changes(row);
      const title = row.column === null ? name : `${name}.${row.column}`;
      if (lines.length > 0) result.push({ type, schema, name: title, owner, sql: lines.join("\n") });
    }
  }
  return result;
}

function changes({ prefix, target, column, all, before, now }: AccessList): string[] {
  const list = (privileges: readonly Privilege[]): string => {
    const isAll = all.every((each) => privileges.some(({ privilege }) => privilege === each.privilege));
    if (isAll) return column === null ? "ALL" : `ALL(${column})`;
    return privileges.map(({ privilege }) => (column === null ? privilege : `${privilege}(${column})`)).join(",");
  };
  const isIn = (others: readonly Privilege[], { grantee, privilege, grantable }: Privilege): boolean =>
    others.some((each) => each.grantee === grantee && each.privilege === privilege && each.grantable === grantable);
  const statements = (privileges: readonly Privilege[], write: (what: string, grantee: string) => string): string[] =>
    [...new Set(privileges.map(({ grantee }) => grantee))].sort().map((grantee) => {
      const those = privileges.filter((each) => each.grantee === grantee);
      return prefix + write(list(those), grantee);
    });
  const granted = now.filter((each) => !isIn(before, each));
  return [
    ...statements(
      before.filter((each) => !isIn(now, each)),
      (what, grantee) => `REVOKE ${what} ON ${target} FROM ${grantee};`,
    ),
    ...statements(
      granted.filter(({ grantable }) => !grantable),
      (what, grantee) => `GRANT ${what} ON ${target} TO ${grantee};`,
    ),
    ...statements(
      granted.filter(({ grantable }) => grantable),
      (what, grantee) => `GRANT ${what} ON ${target} TO ${grantee} WITH GRANT OPTION;`,
    ),
  ];
}
