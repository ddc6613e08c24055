import type * as pulumi from "@pulumi/pulumi";

import type { DatabaseInputs, DatabaseOutputs } from "../../provider/resources/database";
import { segmentsOf } from "../id";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";

/** What a program declares of a database. */
export interface DatabaseArgs {
  /** The project it belongs to. A change replaces the database. */
  readonly projectId: pulumi.Input<string>;
  /** The branch it belongs to: a database of one branch is none of another. A change replaces the database. */
  readonly branchId: pulumi.Input<string>;
  /** Name, at most 63 bytes in UTF-8, unique on the branch. Default: the resource's logical name. Changed in place. */
  readonly name?: pulumi.Input<string>;
  /** The role that owns it. Let it be a `Role`'s output `name`, so that Pulumi makes that first and deletes it last. Changed in place. */
  readonly ownerName: pulumi.Input<string>;
  /**
   * Takes over a database instead of making one: with `true` that of this name on the branch, if there is one; with a text
   * the one that it names, by its name or its whole id in state, which then has to be there. What is declared is then
   * applied to it. Setting or removing it later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const outputs = {
  projectId: true,
  branchId: true,
  name: true,
  ownerName: true,
  databaseId: true,
  createdAt: true,
} as const;
const self: ResourceClass = { kind: "Database", outputs: Object.keys(outputs), secrets: [] };

/**
 * A Postgres database of a branch. It can be used when Pulumi says that it is created. It keeps its data when it is
 * renamed or given another owner. The database that a project is born with can be adopted; going only with its project, it
 * is then released from the state on destroy.
 *
 * @example
 * ```ts
 * const database = new neon.Database("shop", {
 *   projectId: project.id,
 *   branchId: branch.branchId,
 *   ownerName: role.name,
 * });
 * ```
 */
export class Database extends Resource {
  /** The project it belongs to. */
  declare readonly projectId: pulumi.Output<string>;
  /** The branch it belongs to. */
  declare readonly branchId: pulumi.Output<string>;
  /** The database's name. */
  declare readonly name: pulumi.Output<string>;
  /** The role that owns it. */
  declare readonly ownerName: pulumi.Output<string>;
  /** The platform's number of it. */
  declare readonly databaseId: pulumi.Output<number>;
  /** When it was made; ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: DatabaseArgs, opts?: pulumi.CustomResourceOptions) {
    super(self, name, args, opts);
  }

  /**
   * A database that exists, without managing it. Its id is that of the project, that of the branch and its name, each
   * percent-encoded, with slashes between.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Database {
    const segment = segmentsOf(id, "<project>/<branch>/<name>");
    // Its owner is among what is looked up.
    const args: Partial<DatabaseArgs> = { projectId: segment(0), branchId: segment(1), name: segment(2) };
    return new Database(name, args as DatabaseArgs, { ...opts, id });
  }

  /** Whether this is a database, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is Database {
    return Resource.isOfType(value, typeToken("Database"));
  }
}

true satisfies SameInputs<DatabaseArgs, DatabaseInputs>;
true satisfies SameNames<keyof typeof outputs, DatabaseOutputs>;
