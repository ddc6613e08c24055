// Generated from api/lookups/branch-schema.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A column of a table. */
export interface SchemaColumn {
  /** Name of the column. */
  readonly name: string;
  /** Postgres type, such as `bigint`. */
  readonly type: string;
  /** Whether the column accepts NULL. */
  readonly nullable?: boolean;
  /** Whether the column is generated from other columns. */
  readonly generated?: boolean;
}

/** The table that a foreign key references. */
export interface SchemaReference {
  /** Postgres schema of the table. */
  readonly schema: string;
  /** Name of the table. */
  readonly table: string;
  /** Referenced columns. */
  readonly columns: string[];
}

/** A constraint of a table. */
export interface SchemaConstraint {
  /** `primary_key`, `unique` or `foreign_key`. Newer versions of the API can return other values. */
  readonly type: string;
  /** Constrained columns. */
  readonly columns: string[];
  /** Name of the constraint, if it has one. */
  readonly name?: string;
  /** Table that a foreign key references. */
  readonly referencedTable?: SchemaReference;
}

/** A table of a database. */
export interface SchemaTable {
  /** Postgres schema of the table, such as `public`. */
  readonly schema: string;
  /** Name of the table. */
  readonly name: string;
  /** Columns of the table. */
  readonly columns: SchemaColumn[];
  /** Constraints of the table, if Neon returns them. */
  readonly constraints?: SchemaConstraint[];
}

/** The schema of a database, in the requested format. */
export interface BranchSchemaResult {
  /** SQL that creates the schema. Set if `format` is `sql`. */
  readonly sql?: string;
  /** Tables of the database. Set if `format` is `json`. */
  readonly tables?: SchemaTable[];
}

/** The difference between two schemas. */
export interface CompareSchemaResult {
  /** Difference in the format of `diff -u`, from the base branch to the branch. Empty if the schemas are equal. */
  readonly diff: string;
}

/** Arguments of `getBranchSchema`. */
export interface GetBranchSchemaArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
  /** Name of the database. */
  readonly databaseName: string;
  /**
   * Log sequence number of the branch to read at, such as `0/1DE2850`. Conflicts with `timestamp`. Default: the latest.
   */
  readonly lsn?: string;
  /** Time to read the branch at, such as `2030-01-31T12:00:00Z`. Conflicts with `lsn`. Default: now. */
  readonly timestamp?: string;
  /** `sql` returns the member `sql`, `json` the member `tables`. Default: `sql`. */
  readonly format?: "sql" | "json";
}

const getBranchSchemaSource = dataSource<GetBranchSchemaArgs, BranchSchemaResult>("getBranchSchema");

/**
 * Reads the schema of a database, now or at a point in the branch's history.
 *
 * Fails if the branch or the database does not exist.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/schema`.
 *
 * @example
 * ```ts
 * export const tables = neon.getBranchSchemaOutput({
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   databaseName: "neondb",
 * }).sql;
 * ```
 */
export function getBranchSchema(args: GetBranchSchemaArgs, options?: LookupOptions) {
  return getBranchSchemaSource.invoke(args, options);
}

/** Output form of {@link getBranchSchema}: the arguments can be outputs. */
export function getBranchSchemaOutput(args: Inputs<GetBranchSchemaArgs>, options?: LookupOptions) {
  return getBranchSchemaSource.output(args, options);
}

/** Arguments of `compareSchema`. */
export interface CompareSchemaArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
  /** Name of the database. It must exist on both branches. */
  readonly databaseName: string;
  /**
   * Log sequence number of the branch to read at, such as `0/1DE2850`. Conflicts with `timestamp`. Default: the latest.
   */
  readonly lsn?: string;
  /** Time to read the branch at, such as `2030-01-31T12:00:00Z`. Conflicts with `lsn`. Default: now. */
  readonly timestamp?: string;
  /** Branch to compare with. Required if the branch has no parent. Default: the parent. */
  readonly baseBranchId?: string;
  /** Log sequence number of the base branch to read at. Conflicts with `baseTimestamp`. Default: the latest. */
  readonly baseLsn?: string;
  /** Time to read the base branch at. Conflicts with `baseLsn`. Default: now. */
  readonly baseTimestamp?: string;
}

const compareSchemaSource = dataSource<CompareSchemaArgs, CompareSchemaResult>("compareSchema");

/**
 * Compares the schema of a database on two branches.
 *
 * Fails if the database does not exist on both branches.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/compare_schema`.
 *
 * @example
 * ```ts
 * export const changes = neon.compareSchemaOutput({
 *   projectId: project.id,
 *   branchId: staging.branchId,
 *   databaseName: "neondb",
 * }).diff;
 * ```
 */
export function compareSchema(args: CompareSchemaArgs, options?: LookupOptions) {
  return compareSchemaSource.invoke(args, options);
}

/** Output form of {@link compareSchema}: the arguments can be outputs. */
export function compareSchemaOutput(args: Inputs<CompareSchemaArgs>, options?: LookupOptions) {
  return compareSchemaSource.output(args, options);
}
