import type * as pulumi from "@pulumi/pulumi";

/** Libraries that Postgres loads at startup. */
export interface PreloadLibrariesArgs {
  /** Whether to load Neon's default libraries. */
  readonly useDefaults?: pulumi.Input<boolean>;
  /** Names of the libraries to load, in any order. */
  readonly enabledLibraries?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Postgres settings of a compute. */
export interface EndpointSettingsArgs {
  /** Postgres settings: names and values as strings. A change replaces all of them. */
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
 * const preview = new neon.Branch("preview", { projectId: project.id, compute });
 * ```
 */
export interface ComputeArgs {
  /**
   * Minimum size for autoscaling, in compute units (CU; 1 CU has about 4 GB of memory): 0.25, 0.5, 1 to 16 in steps of 1,
   * 18 to 56 in steps of 2. Updated in place: the compute restarts, which drops its connections. Sizes are those of Neon's
   * documentation.
   */
  readonly autoscalingLimitMinCu?: pulumi.Input<number>;
  /**
   * Maximum size for autoscaling, in compute units (CU): at most 8 CU above the minimum, and at most 16 CU unless it is
   * equal to the minimum. Updated in place.
   */
  readonly autoscalingLimitMaxCu?: pulumi.Input<number>;
  /** Seconds of inactivity after which Neon suspends the compute: 60 to 604800, -1 for never, 0 for Neon's default. Updated in place. */
  readonly suspendTimeoutSeconds?: pulumi.Input<number>;
  /** Provisioner of the compute, such as `k8s-neonvm`. Updated in place. */
  readonly provisioner?: pulumi.Input<string>;
  /** Postgres settings of the compute. Updated in place. A change of a member replaces the whole member. */
  readonly settings?: pulumi.Input<EndpointSettingsArgs>;
}

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
  /** Minimum size for autoscaling, in compute units (CU). For the valid sizes see {@link ComputeArgs}. */
  readonly autoscalingLimitMinCu?: pulumi.Input<number>;
  /** Maximum size for autoscaling, in compute units (CU). For the valid sizes see {@link ComputeArgs}. */
  readonly autoscalingLimitMaxCu?: pulumi.Input<number>;
  /** Seconds of inactivity after which Neon suspends a compute. For the valid values see {@link ComputeArgs}. */
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
  /** Single addresses, ranges (`a-b`) or CIDR blocks, in any order. Empty: all addresses. */
  readonly ips?: pulumi.Input<pulumi.Input<string>[]>;
  /** Whether the list applies to protected branches only. */
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
  /** Usage limits. Updated in place. */
  readonly quota?: pulumi.Input<QuotaArgs>;
  /** IP addresses that can connect to the computes. Updated in place. */
  readonly allowedIps?: pulumi.Input<AllowedIpsArgs>;
  /** Whether logical replication is enabled. Enabling it suspends active computes. It cannot be disabled again. Updated in place. */
  readonly enableLogicalReplication?: pulumi.Input<boolean>;
  /** Weekly time window for maintenance. Default: chosen by Neon. Updated in place. */
  readonly maintenanceWindow?: pulumi.Input<MaintenanceWindowArgs>;
  /** Whether connections from the internet are rejected, regardless of `allowedIps`. Updated in place. */
  readonly blockPublicConnections?: pulumi.Input<boolean>;
  /** Whether connections through VPC endpoints are rejected. Updated in place. */
  readonly blockVpcConnections?: pulumi.Input<boolean>;
  /** Level of audit logging. It can only be raised, from `base` to `extended` to `full`. Updated in place. */
  readonly auditLogLevel?: pulumi.Input<"base" | "extended" | "full">;
  /** Whether HIPAA compliance is enabled. The organization must allow it. It cannot be disabled again. Updated in place. */
  readonly hipaa?: pulumi.Input<boolean>;
  /** Libraries that Postgres loads at startup. Updated in place. */
  readonly preloadLibraries?: pulumi.Input<PreloadLibrariesArgs>;
}

/** The branch, role and database that are created with a project. */
export interface FirstBranchArgs {
  /** Name of the branch. Default: chosen by Neon, such as `main`. */
  readonly name?: pulumi.Input<string>;
  /** Name of the role that owns the database. Default: the database's name with the suffix `_owner`. */
  readonly roleName?: pulumi.Input<string>;
  /** Name of the database. Default: `neondb`. */
  readonly databaseName?: pulumi.Input<string>;
  /** Annotations of the branch: names and values as strings. */
  readonly annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
