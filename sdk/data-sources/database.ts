import type * as pulumi from "@pulumi/pulumi";

import { type Database, databases } from "../../api/schemas/database";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { assertNeeded } from "../required-arguments";

/** A database, as the platform tells it. */
export interface DatabaseResult {
  /** The platform's number of it, which stays when it is renamed. */
  readonly id: number;
  /** The branch it belongs to. */
  readonly branchId: string;
  /** The database's name, unique on its branch. */
  readonly name: string;
  /** The role that owns it. */
  readonly ownerName: string;
  /** When it was made; ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it last changed; ISO 8601 in UTC. */
  readonly updatedAt?: string;
}

/** Whose databases to list. */
export interface GetDatabasesArgs {
  /** The project that the branch belongs to. */
  readonly projectId: string;
  /** The branch whose databases to list. */
  readonly branchId: string;
}

/**
 * All databases of a branch. A failure is an error, never an empty list.
 *
 * @example
 * ```ts
 * const databases = await neon.getDatabases({ projectId: "spring-example-302709", branchId: "br-wispy-meadow-118737" });
 * ```
 */
export function getDatabases(args: GetDatabasesArgs, options?: LookupOptions): Promise<DatabaseResult[]> {
  return look(options, async ({ client }) => {
    assertNeeded("getDatabases", args, "projectId", "branchId");
    return (await client.send(databases.list(args.projectId, args.branchId))).databases.map(databaseResult);
  });
}

/** {@link getDatabases} for arguments that are outputs. */
export function getDatabasesOutput(
  args: Inputs<GetDatabasesArgs>,
  options?: LookupOptions,
): pulumi.Output<DatabaseResult[]> {
  return lookOutput(args, options, getDatabases);
}

function databaseResult(database: Database): DatabaseResult {
  return known<DatabaseResult>(database, {
    id: true,
    branchId: true,
    name: true,
    ownerName: true,
    createdAt: true,
    updatedAt: true,
  });
}
