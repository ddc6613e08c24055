import * as pulumi from "@pulumi/pulumi";

import { branches, type SchemaTable as WireTable } from "../../api/schemas/branch";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { assertNeeded } from "../required-arguments";
import { failure } from "../run-error";

/** A column of a table. */
export interface SchemaColumn {
  /** The column's name. */
  readonly name: string;
  /** Its type, as Postgres writes it. */
  readonly type: string;
  /** Whether it takes NULL. */
  readonly nullable?: boolean;
  /** Whether it is computed from other columns. */
  readonly generated?: boolean;
}

/** A table that a foreign key refers to. */
export interface SchemaReference {
  /** The Postgres schema that it is in. */
  readonly schema: string;
  /** The table's name. */
  readonly table: string;
  /** The columns that are referred to. */
  readonly columns: readonly string[];
}

/** A constraint on a table. */
export interface SchemaConstraint {
  /** `primary_key`, `unique`, `foreign_key`, or what a newer platform says. */
  readonly type: string;
  /** The columns that it is on. */
  readonly columns: readonly string[];
  /** Its name, if it has one. */
  readonly name?: string;
  /** What a foreign key refers to. */
  readonly referencedTable?: SchemaReference;
}

/** A table of a database. */
export interface SchemaTable {
  /** The Postgres schema that it is in, such as `public`. */
  readonly schema: string;
  /** The table's name. */
  readonly name: string;
  /** Its columns. */
  readonly columns: readonly SchemaColumn[];
  /** Its constraints, as far as the platform tells them. */
  readonly constraints?: readonly SchemaConstraint[];
}

/** The schema of a database, in the format that was asked for. */
export interface BranchSchemaResult {
  /** As SQL that makes it. */
  readonly sql?: string;
  /** As tables. */
  readonly tables?: readonly SchemaTable[];
}

/** Of which database the schema is asked, and of when. */
export interface GetBranchSchemaArgs {
  /** The project that the branch belongs to. */
  readonly projectId: string;
  /** The branch that the database is on. */
  readonly branchId: string;
  /** The database. */
  readonly databaseName: string;
  /** Which place in the branch's log to look at, such as `0/1DE2850`. Default: its end. Not with `timestamp`. */
  readonly lsn?: string;
  /** Which moment to look at, such as `2030-01-31T12:00:00Z`. Default: now. Not with `lsn`. */
  readonly timestamp?: string;
  /** `sql` for the result's `sql`, `json` for its `tables`. Default: `sql`. */
  readonly format?: "sql" | "json";
}

/**
 * The schema of a database, now or at some point of its branch's history. Fails if there is no such branch or database.
 *
 * @example
 * ```ts
 * const { sql } = await neon.getBranchSchema({
 *   projectId: "spring-example-302709",
 *   branchId: "br-wispy-meadow-118737",
 *   databaseName: "shop",
 * });
 * ```
 */
export function getBranchSchema(args: GetBranchSchemaArgs, options?: LookupOptions): Promise<BranchSchemaResult> {
  return look(options, async ({ client }) => {
    assertNeeded("getBranchSchema", args, "projectId", "branchId", "databaseName");
    const { projectId, branchId, databaseName, lsn, timestamp, format = "sql" } = args;
    assertOnePoint("getBranchSchema", "lsn", lsn, "timestamp", timestamp);
    const query = { db_name: databaseName, lsn, timestamp, format };
    const { sql, json } = await client.send(branches.schema(projectId, branchId, query));
    if (format === "json" && json !== undefined) return { tables: json.tables.map(tableResult) };
    if (format === "sql" && sql !== undefined) return { sql };
    throw failure(`The platform answered no schema of the database "${databaseName}" as ${format}.`);
  });
}

/** {@link getBranchSchema} for arguments that are outputs. */
export function getBranchSchemaOutput(
  args: Inputs<GetBranchSchemaArgs>,
  options?: LookupOptions,
): pulumi.Output<BranchSchemaResult> {
  return lookOutput(args, options, getBranchSchema);
}

