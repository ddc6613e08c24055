// Generated from provider/resources/branch.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { branch } from "../../provider/resources/branch";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Libraries that Postgres loads at startup. */
export interface PreloadLibrariesArgs {
  /** Whether Neon's default libraries are loaded. */
  readonly useDefaults?: pulumi.Input<boolean>;
  /** Names of the libraries that are loaded, in any order. */
  readonly enabledLibraries?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Postgres settings of a compute. */
export interface EndpointSettingsArgs {
  /** Postgres settings: names and values as strings. Default: none. A change replaces all of them. */
  readonly pgSettings?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * PgBouncer settings: names and values as strings.
   *
   * @deprecated Neon has announced the removal of this setting.
   */
  readonly pgbouncerSettings?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Libraries that Postgres loads at startup. */
  readonly preloadLibraries?: pulumi.Input<PreloadLibrariesArgs>;
}

/**
 * Size and settings of a compute.
 *
 * @example
 * ```ts
 * const compute: neon.ComputeArgs = {
 *   autoscalingLimitMinCu: 0.25,
 *   autoscalingLimitMaxCu: 2,
 *   suspendTimeoutSeconds: 300,
 *   settings: { pgSettings: { log_min_duration_statement: "500" } },
 * };
 * const reports = new neon.Branch("reports", { projectId: project.id, compute });
 * ```
 */
export interface ComputeArgs {
  /**
   * Minimum size for autoscaling, in compute units (CU). 1 CU has about 4 GB of memory. Sizes are 0.25, 0.5, 1 to 16 in
   * steps of 1, and 18 to 56 in steps of 2, as in Neon's documentation. A change restarts the compute, which drops its
   * connections.
   */
  readonly autoscalingLimitMinCu?: pulumi.Input<number>;
  /**
   * Maximum size for autoscaling, in compute units (CU). It is at most 8 CU above the minimum, and at most 16 CU unless
   * it is equal to the minimum.
   */
  readonly autoscalingLimitMaxCu?: pulumi.Input<number>;
  /**
   * Seconds of inactivity after which Neon suspends a compute. -1: never. 0: Neon's default. Other values are 60 to
   * 604800.
   */
  readonly suspendTimeoutSeconds?: pulumi.Input<number>;
  /** Provisioner of the compute, such as `k8s-neonvm`. Default: `k8s-neonvm`. */
  readonly provisioner?: pulumi.Input<string>;
  /** Postgres settings of the compute. A change of a member replaces the whole member. */
  readonly settings?: pulumi.Input<EndpointSettingsArgs>;
}

/** When and from what to restore a branch. */
export interface BranchRestoreArgs {
  /**
   * Any string. Changing it, or adding `restore` to an existing branch, restores the branch. Creating or adopting the
   * branch does not restore it, and neither does a change of the other members alone.
   */
  readonly trigger: pulumi.Input<string>;
  /**
   * Id of the branch to restore from. `"self"` restores from the branch's own history. Required with `sourceTimestamp`
   * and `sourceLsn`. Default: the parent.
   */
  readonly sourceBranchId?: pulumi.Input<string>;
  /**
   * Time in the source's history to restore, such as `2030-01-31T12:00:00Z`. Conflicts with `sourceLsn`. Default: now.
   */
  readonly sourceTimestamp?: pulumi.Input<string>;
  /**
   * Log sequence number of the source to restore, such as `0/1DE2850`. Conflicts with `sourceTimestamp`. Default: the
   * latest.
   */
  readonly sourceLsn?: pulumi.Input<string>;
  /**
   * Name of a new branch that keeps the current data and becomes the parent of this branch's children. This resource
   * does not manage the new branch. Required if the branch has children, and to restore from the branch's own history.
   * Default: the current data is lost. At most 256 characters.
   */
  readonly preserveUnderName?: pulumi.Input<string>;
}

/** The replacement for the values of a column of a masked branch: a function or a value. */
export interface MaskingRuleArgs {
  /** Name of the database. */
  readonly databaseName: pulumi.Input<string>;
  /** Name of the schema. */
  readonly schemaName: pulumi.Input<string>;
  /** Name of the table. */
  readonly tableName: pulumi.Input<string>;
  /** Name of the column. */
  readonly columnName: pulumi.Input<string>;
  /**
   * Masking function of PostgreSQL Anonymizer, such as `anon.fake_email()` or `anon.hash(email)`. Conflicts with
   * `maskingValue`.
   */
  readonly maskingFunction?: pulumi.Input<string>;
  /** Value that the column has in every row. Conflicts with `maskingFunction`. */
  readonly maskingValue?: pulumi.Input<string>;
}

/** Arguments of a {@link Branch}. Neon chooses the values that you omit. They never cause a diff. */
export interface BranchArgs {
  /** Id of the project. Changing it replaces the branch. */
  readonly projectId: pulumi.Input<string>;
  /**
   * Name of the branch, unique in the project. At most 256 characters. Default: the resource's logical name. Updated in
   * place.
   */
  readonly name?: pulumi.Input<string>;
  /** Id of the parent branch. Default: the project's default branch. Changing it replaces the branch. */
  readonly parentId?: pulumi.Input<string>;
  /**
   * Log sequence number of the parent at which the branch starts, such as `0/1DE2850`. Default: the latest. Changing it
   * replaces the branch.
   */
  readonly parentLsn?: pulumi.Input<string>;
  /**
   * Time in the parent's history at which the branch starts (ISO 8601), such as `2030-01-31T12:00:00Z`. Default: now.
   * Changing it replaces the branch.
   */
  readonly parentTimestamp?: pulumi.Input<string>;
  /**
   * Whether the branch is protected from deletion. Also set Pulumi's resource option `protect`: Pulumi then refuses to
   * delete the branch before it deletes anything that belongs to it. In a program for Node.js, a literal `true` sets
   * that option, unless you set `protect` or `retainOnDelete` yourself. To delete a protected branch, first set `false`
   * and run `pulumi up`. Default: `false`. Updated in place.
   */
  readonly protected?: pulumi.Input<boolean>;
  /**
   * Whether to archive the branch when it is created. Default: `false`. Neon does not return it. Changing it replaces
   * the branch.
   */
  readonly archived?: pulumi.Input<boolean>;
  /**
   * `parent-data` copies the parent's schema and data, `schema-only` its schema. Default: `parent-data`. Changing it
   * replaces the branch.
   */
  readonly initSource?: pulumi.Input<"parent-data" | "schema-only">;
  /**
   * Time at which Neon deletes the branch (ISO 8601), such as `2030-01-31T12:00:00Z`. At most 30 days from now. A
   * protected or default branch cannot expire, nor one with children or with the Data API. Conflicts with `ttl`.
   * Default: never, unless `ttl` is declared. Updated in place. Removing it clears the expiration.
   */
  readonly expiresAt?: pulumi.Input<string>;
  /**
   * Life of the branch, such as `12h` or `7d`: a whole number with the unit `s`, `m`, `h`, `d` or `w`, from `1m` to
   * `30d`. Neon then deletes the branch. The life begins when the branch is created, and again when `ttl` or
   * `ttlTrigger` changes or the branch is reset from its parent. A run that changes neither does not extend it.
   * Conflicts with `expiresAt`. Default: no end, unless `expiresAt` is declared. Updated in place. Removing it clears
   * the expiration.
   */
  readonly ttl?: pulumi.Input<string>;
  /**
   * Any string. Changing it, or adding it later, begins the life of the branch again. Creating or adopting the resource
   * does not do so, and removing the property has no effect. Requires `ttl`.
   */
  readonly ttlTrigger?: pulumi.Input<string>;
  /** Annotations of the branch: names and values as strings. Changing them replaces the branch. */
  readonly annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Id of a snapshot of the project whose data, roles and databases the branch starts with, instead of a parent's.
   * Conflicts with `parentId`, `parentLsn`, `parentTimestamp`, `initSource`, `archived` and `annotations`. The branch
   * comes with a read-write compute of the project's default size, also if `compute` is omitted. Changing it replaces
   * the branch.
   */
  readonly snapshotId?: pulumi.Input<string>;
  /**
   * The branch's read-write compute, created in the same request as the branch. An empty object creates one of Neon's
   * default size. If omitted, this resource manages no compute. Adding, changing or removing it creates, updates or
   * deletes the compute. Updated in place.
   */
  readonly compute?: pulumi.Input<ComputeArgs>;
  /**
   * `true` makes this branch the project's default branch. `false` has the same effect as omitting the property.
   * Default: `false`. Updated in place. If another branch becomes the default, that is not drift. Removing this
   * property later has no effect.
   */
  readonly default?: pulumi.Input<boolean>;
  /**
   * Id of the branch that becomes the default branch if this branch is the default branch when it is deleted. Without
   * it, deleting the default branch fails. If the project is destroyed as well, set Pulumi's option `deletedWith`
   * instead. Default: none. Updated in the state only.
   */
  readonly defaultSuccessorId?: pulumi.Input<string>;
  /**
   * Restores the branch in place each time `restore.trigger` changes. Hosts stay the same; connections are dropped.
   * Afterwards the branch has the roles, passwords and databases of the source: a `Role` or `Database` that the source
   * does not have is deleted. Default: no restore.
   */
  readonly restore?: pulumi.Input<BranchRestoreArgs>;
  /**
   * Any string. Changing it, or adding it later, resets the branch in place to the current state of its parent, like a
   * `restore` without a source. Creating or adopting the resource does not do so, and removing the property has no
   * effect.
   */
  readonly resetTrigger?: pulumi.Input<string>;
  /**
   * Columns whose values are masked, in any order. They are masked before Pulumi reports the branch as created. A
   * change masks the data again: values that were masked before stay masked. You cannot add rules to a branch that was
   * created without any. Removing the property has no effect. Conflicts with `restore` and `resetTrigger`. Neon's API
   * for it is in beta. Default: no masking. Updated in place.
   */
  readonly maskingRules?: pulumi.Input<pulumi.Input<MaskingRuleArgs>[]>;
  /**
   * Adopts an existing branch instead of creating one, and applies the declared arguments to it. An id adopts that
   * branch and fails if it does not exist. `true` adopts the branch with this `name`, or creates one if there is none.
   * Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const branchDefinition: ResourceDefinition = {
  kind: "Branch",
  id: ["projectId", "branchId"],
  outputs: {
    projectId: "plain",
    name: "plain",
    parentId: "plain",
    parentLsn: "plain",
    parentTimestamp: "plain",
    protected: "plain",
    archived: "plain",
    initSource: "plain",
    expiresAt: "plain",
    ttl: "plain",
    ttlTrigger: "plain",
    ttlIntervalSeconds: "plain",
    annotations: "plain",
    snapshotId: "plain",
    compute: "plain",
    default: "plain",
    defaultSuccessorId: "plain",
    restore: "plain",
    resetTrigger: "plain",
    maskingRules: "plain",
    maskingState: "plain",
    branchId: "fromId",
    createdAt: "plain",
    endpointId: "plain",
    host: "plain",
    poolerHost: "plain",
    roleName: "plain",
    databaseName: "plain",
    connectionUri: "secret",
  },
  absences: {
    endpointId: {
      reason:
        "The branch has no read-write compute. Declare one as `compute` of the branch. With a separate `Endpoint`, use its own `host`, or pass its `endpointId` to `getConnectionUriOutput`: the branch is created before it, and shows it only after a refresh.",
    },
    host: {
      reason:
        "The branch has no read-write compute. Declare one as `compute` of the branch. With a separate `Endpoint`, use its own `host`, or pass its `endpointId` to `getConnectionUriOutput`: the branch is created before it, and shows it only after a refresh.",
    },
    poolerHost: {
      reason:
        "The branch has no read-write compute. Declare one as `compute` of the branch. With a separate `Endpoint`, use its own `host`, or pass its `endpointId` to `getConnectionUriOutput`: the branch is created before it, and shows it only after a refresh.",
    },
    roleName: {
      reason:
        "The branch has several roles, or none. Call `getConnectionUriOutput` with the role and the database to use.",
      needs: ["host"],
    },
    databaseName: {
      reason:
        "The branch has several databases, or none. Call `getConnectionUriOutput` with the role and the database to use.",
      needs: ["host"],
    },
    connectionUri: {
      reason:
        "The project does not store passwords, and this resource did not create the role. Use the output `password` of the resource that did.",
      needs: ["host", "roleName", "databaseName"],
    },
  },
};

/**
 * A branch of a project, optionally with its read-write compute. When Pulumi reports it as created, it is ready to use.
 *
 * You can adopt the branch that Neon creates with a project. It cannot be deleted on its own: `pulumi destroy` removes
 * it from the state with a warning, and it is deleted with its project.
 *
 * Neon API: `POST /projects/{project_id}/branches`, `POST /projects/{project_id}/branch_anonymized`, `PATCH` and
 * `DELETE /projects/{project_id}/branches/{branch_id}`.
 *
 * @example
 * ```ts
 * const staging = new neon.Branch("staging", {
 *   projectId: project.id,
 *   compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 },
 * });
 * export const databaseUrl = staging.requireOutput("connectionUri"); // a secret
 * ```
 *
 * @example
 * ```ts
 * // The branch that was created with the project: the default branch, protected.
 * const main = new neon.Branch("main", { projectId: project.id, adopt: true, protected: true });
 * ```
 *
 * @example
 * ```ts
 * // A copy of the data for developers, with the e-mail addresses in the table `customer` masked.
 * const masked = new neon.Branch("masked", {
 *   projectId: project.id,
 *   maskingRules: [
 *     {
 *       databaseName: "neondb",
 *       schemaName: "public",
 *       tableName: "customer",
 *       columnName: "email",
 *       maskingFunction: "anon.fake_email()",
 *     },
 *   ],
 * });
 * ```
 *
 * @example
 * ```ts
 * // For a pull request: Neon deletes the branch a week after the last push.
 * const commit = new pulumi.Config().require("commit");
 * const preview = new neon.Branch("pr-42", { projectId: project.id, ttl: "7d", ttlTrigger: commit });
 * ```
 */
export class Branch extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Name of the branch, unique in the project. */
  declare readonly name: pulumi.Output<string>;
  /** Id of the parent branch. Absent for a root branch. */
  declare readonly parentId: pulumi.Output<string | undefined>;
  /** Log sequence number of the parent at which the branch starts, such as `0/1DE2850`. */
  declare readonly parentLsn: pulumi.Output<string | undefined>;
  /** Time in the parent's history at which the branch starts (ISO 8601), such as `2030-01-31T12:00:00Z`. */
  declare readonly parentTimestamp: pulumi.Output<string | undefined>;
  /** Whether the branch is protected from deletion. */
  declare readonly protected: pulumi.Output<boolean | undefined>;
  /** The declared value. */
  declare readonly archived: pulumi.Output<boolean | undefined>;
  /** The contents with which the branch was created: `parent-data` or `schema-only`. */
  declare readonly initSource: pulumi.Output<"parent-data" | "schema-only" | undefined>;
  /** Time at which Neon deletes the branch (ISO 8601), such as `2030-01-31T12:00:00Z`. Absent if it never expires. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  /**
   * Life of the branch as of when its expiration was last set: the declared one, or the one that Neon reports if that
   * is a whole number of hours, or of minutes below one hour. Absent if the branch never expires.
   */
  declare readonly ttl: pulumi.Output<string | undefined>;
  /** The declared value. */
  declare readonly ttlTrigger: pulumi.Output<string | undefined>;
  /**
   * Time from when the expiration was last set until the branch expires, in seconds. A reset from the parent begins it
   * again. Absent if the branch never expires.
   */
  declare readonly ttlIntervalSeconds: pulumi.Output<number | undefined>;
  /** Annotations of the branch, without the provider's own. */
  declare readonly annotations: pulumi.Output<Record<string, string> | undefined>;
  /** Id of the snapshot that the branch was restored from. */
  declare readonly snapshotId: pulumi.Output<string | undefined>;
  /** Current settings of the read-write compute. */
  declare readonly compute: pulumi.Output<pulumi.Unwrap<ComputeArgs> | undefined>;
  /** The declared value. To read which branch is the default branch now, use {@link getBranch}. */
  declare readonly default: pulumi.Output<boolean | undefined>;
  /** The declared value. */
  declare readonly defaultSuccessorId: pulumi.Output<string | undefined>;
  /** The declared value. */
  declare readonly restore: pulumi.Output<pulumi.Unwrap<BranchRestoreArgs> | undefined>;
  /** The declared value. */
  declare readonly resetTrigger: pulumi.Output<string | undefined>;
  /** Rules by which the data is masked. Absent if the branch is not masked. */
  declare readonly maskingRules: pulumi.Output<pulumi.Unwrap<MaskingRuleArgs>[] | undefined>;
  /** State of the masking, such as `anonymized`. Absent if the branch is not masked. */
  declare readonly maskingState: pulumi.Output<string | undefined>;
  /** Id of the branch, such as `br-wispy-meadow-118737`. */
  declare readonly branchId: pulumi.Output<string>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;
  /** Id of the read-write compute. Absent if the branch has none. */
  declare readonly endpointId: pulumi.Output<string | undefined>;
  /**
   * Host of the read-write compute. If you declare a separate `Endpoint`, use its `host`: this output has it only after
   * a refresh.
   */
  declare readonly host: pulumi.Output<string | undefined>;
  /** Host of the compute's connection pooler. */
  declare readonly poolerHost: pulumi.Output<string | undefined>;
  /**
   * Name of the branch's role, as of when the branch got its compute, or the last refresh. Absent if the branch had
   * several roles or none.
   */
  declare readonly roleName: pulumi.Output<string | undefined>;
  /**
   * Name of the branch's database, as of when the branch got its compute, or the last refresh. Absent if the branch had
   * several databases or none.
   */
  declare readonly databaseName: pulumi.Output<string | undefined>;
  /**
   * URI to connect to `databaseName` as `roleName`, including the password. A restore and a refresh read it again.
   * Until then, it keeps its names and its password. Absent if the branch has no compute, or several roles or
   * databases: use {@link getConnectionUri}. Secret.
   */
  declare readonly connectionUri: pulumi.Output<string | undefined>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: BranchArgs, opts?: pulumi.CustomResourceOptions) {
    super(branchDefinition, name, args, {
      ...(args.protected === true && opts?.retainOnDelete !== true ? { protect: true } : {}),
      ...opts,
    });
  }

  /** Reads an existing branch without managing it. The id has the form `<projectId>/<branchId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Branch {
    return Resource.existing(Branch, branchDefinition, name, id, opts);
  }

  /** Returns whether a value is a `Branch`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Branch {
    return Resource.isOfKind(value, "Branch");
  }
}

true satisfies SameInputs<BranchArgs, (typeof branch)["inputs"]>;
