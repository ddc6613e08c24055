// Generated from api/lookups/database.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A database. */
export interface DatabaseResult {
  /** Numeric id of the database. It does not change if the database is renamed. */
  readonly id: number;
  /** Id of the branch. */
  readonly branchId: string;
  /** Name of the database, unique on the branch. */
  readonly name: string;
  /** Name of the role that owns the database. */
  readonly ownerName: string;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Time of the last change (ISO 8601, UTC). */
  readonly updatedAt?: string;
}

/** Arguments of `getDatabases`. */
export interface GetDatabasesArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getDatabasesSource = dataSource<GetDatabasesArgs, DatabaseResult[]>("getDatabases");

/**
 * Lists the databases of a branch.
 *
 * Fails if the branch does not exist or cannot be read. It never returns an empty list instead.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/databases`.
 *
 * @example
 * ```ts
 * const databases = neon.getDatabasesOutput({ projectId: project.id, branchId: project.defaultBranchId });
 * export const names = databases.apply((all) => all.map(({ name }) => name));
 * ```
 */
export function getDatabases(args: GetDatabasesArgs, options?: LookupOptions) {
  return getDatabasesSource.invoke(args, options);
}

/** Output form of {@link getDatabases}: the arguments can be outputs. */
export function getDatabasesOutput(args: Inputs<GetDatabasesArgs>, options?: LookupOptions) {
  return getDatabasesSource.output(args, options);
}
