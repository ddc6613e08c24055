// Generated from provider/resources/project.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { project } from "../../provider/resources/project";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";
import type { PreloadLibrariesArgs } from "./branch";

/** Settings of computes that are created in a project. */
export interface DefaultEndpointSettingsArgs {
  /** Postgres settings: names and values as strings. */
  readonly pgSettings?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * PgBouncer settings: names and values as strings.
   *
   * @deprecated Neon has announced the removal of this setting.
   */
  readonly pgbouncerSettings?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Minimum size for autoscaling, in compute units (CU). For the valid values see the property `compute` of a
   * {@link Branch}.
   */
  readonly autoscalingLimitMinCu?: pulumi.Input<number>;
  /**
   * Maximum size for autoscaling, in compute units (CU). For the valid values see the property `compute` of a
   * {@link Branch}.
   */
  readonly autoscalingLimitMaxCu?: pulumi.Input<number>;
  /**
   * Seconds of inactivity after which Neon suspends a compute. -1: never. 0: Neon's default. For the valid values see
   * the property `compute` of a {@link Branch}.
   */
  readonly suspendTimeoutSeconds?: pulumi.Input<number>;
}

/** Usage limits of a project per billing period. 0 or omitted: no limit. */
export interface QuotaArgs {
  /** Time during which any compute is active, in seconds. */
  readonly activeTimeSeconds?: pulumi.Input<number>;
  /** Compute time, in seconds. */
  readonly computeTimeSeconds?: pulumi.Input<number>;
  /** Data written, in bytes. */
  readonly writtenDataBytes?: pulumi.Input<number>;
  /** Data transferred, in bytes. */
  readonly dataTransferBytes?: pulumi.Input<number>;
  /** Logical size of a branch, in bytes. A branch that reaches it rejects writes. */
  readonly logicalSizeBytes?: pulumi.Input<number>;
}

/** IP addresses that can connect to the computes. */
export interface AllowedIpsArgs {
  /** Single addresses, ranges (`a-b`) or CIDR blocks, in any order. Empty: all addresses. Default: none. */
  readonly ips?: pulumi.Input<pulumi.Input<string>[]>;
  /** Whether the list applies to protected branches only. Default: `false`. */
  readonly protectedBranchesOnly?: pulumi.Input<boolean>;
}

/** Weekly time window in which Neon can maintain computes. Times are in UTC. */
export interface MaintenanceWindowArgs {
  /** Days of the week, 1 (Monday) to 7, in any order. */
  readonly weekdays: pulumi.Input<pulumi.Input<number>[]>;
  /** Start time, such as `09:00`. */
  readonly startTime: pulumi.Input<string>;
  /** End time, such as `10:00`. */
  readonly endTime: pulumi.Input<string>;
}

/**
 * Settings of a project. Neon keeps the current values of those that you omit.
 *
 * @example
 * ```ts
 * const settings: neon.ProjectSettingsArgs = {
 *   quota: { activeTimeSeconds: 360_000 },
 *   allowedIps: { ips: ["203.0.113.0/24"], protectedBranchesOnly: true },
 *   maintenanceWindow: { weekdays: [7], startTime: "03:00", endTime: "04:00" },
 * };
 * const internal = new neon.Project("internal", { settings });
 * ```
 */
export interface ProjectSettingsArgs {
  /** Usage limits. */
  readonly quota?: pulumi.Input<QuotaArgs>;
  /** IP addresses that can connect to the computes. */
  readonly allowedIps?: pulumi.Input<AllowedIpsArgs>;
  /**
   * Whether logical replication is enabled. Enabling it suspends active computes. It cannot be disabled again. Default:
   * `false`.
   */
  readonly enableLogicalReplication?: pulumi.Input<boolean>;
  /** Weekly time window for maintenance. Default: chosen by Neon. */
  readonly maintenanceWindow?: pulumi.Input<MaintenanceWindowArgs>;
  /** Whether connections from the internet are rejected, regardless of `allowedIps`. Default: `false`. */
  readonly blockPublicConnections?: pulumi.Input<boolean>;
  /** Whether connections through VPC endpoints are rejected. Default: `false`. */
  readonly blockVpcConnections?: pulumi.Input<boolean>;
  /** Level of audit logging. It can only be raised, from `base` to `extended` to `full`. Default: `base`. */
  readonly auditLogLevel?: pulumi.Input<"base" | "extended" | "full">;
  /**
   * Whether HIPAA compliance is enabled. The organization must allow it. It cannot be disabled again. Default: `false`.
   */
  readonly hipaa?: pulumi.Input<boolean>;
  /** Libraries that Postgres loads at startup. */
  readonly preloadLibraries?: pulumi.Input<PreloadLibrariesArgs>;
}

