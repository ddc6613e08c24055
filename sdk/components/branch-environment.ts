import * as pulumi from "@pulumi/pulumi";

import { getConnectionUriOutput } from "../data-sources/connection-uri";
import { Branch } from "../resources/branch";
import { Database } from "../resources/database";
import type { ComputeArgs } from "../resources/project-settings";
import { Role } from "../resources/role";
import { failure } from "../run-error";

/** A role that an environment has beside those of its parent. */
export interface EnvironmentRoleArgs {
  /** Name, at most 63 bytes. One that the parent has already is used as it is. A change replaces the role. */
  readonly name: pulumi.Input<string>;
}

/** A database that an environment has beside those of its parent. */
export interface EnvironmentDatabaseArgs {
  /** Name. One that the parent has already is used, with the owner that is declared here. Changed in place. */
  readonly name: pulumi.Input<string>;
  /** The role that owns it. Default: the environment's own `role`, or else the only role of the branch. Changed in place. */
  readonly ownerName?: pulumi.Input<string>;
}

/** What a program declares of an environment. */
export interface BranchEnvironmentArgs {
  /** The project to branch in. A change replaces the environment. */
  readonly projectId: pulumi.Input<string>;
  /** Name of the branch, unique in the project. Default: the component's logical name. Changed in place. */
  readonly name?: pulumi.Input<string>;
  /** The branch to start from. Default: the project's default branch. A change replaces the environment. */
  readonly parentId?: pulumi.Input<string>;
  /** `parent-data` (the platform's default) starts with the parent's data, `schema-only` with its schema. A change replaces the environment. */
  readonly initSource?: pulumi.Input<"parent-data" | "schema-only">;
  /** When the platform deletes the branch by itself, such as `2030-01-31T12:00:00Z`; at most 30 days ahead. Changed in place. */
  readonly expiresAt?: pulumi.Input<string>;
  /** Texts stored beside the branch. A change replaces the environment. */
  readonly annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** The read-write compute. Default: one of the platform's default size. Changed in place. */
  readonly compute?: pulumi.Input<ComputeArgs>;
  /** The role of the parent to connect as, where it has several. Not together with `role`. */
  readonly roleName?: pulumi.Input<string>;
  /** The database of the parent to connect to, where it has several. Not together with `database`. */
  readonly databaseName?: pulumi.Input<string>;
  /** A role of the environment's own, to connect as. Default: the parent's only role. */
  readonly role?: EnvironmentRoleArgs;
  /** A database of the environment's own, to connect to. Default: the parent's only database. */
  readonly database?: EnvironmentDatabaseArgs;
  /** Whether the connection URI leads through the connection pooler. Default: `false`. */
  readonly pooled?: boolean;
  /** Takes over a branch that exists instead of making one: that of this id, or with `true` that of this name. */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const type = "neon:index:BranchEnvironment";

/**
 * A branch with its compute and a way to connect, in one declaration: a preview environment for each pull request. The
 * branch and its compute are one request; roles, databases and passwords come with it from the parent, and only what
 * `role` and `database` ask for beyond that takes a request of its own.
 *
 * @example
 * ```ts
 * const preview = new neon.BranchEnvironment("pr-42", { projectId: "spring-example-302709" });
 * export const url = preview.connectionUri;
 * ```
 */
export class BranchEnvironment extends pulumi.ComponentResource {
  /** The branch. */
  readonly branch: Branch;
  /** The branch's id, such as `br-wispy-meadow-118737`. */
  readonly branchId: pulumi.Output<string>;
  /** The compute's id. */
  readonly endpointId: pulumi.Output<string>;
  /** Host to connect to: the compute's, or its pooler's if `pooled`. */
  readonly host: pulumi.Output<string>;
  /** The role to connect as. */
  readonly roleName: pulumi.Output<string>;
  /** The database to connect to. */
  readonly databaseName: pulumi.Output<string>;
  /** URI to connect to that database as that role. Secret. */
  readonly connectionUri: pulumi.Output<string>;

