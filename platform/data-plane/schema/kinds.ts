import {
  identity,
  isUntouchedPublic,
  isUserObject,
  isUserSchema,
  options,
  sequenceClauses,
  sequenceLimits,
} from "./catalog-sql";

/** An object of a database, or a part of one that has its own statement. */
export interface SchemaObject {
  /** The catalog and the `oid`. The key of a part is a word and the `oid` of the object to which the part belongs. */
  readonly key: string;
  /** The catalog and the `oid` in it, if it can have a comment. */
  readonly class: number | null;
  readonly oid: number | null;
  readonly schema: string | null;
  readonly name: string;
  readonly owner: string;
  /** The name of the object in `ALTER`, `COMMENT ON` and `GRANT`, such as `TABLE public.item`. */
  readonly target: string;
  /** The statement that creates it. */
  readonly sql: string;
  /** The keys of the objects that a part needs. The needs of other objects are in `pg_depend`. */
  readonly needs: readonly string[] | null;
}

/** A kind of objects, and the query that reads them. */
interface Kind {
  readonly type: string;
  /** Whether an object of this kind has an owner of its own. */
  readonly isOwned?: true;
  /** Whether this kind has the rank of the kind before it: kinds of one rank are sorted together. Default: the next rank. */
  readonly sameRank?: true;
  readonly query: string;
}

const typesIn = "FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace";
const isUserType = `${isUserSchema} AND ${isUserObject("pg_type", "t.oid")}`;
const typeColumns = (noun: string): string => `${identity("pg_type", "t.oid")}, n.nspname AS schema, t.typname AS name,
  pg_get_userbyid(t.typowner) AS owner, '${noun} ' || t.oid::regtype AS target, NULL::text[] AS needs`;

const classesIn = "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace";
const isUserClass = `${isUserSchema} AND ${isUserObject("pg_class", "c.oid")}`;
const classColumns = (
  noun: string,
): string => `${identity("pg_class", "c.oid")}, n.nspname AS schema, c.relname AS name,
  pg_get_userbyid(c.relowner) AS owner, '${noun} ' || c.oid::regclass AS target, NULL::text[] AS needs`;
/** The columns of a part of a relation, which has its own key. */
const partColumns = (
  word: string,
  name = "c.relname",
): string => `'${word}:' || c.oid AS key, NULL AS class, NULL AS oid,
  n.nspname AS schema, ${name} AS name, pg_get_userbyid(c.relowner) AS owner, '' AS target`;
/** The columns of an object that belongs to a relation. */
const memberColumns = (noun: string, catalog: string, oid: string, name: string): string =>
  `${identity(catalog, oid)}, n.nspname AS schema, concat(c.relname, ' ', ${name}) AS name,
  pg_get_userbyid(c.relowner) AS owner, format('${noun} %I ON %s', ${name}, c.oid::regclass) AS target, NULL::text[] AS needs`;

const routines = (noun: string, kinds: string): Kind => ({
  type: noun,
  isOwned: true,
  query: `SELECT ${identity("pg_proc", "p.oid")}, n.nspname AS schema,
      format('%s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) AS name,
      pg_get_userbyid(p.proowner) AS owner, '${noun} ' || p.oid::regprocedure AS target, NULL::text[] AS needs,
      regexp_replace(rtrim(pg_get_functiondef(p.oid), E'\\n'), '^CREATE OR REPLACE', 'CREATE') || ';' AS sql
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.prokind IN (${kinds}) AND NOT EXISTS (SELECT FROM pg_depend i
        WHERE i.classid = 'pg_proc'::regclass AND i.objid = p.oid AND i.deptype = 'i') AND ${isUserSchema} AND ${isUserObject("pg_proc", "p.oid")}`,
});

/**
 * The condition that a default, aliased `d`, needs a statement of its own, because its sequence can belong to the table and is
 * created after it.
 */
const needsSequence = `EXISTS (SELECT FROM pg_depend x JOIN pg_class s ON s.oid = x.refobjid
  WHERE x.classid = 'pg_attrdef'::regclass AND x.objid = d.oid AND x.refclassid = 'pg_class'::regclass AND s.relkind = 'S')`;

const columnLines = `SELECT a.attnum AS line, '' AS name,
    concat(quote_ident(a.attname), ' ', format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attcollation <> t.typcollation THEN ' COLLATE ' || a.attcollation::regcollation END,
      CASE WHEN a.attgenerated <> '' THEN format(' GENERATED ALWAYS AS (%s)', pg_get_expr(d.adbin, d.adrelid))
           WHEN d.oid IS NOT NULL AND NOT ${needsSequence} THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) END,
      CASE WHEN a.attgenerated = 's' THEN ' STORED' END,
      CASE WHEN a.attnotnull THEN ' NOT NULL' END) AS text
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND (a.attislocal OR c.relispartition)`;
const checkLines = `SELECT 2000, k.conname::text, format('CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid))
  FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.convalidated AND (k.conislocal OR c.relispartition)`;
