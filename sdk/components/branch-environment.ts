import * as pulumi from "@pulumi/pulumi";

import { getConnectionUriOutput } from "../data-sources/connection-uri";
import { assertInstalled } from "../installation";
import { unitTestMocks } from "../mocks";
import { onceCreated } from "../required-output";
import { isOfType } from "../resource";
import { Branch, type BranchArgs, type ComputeArgs } from "../resources/branch";
import { Database } from "../resources/database";
import { Role } from "../resources/role";
import { runError } from "../run-error";
import { roleUri } from "./role-uri";

/** A role of a {@link BranchEnvironment}, in addition to those that the branch inherits from its parent. */
export interface EnvironmentRoleArgs {
  /** Name of the role, at most 63 bytes. If the branch has a role of this name, it is adopted. Changing it replaces the role. */
  readonly name: pulumi.Input<string>;
}

/** A database of a {@link BranchEnvironment}, in addition to those that the branch inherits from its parent. */
export interface EnvironmentDatabaseArgs {
  /** Name of the database. If the branch has a database of this name, it is adopted with the declared owner. Updated in place. */
  readonly name: pulumi.Input<string>;
  /** Name of the role that owns the database. Default: the environment's `role`, or else the branch's only role. Updated in place. */
  readonly ownerName?: pulumi.Input<string>;
}

/** Arguments of a {@link BranchEnvironment}. */
export interface BranchEnvironmentArgs extends Pick<
  BranchArgs,
  "projectId" | "name" | "parentId" | "initSource" | "expiresAt" | "ttl" | "ttlTrigger" | "annotations" | "adopt"
> {
  /** Read-write compute of the branch. Default: a compute of Neon's default size. Updated in place. */
  readonly compute?: pulumi.Input<ComputeArgs>;
  /** Inherited role to connect as. Required if the branch has several. Conflicts with `role`. */
  readonly roleName?: pulumi.Input<string>;
  /** Inherited database to connect to. Required if the branch has several. Conflicts with `database`. */
  readonly databaseName?: pulumi.Input<string>;
  /** Role to create and connect as. Conflicts with `roleName`. Default: the branch's only role. */
  readonly role?: EnvironmentRoleArgs;
  /** Database to create and connect to. Conflicts with `databaseName`. Default: the branch's only database. */
  readonly database?: EnvironmentDatabaseArgs;
  /** Whether the connection URI uses the connection pooler. Default: `false`. */
  readonly pooled?: boolean;
}

const type = "neon:index:BranchEnvironment";

/**
 * A branch with its compute and a connection URI, such as a preview environment for a pull request.
 *
 * The branch and its compute are created in one request. The branch inherits roles, databases and passwords from its
 * parent; only `role` and `database` take additional requests.
 *
 * @example
 * ```ts
 * const preview = new neon.BranchEnvironment("pr-42", { projectId: project.id });
 * export const databaseUrl = preview.connectionUri; // a secret
 * ```
 *
 * @example
 * ```ts
 * // With a role and a database of its own, deleted by Neon after a week.
 * const demo = new neon.BranchEnvironment("demo", {
 *   projectId: project.id,
 *   role: { name: "demo" },
 *   database: { name: "demo" },
 *   ttl: "7d",
 *   pooled: true,
 * });
 * ```
 */
export class BranchEnvironment extends pulumi.ComponentResource {
  /** The branch. */
  readonly branch: Branch;
  /** Id of the branch, such as `br-wispy-meadow-118737`. */
  readonly branchId: pulumi.Output<string>;
  /** Id of the compute. */
  readonly endpointId: pulumi.Output<string>;
  /** Host to connect to: of the compute, or of its connection pooler if `pooled` is `true`. */
  readonly host: pulumi.Output<string>;
  /** Name of the role to connect as. */
  readonly roleName: pulumi.Output<string>;
  /** Name of the database to connect to. */
  readonly databaseName: pulumi.Output<string>;
  /** URI to connect to `databaseName` as `roleName`, including the password. Secret. */
  readonly connectionUri: pulumi.Output<string>;

