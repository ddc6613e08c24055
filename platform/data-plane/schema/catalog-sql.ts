/** The first `oid` of an object that a user has created. */
const firstUserOid = 16384;

/** The condition that an object was created by a user, and not by an extension. */
export const isUserObject = (catalog: string, oid: string): string =>
  `${oid} >= ${firstUserOid} AND NOT EXISTS (SELECT FROM pg_depend e
    WHERE e.classid = '${catalog}'::regclass AND e.objid = ${oid} AND e.deptype = 'e')`;

/** The condition that a schema, aliased `n`, is not one of Postgres itself. */
export const isUserSchema = "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'";

/** The condition that a schema, aliased `n`, is `public` with its first owner: up to Postgres 14, the superuser of the cluster. */
export const isUntouchedPublic = "n.nspname = 'public' AND n.nspowner IN (10, 'pg_database_owner'::regrole)";

/** The columns that every query of {@link kinds} has, for an object of a catalog. */
export const identity = (catalog: string, oid: string): string =>
  `'${catalog}:' || ${oid} AS key, '${catalog}'::regclass::oid::int8 AS class, ${oid}::int8 AS oid`;

/** The storage options of a relation aliased `c`, as they stand in parentheses. */
export const options =
  "(SELECT string_agg(format('%I=%L', split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)), ', ') FROM unnest(c.reloptions) o)";

/** The clauses of a sequence, aliased `s`, without those that are the default of its type. */
export const sequenceClauses = `concat(
  E'\\n    START WITH ', s.seqstart, E'\\n    INCREMENT BY ', s.seqincrement,
  CASE WHEN s.seqmin = CASE WHEN s.seqincrement > 0 THEN 1 ELSE limits.lowest END
    THEN E'\\n    NO MINVALUE' ELSE E'\\n    MINVALUE ' || s.seqmin END,
  CASE WHEN s.seqmax = CASE WHEN s.seqincrement > 0 THEN limits.highest ELSE -1 END
    THEN E'\\n    NO MAXVALUE' ELSE E'\\n    MAXVALUE ' || s.seqmax END,
  E'\\n    CACHE ', s.seqcache, CASE WHEN s.seqcycle THEN E'\\n    CYCLE' ELSE '' END)`;

/** The range of the type of a sequence. */
export const sequenceLimits = `CROSS JOIN LATERAL (SELECT
  -(2::numeric ^ (t.typlen * 8 - 1))::numeric(20) AS lowest, (2::numeric ^ (t.typlen * 8 - 1) - 1)::numeric(20) AS highest
  FROM pg_type t WHERE t.oid = s.seqtypid) limits`;
