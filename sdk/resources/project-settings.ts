import type * as pulumi from "@pulumi/pulumi";

/** Libraries that Postgres loads when it starts. */
export interface PreloadLibrariesArgs {
  /** Whether to load the platform's default libraries. */
  readonly useDefaults?: pulumi.Input<boolean>;
  /** Names of the libraries to load. The order does not matter. */
  readonly enabledLibraries?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Settings of a compute. */
export interface EndpointSettingsArgs {
  /** Postgres settings by name, as texts. Replaces the whole map. */
  readonly pgSettings?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * PgBouncer settings by name, as texts.
   *
   * @deprecated The platform has announced the removal of this setting.
   */
  readonly pgbouncerSettings?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Libraries that Postgres loads when it starts. */
  readonly preloadLibraries?: pulumi.Input<PreloadLibrariesArgs>;
}

/** The read-write compute of a branch. */
export interface ComputeArgs {
  /**
   * Smallest size while autoscaling, in compute units (CU; 1 CU has about 4 GB of memory): 0.25, 0.5, 1 to 16 in steps
   * of 1, 18 to 56 in steps of 2. Changed in place; the compute restarts and connections drop.
   */
  readonly autoscalingLimitMinCu?: pulumi.Input<number>;
  /** Largest size, in CU: at most 8 CU above the smallest, and at most 16 CU unless the two are equal. Changed in place. */
  readonly autoscalingLimitMaxCu?: pulumi.Input<number>;
  /** Seconds without activity after which the compute is suspended: -1 never, 0 the platform's default, or 60 to 604800. Changed in place. */
  readonly suspendTimeoutSeconds?: pulumi.Input<number>;
  /** How the compute is provisioned, such as `k8s-neonvm`. Changed in place. */
  readonly provisioner?: pulumi.Input<string>;
  /** Settings of Postgres in this compute. Changed in place, each member as a whole. */
  readonly settings?: pulumi.Input<EndpointSettingsArgs>;
}

/** What computes made later in a project start with. */
export interface DefaultEndpointSettingsArgs {
  /** Postgres settings by name, as texts. */
  readonly pgSettings?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * PgBouncer settings by name, as texts.
   *
   * @deprecated The platform has announced the removal of this setting.
   */
  readonly pgbouncerSettings?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Smallest size while autoscaling, in CU; see {@link ComputeArgs}. */
  readonly autoscalingLimitMinCu?: pulumi.Input<number>;
  /** Largest size, in CU; see {@link ComputeArgs}. */
  readonly autoscalingLimitMaxCu?: pulumi.Input<number>;
  /** Seconds without activity after which a compute is suspended; see {@link ComputeArgs}. */
  readonly suspendTimeoutSeconds?: pulumi.Input<number>;
}

/** What a project may use in a billing period. 0 or left out: no limit. */
export interface QuotaArgs {
  /** Seconds in which any compute is active. */
  readonly activeTimeSeconds?: pulumi.Input<number>;
  /** Compute seconds. */
  readonly computeTimeSeconds?: pulumi.Input<number>;
  /** Bytes written. */
  readonly writtenDataBytes?: pulumi.Input<number>;
  /** Bytes transferred. */
  readonly dataTransferBytes?: pulumi.Input<number>;
  /** Size of one branch in bytes; reaching it blocks writes only. */
  readonly logicalSizeBytes?: pulumi.Input<number>;
}

/** From where computes can be reached. */
export interface AllowedIpsArgs {
  /** Single addresses, ranges `a-b`, or CIDR blocks. Empty: everywhere. The order does not matter. */
  readonly ips?: pulumi.Input<pulumi.Input<string>[]>;
  /** Whether this holds for protected branches only. */
  readonly protectedBranchesOnly?: pulumi.Input<boolean>;
}

/** When the platform may maintain computes; all times in UTC. */
export interface MaintenanceWindowArgs {
  /** Days of the week, 1 (Monday) to 7. The order does not matter. */
  readonly weekdays: pulumi.Input<pulumi.Input<number>[]>;
  /** Time of day such as `09:00`. */
  readonly startTime: pulumi.Input<string>;
  /** Time of day such as `10:00`. */
  readonly endTime: pulumi.Input<string>;
}

/** Settings of a whole project. Only what is declared is sent; the rest is left alone. */
export interface ProjectSettingsArgs {
  /** Usage limits. Changed in place. */
  readonly quota?: pulumi.Input<QuotaArgs>;
  /** From where computes can be reached. Changed in place. */
  readonly allowedIps?: pulumi.Input<AllowedIpsArgs>;
  /** Logical replication. Switching it on suspends active computes; it can never be switched off again. */
  readonly enableLogicalReplication?: pulumi.Input<boolean>;
  /** When the platform may maintain computes. Default: chosen by the platform. Changed in place. */
  readonly maintenanceWindow?: pulumi.Input<MaintenanceWindowArgs>;
  /** Whether connections from the internet are refused, whatever `allowedIps` says. Changed in place. */
  readonly blockPublicConnections?: pulumi.Input<boolean>;
  /** Whether connections through VPC endpoints are refused. Changed in place. */
  readonly blockVpcConnections?: pulumi.Input<boolean>;
  /** How much is logged for audits. Can only be raised, from `base` to `extended` to `full`. */
  readonly auditLogLevel?: pulumi.Input<"base" | "extended" | "full">;
  /** HIPAA compliance; the organization must allow it. Changed in place, as far as the platform lets it. */
  readonly hipaa?: pulumi.Input<boolean>;
  /** Libraries that Postgres loads when it starts. Changed in place. */
  readonly preloadLibraries?: pulumi.Input<PreloadLibrariesArgs>;
}

/** The branch, role and database that a project is born with. */
export interface FirstBranchArgs {
  /** Name of the branch. Default: the platform's, such as `main`. */
  readonly name?: pulumi.Input<string>;
  /** Name of the role that owns the database. Default: the database's name with `_owner` behind it. */
  readonly roleName?: pulumi.Input<string>;
  /** Name of the database. Default: `neondb`. */
  readonly databaseName?: pulumi.Input<string>;
  /** Texts stored beside the branch. */
  readonly annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