/** The branch, role and database that are created with a project. */
export interface FirstBranchArgs {
  /** Name of the branch. At most 256 characters. Default: chosen by Neon, such as `main`. */
  readonly name?: pulumi.Input<string>;
  /** Name of the role that owns the database. Default: the database's name with the suffix `_owner`. */
  readonly roleName?: pulumi.Input<string>;
  /** Name of the database. Default: `neondb`. */
  readonly databaseName?: pulumi.Input<string>;
  /** Annotations of the branch: names and values as strings. */
  readonly annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Arguments of a {@link Project}. Neon chooses the values that you omit. They never cause a diff. */
export interface ProjectArgs {
  /**
   * Name of the project. Names are not unique. At most 256 characters. Default: the resource's logical name. Updated in
   * place.
   */
  readonly name?: pulumi.Input<string>;
  /** Region, such as `aws-eu-central-1`. Default: chosen by Neon. Changing it replaces the project. */
  readonly regionId?: pulumi.Input<string>;
  /** Major version of Postgres. At least 14. Default: chosen by Neon. Changing it replaces the project. */
  readonly pgVersion?: pulumi.Input<number>;
  /**
   * Id of the organization that owns the project, if any. Default: the provider's `orgId`, or else the organization of
   * the API key. Changing it transfers the project in place, with its data and hosts, and revokes its project API keys.
   * That needs a personal API key of the owner, or of an administrator of its organization, who is also a member of the
   * other one. A transfer that others make is not reverted.
   */
  readonly orgId?: pulumi.Input<string>;
  /** Provisioner of the computes, such as `k8s-neonvm`. Default: `k8s-neonvm`. Changing it replaces the project. */
  readonly provisioner?: pulumi.Input<string>;
  /**
   * Whether Neon stores the passwords of roles, so that they can be read again. Default: `true`. Changing it replaces
   * the project.
   */
  readonly storePasswords?: pulumi.Input<boolean>;
  /**
   * How long history is retained for branching and restore, in seconds. 0 to 2592000; the plan can limit it. Default:
   * `86400`. Updated in place.
   */
  readonly historyRetentionSeconds?: pulumi.Input<number>;
  /**
   * Minimum size of the first compute, in compute units (CU). It is used only when the project is created: you cannot
   * change it later.
   *
   * @deprecated Use `defaultEndpointSettings`.
   */
  readonly autoscalingLimitMinCu?: pulumi.Input<number>;
  /**
   * Maximum size of the first compute, in compute units (CU). It is used only when the project is created: you cannot
   * change it later.
   *
   * @deprecated Use `defaultEndpointSettings`.
   */
  readonly autoscalingLimitMaxCu?: pulumi.Input<number>;
  /**
   * Settings of computes that are created from now on, and of the one that is created with the project. Existing
   * computes keep theirs. Updated in place.
   */
  readonly defaultEndpointSettings?: pulumi.Input<DefaultEndpointSettingsArgs>;
  /** Settings of the project. Some of them cannot be reverted. Updated in place. */
  readonly settings?: pulumi.Input<ProjectSettingsArgs>;
  /**
   * Names of the branch, role and database that are created with the project. Neon does not return them. Changing them
   * replaces the project. To rename the branch instead, adopt it as a {@link Branch}.
   */
  readonly branch?: pulumi.Input<FirstBranchArgs>;
  /**
   * Adopts an existing project instead of creating one, and applies the declared arguments to it. An id adopts that
   * project and fails if it does not exist. `true` adopts the only project with this `name`, or creates one if there is
   * none, and fails if there are several. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const projectDefinition: ResourceDefinition = {
  kind: "Project",
  id: ["projectId"],
  outputs: {
    name: "plain",
    regionId: "plain",
    pgVersion: "plain",
    orgId: "plain",
    provisioner: "plain",
    storePasswords: "plain",
    historyRetentionSeconds: "plain",
    autoscalingLimitMinCu: "plain",
    autoscalingLimitMaxCu: "plain",
    defaultEndpointSettings: "plain",
    settings: "plain",
    branch: "plain",
    projectId: "fromId",
    platformId: "plain",
    proxyHost: "plain",
    hipaaEnabledAt: "plain",
    createdAt: "plain",
    defaultBranchId: "plain",
    endpointId: "plain",
    host: "plain",
    poolerHost: "plain",
    roleName: "plain",
    databaseName: "plain",
    connectionUri: "secret",
  },
  carries: { roleName: "branch.roleName", databaseName: "branch.databaseName" },
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
 * A project. Neon creates it with a branch, a compute, a role and a database. When Pulumi reports it as created, it is
 * ready to use.
 *
 * Replacing or deleting a project deletes all its branches and their data.
 *
 * Neon API: `POST /projects`, `PATCH` and `DELETE /projects/{project_id}`.
 *
 * @example
 * ```ts
 * const project = new neon.Project("shop", { regionId: "aws-eu-central-1" });
 * export const databaseUrl = project.requireOutput("connectionUri"); // a secret
 * ```
 *
 * @example
 * ```ts
 * const production = new neon.Project(
 *   "production",
 *   {
 *     pgVersion: 17,
 *     historyRetentionSeconds: 7 * 86_400,
 *     defaultEndpointSettings: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 },
 *     settings: { allowedIps: { ips: ["203.0.113.0/24"] } },
 *   },
 *   { protect: true },
 * );
 * ```
 */
export class Project extends Resource {
  /** Name of the project. Names are not unique. */
  declare readonly name: pulumi.Output<string>;
  /** Region, such as `aws-eu-central-1`. */
  declare readonly regionId: pulumi.Output<string>;
  /** Major version of Postgres. */
  declare readonly pgVersion: pulumi.Output<number>;
  /** Id of the organization that owns the project, if any. */
  declare readonly orgId: pulumi.Output<string | undefined>;
  /** Provisioner of the computes, such as `k8s-neonvm`. */
  declare readonly provisioner: pulumi.Output<string | undefined>;
  /** Whether Neon stores the passwords of roles, so that they can be read again. */
  declare readonly storePasswords: pulumi.Output<boolean | undefined>;
  /** How long history is retained for branching and restore, in seconds. */
  declare readonly historyRetentionSeconds: pulumi.Output<number | undefined>;
  /**
   * The declared value.
   *
   * @deprecated Use `defaultEndpointSettings`.
   */
  declare readonly autoscalingLimitMinCu: pulumi.Output<number | undefined>;
  /**
   * The declared value.
   *
   * @deprecated Use `defaultEndpointSettings`.
   */
  declare readonly autoscalingLimitMaxCu: pulumi.Output<number | undefined>;
  /**
   * Settings of computes that are created from now on, and of the one that is created with the project. Existing
   * computes keep theirs.
   */
  declare readonly defaultEndpointSettings: pulumi.Output<pulumi.Unwrap<DefaultEndpointSettingsArgs> | undefined>;
  /** Settings of the project, including those that Neon chose. */
  declare readonly settings: pulumi.Output<pulumi.Unwrap<ProjectSettingsArgs> | undefined>;
  /** The declared value. */
  declare readonly branch: pulumi.Output<pulumi.Unwrap<FirstBranchArgs> | undefined>;
  /** Id of the project, the same as `id`. */
  declare readonly projectId: pulumi.Output<string>;
  /** Cloud platform, such as `aws`. */
  declare readonly platformId: pulumi.Output<string>;
  /** Host of the connection proxy. */
  declare readonly proxyHost: pulumi.Output<string | undefined>;
  /** Time at which HIPAA was enabled (ISO 8601, UTC). Absent if HIPAA is not enabled. */
  declare readonly hipaaEnabledAt: pulumi.Output<string | undefined>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;
  /** Id of the branch that was created with the project. */
  declare readonly defaultBranchId: pulumi.Output<string>;
  /** Id of the compute that was created with the project. */
  declare readonly endpointId: pulumi.Output<string | undefined>;
  /** Host of the compute that was created with the project. */
  declare readonly host: pulumi.Output<string | undefined>;
  /** Host of the connection pooler of the compute that was created with the project. */
  declare readonly poolerHost: pulumi.Output<string | undefined>;
  /**
   * Name of the role that was created with the project. If a refresh no longer finds it: name of the branch's only
   * role.
   */
  declare readonly roleName: pulumi.Output<string | undefined>;
  /**
   * Name of the database that was created with the project. If a refresh no longer finds it: name of the branch's only
   * database.
   */
  declare readonly databaseName: pulumi.Output<string | undefined>;
  /**
   * URI to connect to `databaseName` as `roleName`, including the password. A refresh reads it again. Until then, it
   * keeps its names and its password. Absent for an adopted project that does not store passwords or has several roles:
   * use {@link getConnectionUri}. Secret.
   */
  declare readonly connectionUri: pulumi.Output<string | undefined>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: ProjectArgs = {}, opts?: pulumi.CustomResourceOptions) {
    super(projectDefinition, name, args, opts);
  }

  /** Reads an existing project without managing it. The id has the form `<projectId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Project {
    return Resource.existing(Project, projectDefinition, name, id, opts);
  }

  /** Returns whether a value is a `Project`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Project {
    return Resource.isOfKind(value, "Project");
  }
}

true satisfies SameInputs<ProjectArgs, (typeof project)["inputs"]>;