  /**
   * @param name the component's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; a provider given here is that of everything in it
   */
  constructor(name: string, args: BranchEnvironmentArgs, opts?: pulumi.ComponentResourceOptions) {
    super(type, name, {}, opts);
    for (const [one, other] of [
      ["role", "roleName"],
      ["database", "databaseName"],
    ] as const) {
      if (args[one] !== undefined && args[other] !== undefined) {
        throw failure(`BranchEnvironment "${name}" takes either \`${one}\` or \`${other}\`, not both.`);
      }
    }
    const { projectId, roleName, databaseName, role, database, pooled = false, compute = {}, ...own } = args;
    this.branch = new Branch(name, { ...own, projectId, compute }, { parent: this });
    const { branchId } = this.branch;
    // They go with the branch, so that destroying the environment is one request, too.
    const within = { parent: this, deletedWith: this.branch };
    const ownRole = role && new Role(name, { projectId, branchId, name: role.name, adopt: true }, within);
    const knownRole = pulumi.output(ownRole?.name ?? roleName ?? this.branch.roleName);
    this.roleName = knownRole.apply((known) => only(known, "role", "roleName", name));
    const ownDatabase =
      database &&
      new Database(
        name,
        { projectId, branchId, name: database.name, ownerName: database.ownerName ?? this.roleName, adopt: true },
        within,
      );
    const knownDatabase = pulumi.output(ownDatabase?.name ?? databaseName ?? this.branch.databaseName);
    this.databaseName = knownDatabase.apply((known) => only(known, "database", "databaseName", name));
    this.branchId = branchId;
    const present = (value: string | undefined): string => told(value, name);
    this.endpointId = this.branch.endpointId.apply(present);
    const knownHost = pooled ? this.branch.poolerHost : this.branch.host;
    this.host = knownHost.apply(present);
    const isInherited = role === undefined && database === undefined && roleName === undefined;
    this.connectionUri = pulumi.secret(
      isInherited && databaseName === undefined
        ? pulumi
            // What is wrong with the role or the database is said by them, once.
            .all([this.roleName, this.databaseName, this.host, this.branch.connectionUri])
            .apply(([, , host, uri]) => throughHost(present(uri), host))
        : ownRole === undefined
          ? getConnectionUriOutput(
              {
                projectId,
                branchId,
                endpointId: this.endpointId,
                roleName: this.roleName,
                databaseName: this.databaseName,
                pooled,
              },
              { parent: this },
            ).uri
          : pulumi
              .all([this.roleName, ownRole.password, this.host, this.databaseName])
              .apply(([user, password, host, path]) => uriOf(user, present(password), host, path)),
    );
    // What is missing fails where it is used; here it would be said again, as an error of the runtime's own.
    this.registerOutputs({
      branchId: this.branchId,
      endpointId: this.branch.endpointId,
      host: knownHost,
      roleName: knownRole,
      databaseName: knownDatabase,
    });
  }

  /** Whether this is an environment, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is BranchEnvironment {
    return (
      pulumi.ComponentResource.isInstance(value) &&
      (value as unknown as { __pulumiType?: unknown }).__pulumiType === type
    );
  }
}

/** The one role or database there is; with several only the program can say which. */
function only(known: string | undefined, noun: string, argument: string, name: string): string {
  if (known !== undefined) return known;
  throw failure(
    `The branch of BranchEnvironment "${name}" has several ${noun}s, or none: say by \`${argument}\` which one to connect with.`,
  );
}

function told(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw failure(
    `The platform tells no connection to the branch of BranchEnvironment "${name}": its compute is missing, or the project stores no passwords and this one was told to another run.`,
  );
}

/** The same URI through this host. */
function throughHost(uri: string, host: string): string {
  const url = new URL(uri);
  url.hostname = host;
  return url.href;
}

function uriOf(role: string, password: string, host: string, database: string): string {
  const [user, secret, path] = [role, password, database].map(encodeURIComponent);
  return `postgresql://${user ?? ""}:${secret ?? ""}@${host}/${path ?? ""}?sslmode=require&channel_binding=require`;
}