/** How the schemas of a database on two branches differ. */
export interface CompareSchemaResult {
  /** What differs, in the form of `diff -u` from the base to the branch; empty where nothing does. */
  readonly diff: string;
}

/** Which database's schemas to compare, on which branches, and of when. */
export interface CompareSchemaArgs {
  /** The project that the branches belong to. */
  readonly projectId: string;
  /** The branch to compare. */
  readonly branchId: string;
  /** The database; it has to be on both branches. */
  readonly databaseName: string;
  /** The branch to compare it with. Default: its parent. */
  readonly baseBranchId?: string;
  /** Which place in the branch's log to look at, such as `0/1DE2850`. Default: its end. Not with `timestamp`. */
  readonly lsn?: string;
  /** Which moment of the branch to look at, such as `2030-01-31T12:00:00Z`. Default: now. Not with `lsn`. */
  readonly timestamp?: string;
  /** Which place in the base's log to look at. Default: its end. Not with `baseTimestamp`. */
  readonly baseLsn?: string;
  /** Which moment of the base to look at. Default: now. Not with `baseLsn`. */
  readonly baseTimestamp?: string;
}

/**
 * Compares the schema of a database with that of the same database on another branch. Fails if it is not on both.
 *
 * @example
 * ```ts
 * const { diff } = await neon.compareSchema({
 *   projectId: "spring-example-302709",
 *   branchId: "br-wispy-meadow-118737",
 *   databaseName: "shop",
 * });
 * ```
 */
export function compareSchema(args: CompareSchemaArgs, options?: LookupOptions): Promise<CompareSchemaResult> {
  return look(options, async ({ client }) => {
    assertNeeded("compareSchema", args, "projectId", "branchId", "databaseName");
    const { projectId, branchId, databaseName, baseBranchId, lsn, timestamp, baseLsn, baseTimestamp } = args;
    assertOnePoint("compareSchema", "lsn", lsn, "timestamp", timestamp);
    assertOnePoint("compareSchema", "baseLsn", baseLsn, "baseTimestamp", baseTimestamp);
    const query = {
      db_name: databaseName,
      base_branch_id: baseBranchId,
      lsn,
      timestamp,
      base_lsn: baseLsn,
      base_timestamp: baseTimestamp,
    };
    const { diff } = await client.send(branches.compareSchema(projectId, branchId, query));
    if (diff !== undefined) return { diff };
    throw failure(`The platform answered no comparison of the database "${databaseName}".`);
  });
}

/** {@link compareSchema} for arguments that are outputs. */
export function compareSchemaOutput(
  args: Inputs<CompareSchemaArgs>,
  options?: LookupOptions,
): pulumi.Output<CompareSchemaResult> {
  return lookOutput(args, options, compareSchema);
}

function assertOnePoint(
  lookup: string,
  lsnName: string,
  lsn: string | undefined,
  timeName: string,
  time: string | undefined,
): void {
  if (lsn === undefined || time === undefined) return;
  throw failure(`${lookup} takes either \`${lsnName}\` or \`${timeName}\`, not both.`);
}

function tableResult({ columns, constraints, ...table }: WireTable): SchemaTable {
  return {
    ...known<Pick<SchemaTable, "schema" | "name">>(table, { schema: true, name: true }),
    columns: columns.map((column) =>
      known<SchemaColumn>(column, { name: true, type: true, nullable: true, generated: true }),
    ),
    ...(constraints === undefined ? {} : { constraints: constraints.map(constraintResult) }),
  };
}

function constraintResult({
  referenced_table: table,
  ...constraint
}: NonNullable<WireTable["constraints"]>[number]): SchemaConstraint {
  return {
    ...known<Omit<SchemaConstraint, "referencedTable">>(constraint, { type: true, columns: true, name: true }),
    ...(table === undefined
      ? {}
      : { referencedTable: known<SchemaReference>(table, { schema: true, table: true, columns: true }) }),
  };
}