/** The settings of columns that are not in their definitions. */
const columnSettings = `(SELECT string_agg(format(E'\\nALTER TABLE ONLY %s ALTER COLUMN %I SET %s;', c.oid::regclass, a.attname, setting), ''
    ORDER BY a.attnum, setting)
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid CROSS JOIN LATERAL (
    SELECT 'STORAGE ' || CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END
      WHERE a.attstorage <> t.typstorage
    UNION ALL SELECT 'STATISTICS ' || a.attstattarget WHERE a.attstattarget >= 0 AND c.relkind <> 'v'
    UNION ALL SELECT 'COMPRESSION ' || CASE a.attcompression WHEN 'l' THEN 'lz4' ELSE 'pglz' END WHERE a.attcompression <> ''
  ) settings(setting)
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND (a.attislocal OR c.relispartition))`;

const constraints = (type: string, condition: string, only: string): Kind => ({
  type,
  query: `SELECT ${memberColumns("CONSTRAINT", "pg_constraint", "k.oid", "k.conname")},
      concat(format(E'ALTER TABLE %s%s\\n    ADD CONSTRAINT %I %s;', ${only}, c.oid::regclass, k.conname, pg_get_constraintdef(k.oid)),
        (SELECT format(E'\\n\\nALTER TABLE ONLY %s REPLICA IDENTITY USING INDEX %I;', c.oid::regclass, k.conname)
          FROM pg_index i WHERE i.indexrelid = k.conindid AND i.indisreplident AND k.contype <> 'f')) AS sql
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${condition} AND ${isUserClass}`,
});

