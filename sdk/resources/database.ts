// Generated from provider/resources/database.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { database } from "../../provider/resources/database";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link Database}. */
export interface DatabaseArgs {
  /** Id of the project. Changing it replaces the database. */
  readonly projectId: pulumi.Input<string>;
  /**
   * Id of the branch. It needs a read-write compute: declare `compute` of the {@link Branch}, or let this resource
   * depend on its {@link Endpoint} with `dependsOn`. Otherwise Neon refuses databases. Changing it replaces the
   * database.
   */
  readonly branchId: pulumi.Input<string>;
  /**
   * Name of the database, unique on the branch. At most 63 bytes in UTF-8. Default: the resource's logical name.
   * Updated in place.
   */
  readonly name?: pulumi.Input<string>;
  /**
   * Name of the role that owns the database. Pass the output `name` of a {@link Role}, so that Pulumi creates the role
   * before the database and deletes it afterwards. Updated in place.
   */
  readonly ownerName: pulumi.Input<string>;
  /**
   * Adopts an existing database instead of creating one, such as one that the branch has from its parent, and applies
   * the declared arguments to it. A name adopts that database and fails if it does not exist. `true` adopts the
   * database with this `name`, or creates one if there is none. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const databaseDefinition: ResourceDefinition = {
  kind: "Database",
  id: ["projectId", "branchId", "name"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    name: "plain",
    ownerName: "plain",
    databaseId: "plain",
    createdAt: "plain",
  },
};

/**
 * A Postgres database of a branch. When Pulumi reports it as created, it is ready to use. Renaming it or changing its
 * owner keeps its data.
 *
 * You can adopt the database that Neon creates with a project. It cannot be deleted on its own: `pulumi destroy`
 * removes it from the state with a warning, and it is deleted with its project.
 *
 * Neon API: `POST /projects/{project_id}/branches/{branch_id}/databases`, `PATCH` and
 * `DELETE /projects/{project_id}/branches/{branch_id}/databases/{database_name}`.
 *
 * @example
 * ```ts
 * const app = new neon.Role("app", { projectId: project.id, branchId: project.defaultBranchId });
 * const orders = new neon.Database("orders", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   ownerName: app.name,
 * });
 * ```
 *
 * @example
 * ```ts
 * // The database that was created with the project, with another owner.
 * const existing = new neon.Database("neondb", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   ownerName: app.name,
 *   adopt: true,
 * });
 * ```
 */
export class Database extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Name of the database, unique on the branch. */
  declare readonly name: pulumi.Output<string>;
  /** Name of the role that owns the database. */
  declare readonly ownerName: pulumi.Output<string>;
  /** Numeric id of the database. It does not change if the database is renamed. */
  declare readonly databaseId: pulumi.Output<number>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: DatabaseArgs, opts?: pulumi.CustomResourceOptions) {
    super(databaseDefinition, name, args, opts);
  }

  /**
   * Reads an existing database without managing it. The id has the form `<projectId>/<branchId>/<name>`, with
   * percent-encoded segments.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Database {
    return Resource.existing(Database, databaseDefinition, name, id, opts);
  }

  /** Returns whether a value is a `Database`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Database {
    return Resource.isOfKind(value, "Database");
  }
}

true satisfies SameInputs<DatabaseArgs, (typeof database)["inputs"]>;