  /**
   * @param name Logical name of the component.
   * @param args Arguments of the component.
   * @param opts Pulumi's resource options. The provider applies to all resources of the component.
   */
  constructor(name: string, args: BranchEnvironmentArgs, opts?: pulumi.ComponentResourceOptions) {
    assertInstalled(`BranchEnvironment "${name}"`);
    super(type, name, {}, opts);
    for (const [one, other] of [
      ["role", "roleName"],
      ["database", "databaseName"],
    ] as const) {
      if (args[one] !== undefined && args[other] !== undefined) {
        throw runError(`BranchEnvironment "${name}" takes either \`${one}\` or \`${other}\`, not both.`);
      }
    }
    const { projectId, roleName, databaseName, role, database, pooled = false, compute = {}, ...own } = args;
    this.branch = new Branch(name, { ...own, projectId, compute }, { parent: this });
    const { branchId } = this.branch;
    // In a unit test, the outputs come from the mocks of the branch. Mocks may omit outputs that the test does not use.
    const isUnitTest = unitTestMocks() !== undefined;
    const fromBranch = (output: "connectionUri" | "endpointId" | "host" | "poolerHost"): pulumi.Output<string> =>
      isUnitTest ? (this.branch[output] as pulumi.Output<string>) : this.branch.requireOutput(output);
    // Deleted with the branch, so that destroying the environment is one request, too.
    const within = { parent: this, deletedWith: this.branch };
    const ownRole = role && new Role(name, { projectId, branchId, name: role.name, adopt: true }, within);
    const knownRole = pulumi.output(ownRole?.name ?? roleName ?? this.branch.roleName);
    this.roleName = knownRole.apply((known) => only(ownRole ?? this.branch, known, "role", "roleName", name));
    const ownDatabase =
      database &&
      new Database(
        name,
        { projectId, branchId, name: database.name, ownerName: database.ownerName ?? this.roleName, adopt: true },
        within,
      );
    const knownDatabase = pulumi.output(ownDatabase?.name ?? databaseName ?? this.branch.databaseName);
    this.databaseName = knownDatabase.apply((known) =>
      only(ownDatabase ?? this.branch, known, "database", "databaseName", name),
    );
    this.branchId = branchId;
    this.endpointId = fromBranch("endpointId");
    const host = pooled ? "poolerHost" : "host";
    this.host = fromBranch(host);
    const uri = (): pulumi.Output<string> => {
      if (isUnitTest) return fromBranch("connectionUri");
      if (ownRole !== undefined) {
        const parts = {
          role: this.roleName,
          password: ownRole.requireOutput("password"),
          host: this.host,
          database: this.databaseName,
          endpointId: this.endpointId,
          inherited: this.branch.connectionUri,
        };
        return pulumi.output(parts).apply(roleUri);
      }
      if (roleName === undefined && databaseName === undefined && database === undefined) {
        // If the role or database is missing, report that instead of a missing URI.
        return pulumi
          .all([this.roleName, this.databaseName, this.host])
          .apply(([, , host]) => fromBranch("connectionUri").apply((known) => throughHost(known, host)));
      }
      const { endpointId, roleName: user, databaseName: path } = this;
      const connection = { projectId, branchId, endpointId, roleName: user, databaseName: path, pooled };
      return getConnectionUriOutput(connection, { parent: this }).uri;
    };
    this.connectionUri = pulumi.secret(uri());
    // Register values that may be missing. A missing value already fails where it is used, and would fail here again as
    // an error of Pulumi's runtime.
    this.registerOutputs({
      branchId: this.branchId,
      endpointId: this.branch.endpointId,
      host: this.branch[host],
      roleName: knownRole,
      databaseName: knownDatabase,
    });
  }

  /** Returns whether a value is a `BranchEnvironment`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is BranchEnvironment {
    return isOfType(value, type);
  }
}

/** The name of the only role or database. If there are several, fails and asks the program to choose. */
function only(
  resource: pulumi.CustomResource,
  known: string | undefined,
  noun: string,
  argument: string,
  name: string,
): pulumi.Output<string> {
  if (known !== undefined || unitTestMocks() !== undefined) return pulumi.output(known as string);
  return onceCreated(resource, () => {
    throw runError(
      `The branch of BranchEnvironment "${name}" has several ${noun}s, or none. Set \`${argument}\` to the one to use.`,
    );
  });
}

/** The URI with another host. */
function throughHost(uri: string, host: string): string {
  const url = new URL(uri);
  url.hostname = host;
  return url.href;
}