/** All kinds of objects, in the order in which they are created. */
export const schemaKinds: readonly Kind[] = [
  {
    type: "SCHEMA",
    isOwned: true,
    query: `SELECT ${identity("pg_namespace", "n.oid")}, NULL AS schema, n.nspname AS name, pg_get_userbyid(n.nspowner) AS owner,
        format('SCHEMA %I', n.nspname) AS target, NULL::text[] AS needs,
        CASE n.nspname WHEN 'public' THEN '-- Every new database has this schema.' ELSE format('CREATE SCHEMA %I;', n.nspname) END AS sql
      FROM pg_namespace n WHERE ${isUserSchema} AND NOT (${isUntouchedPublic})
        AND (n.nspname = 'public' OR ${isUserObject("pg_namespace", "n.oid")})`,
  },
  {
    type: "EXTENSION",
    query: `SELECT ${identity("pg_extension", "x.oid")}, NULL AS schema, x.extname AS name, '' AS owner,
        format('EXTENSION %I', x.extname) AS target, NULL::text[] AS needs,
        format('CREATE EXTENSION IF NOT EXISTS %I WITH SCHEMA %I;', x.extname, n.nspname) AS sql
      FROM pg_extension x JOIN pg_namespace n ON n.oid = x.extnamespace WHERE ${isUserObject("pg_extension", "x.oid")}`,
  },
  {
    type: "TYPE",
    isOwned: true,
    query: `SELECT ${typeColumns("TYPE")}, format(E'CREATE TYPE %s AS ENUM (%s\\n);', t.oid::regtype,
        (SELECT string_agg(format(E'\\n    %L', e.enumlabel), ',' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid)) AS sql
      ${typesIn} WHERE t.typtype = 'e' AND ${isUserType}
      UNION ALL SELECT ${typeColumns("TYPE")}, format(E'CREATE TYPE %s AS (%s\\n);', t.oid::regtype,
        (SELECT string_agg(format(E'\\n    %I %s%s', a.attname, format_type(a.atttypid, a.atttypmod),
            CASE WHEN a.attcollation <> b.typcollation THEN ' COLLATE ' || a.attcollation::regcollation END), ',' ORDER BY a.attnum)
          FROM pg_attribute a JOIN pg_type b ON b.oid = a.atttypid
          WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped)) AS sql
      ${typesIn} JOIN pg_class c ON c.oid = t.typrelid WHERE t.typtype = 'c' AND c.relkind = 'c' AND ${isUserType}
      UNION ALL SELECT ${typeColumns("TYPE")}, concat(format(E'CREATE TYPE %s AS RANGE (\\n    subtype = %s', t.oid::regtype, format_type(r.rngsubtype, NULL)),
        E',\\n    multirange_type_name = ' || r.rngmultitypid::regtype,
        (SELECT format(E',\\n    subtype_opclass = %I.%I', ns.nspname, o.opcname) FROM pg_opclass o JOIN pg_namespace ns ON ns.oid = o.opcnamespace
          WHERE o.oid = r.rngsubopc AND NOT o.opcdefault),
        (SELECT E',\\n    collation = ' || r.rngcollation::regcollation FROM pg_type b WHERE b.oid = r.rngsubtype AND b.typcollation <> r.rngcollation),
        CASE WHEN r.rngsubdiff <> 0 THEN E',\\n    subtype_diff = ' || r.rngsubdiff::regproc END, E'\\n);') AS sql
      ${typesIn} JOIN pg_range r ON r.rngtypid = t.oid WHERE ${isUserType}`,
  },
  {
    type: "DOMAIN",
    isOwned: true,
    sameRank: true,
    query: `SELECT ${typeColumns("DOMAIN")}, concat('CREATE DOMAIN ', t.oid::regtype, ' AS ', format_type(t.typbasetype, t.typtypmod),
        (SELECT ' COLLATE ' || t.typcollation::regcollation FROM pg_type b WHERE b.oid = t.typbasetype AND b.typcollation <> t.typcollation),
        CASE WHEN t.typnotnull THEN ' NOT NULL' END, ' DEFAULT ' || pg_get_expr(t.typdefaultbin, 'pg_type'::regclass),
        (SELECT string_agg(format(E'\\n    CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), '' ORDER BY k.conname)
          FROM pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c'), ';') AS sql
      ${typesIn} WHERE t.typtype = 'd' AND ${isUserType}`,
  },
  routines("FUNCTION", "'f', 'w'"),
  { ...routines("PROCEDURE", "'p'"), sameRank: true },
  {
    type: "TABLE",
    isOwned: true,
    query: `SELECT ${classColumns("TABLE")}, concat('CREATE ', CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED ' END, 'TABLE ', c.oid::regclass, ' (',
        (SELECT string_agg(E'\\n    ' || text, ',' ORDER BY line, name) FROM (${columnLines} UNION ALL ${checkLines}) parts), E'\\n)',
        CASE WHEN NOT c.relispartition THEN (SELECT format(E'\\nINHERITS (%s)', string_agg(h.inhparent::regclass::text, ', ' ORDER BY h.inhseqno))
          FROM pg_inherits h WHERE h.inhrelid = c.oid HAVING count(*) > 0) END,
        E'\\nPARTITION BY ' || pg_get_partkeydef(c.oid), E'\\nWITH (' || ${options} || ')', ';', ${columnSettings},
        CASE c.relreplident WHEN 'f' THEN format(E'\\n\\nALTER TABLE ONLY %s REPLICA IDENTITY FULL;', c.oid::regclass)
          WHEN 'n' THEN format(E'\\n\\nALTER TABLE ONLY %s REPLICA IDENTITY NOTHING;', c.oid::regclass) END,
        CASE WHEN c.relforcerowsecurity THEN format(E'\\n\\nALTER TABLE ONLY %s FORCE ROW LEVEL SECURITY;', c.oid::regclass) END) AS sql
      ${classesIn} WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't' AND c.reloftype = 0 AND ${isUserClass}`,
  },
  {
    type: "VIEW",
    isOwned: true,
    sameRank: true,
    query: `SELECT ${classColumns("VIEW")}, concat('CREATE VIEW ', c.oid::regclass, ' WITH (' || ${options} || ')', E' AS\\n',
        rtrim(pg_get_viewdef(c.oid), ';'), ';') AS sql
      ${classesIn} WHERE c.relkind = 'v' AND c.relpersistence <> 't' AND ${isUserClass}`,
  },
  {
    type: "MATERIALIZED VIEW",
    isOwned: true,
    sameRank: true,
    query: `SELECT ${classColumns("MATERIALIZED VIEW")}, concat('CREATE MATERIALIZED VIEW ', c.oid::regclass,
        E'\\nWITH (' || ${options} || ')', E' AS\\n', rtrim(pg_get_viewdef(c.oid), ';'), E'\\n  WITH NO DATA;') AS sql
      ${classesIn} WHERE c.relkind = 'm' AND ${isUserClass}`,
  },
  {
    type: "SEQUENCE",
    isOwned: true,
    sameRank: true,
    query: `SELECT ${classColumns("SEQUENCE")}, concat('CREATE ', CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED ' END, 'SEQUENCE ', c.oid::regclass,
        CASE WHEN s.seqtypid <> 'int8'::regtype THEN E'\\n    AS ' || s.seqtypid::regtype END, ${sequenceClauses}, ';') AS sql
      ${classesIn} JOIN pg_sequence s ON s.seqrelid = c.oid ${sequenceLimits}
      WHERE c.relpersistence <> 't' AND ${isUserClass} AND NOT EXISTS (SELECT FROM pg_depend i
        WHERE i.classid = 'pg_class'::regclass AND i.objid = c.oid AND i.deptype = 'i' AND i.refclassid = 'pg_class'::regclass)`,
  },
  {
    type: "SEQUENCE",
    sameRank: true,
    query: `SELECT ${classColumns("SEQUENCE")}, concat(format(E'ALTER TABLE %s ALTER COLUMN %I ADD GENERATED %s AS IDENTITY (\\n    SEQUENCE NAME %s',
          i.refobjid::regclass, a.attname, CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, c.oid::regclass),
        ${sequenceClauses}, E'\\n);') AS sql
      ${classesIn} JOIN pg_sequence s ON s.seqrelid = c.oid ${sequenceLimits}
      JOIN pg_depend i ON i.classid = 'pg_class'::regclass AND i.objid = c.oid AND i.deptype = 'i' AND i.refclassid = 'pg_class'::regclass
      JOIN pg_attribute a ON a.attrelid = i.refobjid AND a.attnum = i.refobjsubid
      WHERE c.relpersistence <> 't' AND ${isUserClass}`,
  },
  {
    type: "SEQUENCE OWNED BY",
    sameRank: true,
    query: `SELECT ${partColumns("owned by")}, ARRAY['pg_class:' || c.oid, 'pg_class:' || i.refobjid] AS needs,
        format('ALTER SEQUENCE %s OWNED BY %s.%I;', c.oid::regclass, i.refobjid::regclass, a.attname) AS sql
      ${classesIn} JOIN pg_depend i ON i.classid = 'pg_class'::regclass AND i.objid = c.oid AND i.deptype = 'a' AND i.refclassid = 'pg_class'::regclass
      JOIN pg_attribute a ON a.attrelid = i.refobjid AND a.attnum = i.refobjsubid
      WHERE c.relkind = 'S' AND c.relpersistence <> 't' AND ${isUserClass}`,
  },
  {
    type: "TABLE ATTACH",
    query: `SELECT ${partColumns("attach")}, ARRAY['pg_class:' || c.oid, 'pg_class:' || h.inhparent] AS needs,
        format('ALTER TABLE ONLY %s ATTACH PARTITION %s %s;', h.inhparent::regclass, c.oid::regclass, pg_get_expr(c.relpartbound, c.oid)) AS sql
      ${classesIn} JOIN pg_inherits h ON h.inhrelid = c.oid WHERE c.relispartition AND c.relkind IN ('r', 'p') AND ${isUserClass}`,
  },
  {
    type: "DEFAULT",
    query: `SELECT 'pg_attrdef:' || d.oid AS key, NULL AS class, NULL AS oid, n.nspname AS schema, concat(c.relname, ' ', a.attname) AS name,
        pg_get_userbyid(c.relowner) AS owner, '' AS target, ARRAY['pg_class:' || c.oid] AS needs,
        format('ALTER TABLE ONLY %s ALTER COLUMN %I SET DEFAULT %s;', c.oid::regclass, a.attname, pg_get_expr(d.adbin, d.adrelid)) AS sql
      ${classesIn} JOIN pg_attrdef d ON d.adrelid = c.oid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.adnum
      WHERE c.relpersistence <> 't' AND ${isUserClass} AND (${needsSequence} AND a.attgenerated = '' OR c.relkind = 'v')`,
  },
  constraints(
    "CHECK CONSTRAINT",
    "k.contype = 'c' AND NOT k.convalidated AND (k.conislocal OR c.relispartition)",
    "''",
  ),
  constraints("CONSTRAINT", "k.contype IN ('p', 'u', 'x')", "'ONLY '"),
  {
    type: "INDEX",
    query: `SELECT ${classColumns("INDEX")}, concat(pg_get_indexdef(c.oid), ';',
        (SELECT string_agg(format(E'\\n\\nALTER INDEX %s ALTER COLUMN %s SET STATISTICS %s;', c.oid::regclass, a.attnum, a.attstattarget), '' ORDER BY a.attnum)
          FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attstattarget >= 0),
        CASE WHEN i.indisclustered THEN format(E'\\n\\nALTER TABLE %s CLUSTER ON %I;', i.indrelid::regclass, c.relname) END,
        CASE WHEN i.indisreplident THEN format(E'\\n\\nALTER TABLE ONLY %s REPLICA IDENTITY USING INDEX %I;', i.indrelid::regclass, c.relname) END) AS sql
      ${classesIn} JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_class o ON o.oid = i.indrelid
      WHERE (i.indisvalid OR c.relkind = 'I') AND o.relpersistence <> 't' AND ${isUserClass}
        AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid AND k.contype IN ('p', 'u', 'x'))`,
  },
  {
    type: "INDEX ATTACH",
    query: `SELECT ${partColumns("attach")}, ARRAY(SELECT coalesce('pg_constraint:' || k.oid, 'pg_class:' || each)
          FROM unnest(ARRAY[c.oid, h.inhparent]) each
          LEFT JOIN pg_constraint k ON k.conindid = each AND k.contype IN ('p', 'u', 'x')) || ('attach:' || i.indrelid) AS needs,
        format('ALTER INDEX %s ATTACH PARTITION %s;', h.inhparent::regclass, c.oid::regclass) AS sql
      ${classesIn} JOIN pg_inherits h ON h.inhrelid = c.oid JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relkind IN ('i', 'I') AND ${isUserClass}`,
  },
  {
    type: "STATISTICS",
    isOwned: true,
    query: `SELECT ${identity("pg_statistic_ext", "s.oid")}, n.nspname AS schema, s.stxname AS name, pg_get_userbyid(s.stxowner) AS owner,
        format('STATISTICS %I.%I', n.nspname, s.stxname) AS target, NULL::text[] AS needs, pg_get_statisticsobjdef(s.oid) || ';' AS sql
      FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = s.stxnamespace WHERE ${isUserSchema} AND ${isUserObject("pg_statistic_ext", "s.oid")}`,
  },
  {
    type: "RULE",
    query: `SELECT ${memberColumns("RULE", "pg_rewrite", "r.oid", "r.rulename")}, concat(pg_get_ruledef(r.oid),
        CASE r.ev_enabled WHEN 'D' THEN format(E'\\nALTER TABLE %s DISABLE RULE %I;', c.oid::regclass, r.rulename) END) AS sql
      ${classesIn} JOIN pg_rewrite r ON r.ev_class = c.oid WHERE r.rulename <> '_RETURN' AND ${isUserClass}`,
  },
  {
    type: "TRIGGER",
    query: `SELECT ${memberColumns("TRIGGER", "pg_trigger", "t.oid", "t.tgname")}, concat(pg_get_triggerdef(t.oid), ';',
        CASE WHEN t.tgenabled <> 'O' THEN format(E'\\n\\nALTER TABLE %s %s TRIGGER %I;', c.oid::regclass,
          CASE t.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, t.tgname) END) AS sql
      ${classesIn} JOIN pg_trigger t ON t.tgrelid = c.oid WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND ${isUserClass}`,
  },
  constraints(
    "FK CONSTRAINT",
    "k.contype = 'f' AND k.conparentid = 0",
    "CASE c.relkind WHEN 'p' THEN '' ELSE 'ONLY ' END",
  ),
  {
    type: "ROW SECURITY",
    query: `SELECT ${partColumns("row security")}, ARRAY['pg_class:' || c.oid] AS needs,
        format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY;', c.oid::regclass) AS sql
      ${classesIn} WHERE c.relrowsecurity AND c.relpersistence <> 't' AND ${isUserClass}`,
  },
  {
    type: "POLICY",
    query: `SELECT ${memberColumns("POLICY", "pg_policy", "p.oid", "p.polname")}, concat(format('CREATE POLICY %I ON %s', p.polname, c.oid::regclass),
        CASE WHEN NOT p.polpermissive THEN ' AS RESTRICTIVE' END,
        CASE p.polcmd WHEN 'r' THEN ' FOR SELECT' WHEN 'a' THEN ' FOR INSERT' WHEN 'w' THEN ' FOR UPDATE' WHEN 'd' THEN ' FOR DELETE' END,
        CASE WHEN p.polroles <> '{0}' THEN (SELECT ' TO ' || string_agg(quote_ident(r.rolname), ', ' ORDER BY r.rolname)
          FROM pg_roles r WHERE r.oid = ANY (p.polroles)) END,
        ' USING (' || pg_get_expr(p.polqual, c.oid) || ')', ' WITH CHECK (' || pg_get_expr(p.polwithcheck, c.oid) || ')', ';') AS sql
      ${classesIn} JOIN pg_policy p ON p.polrelid = c.oid WHERE ${isUserClass}`,
  },
];
