// Generated from provider/resources/endpoint.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { endpoint } from "../../provider/resources/endpoint";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";
import type { EndpointSettingsArgs } from "./branch";

/** Arguments of an {@link Endpoint}. Neon chooses the values that you omit. They never cause a diff. */
export interface EndpointArgs {
  /** Id of the project. Changing it replaces the compute. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. Changing it replaces the compute. The new compute has another host. */
  readonly branchId: pulumi.Input<string>;
  /**
   * Type of the compute: `read_write` or `read_only` (a read replica). A branch has at most one read-write compute: if
   * a {@link Branch} declares it as `compute`, you cannot declare it here. The roles and databases of the branch need
   * it: let them depend on this resource with `dependsOn`. Changing it replaces the compute.
   */
  readonly type: pulumi.Input<"read_write" | "read_only">;
  /** Region of the compute. It must be the project's region, which is the default. Changing it replaces the compute. */
  readonly regionId?: pulumi.Input<string>;
  /** Name of the compute. At most 64 characters. Default: the resource's logical name. Updated in place. */
  readonly name?: pulumi.Input<string>;
  /**
   * Whether the compute is disabled: it is suspended, and connecting to it does not start it. After you set `false`, it
   * starts with the next connection, or immediately with `state: "active"`. Default: `false`. Updated in place.
   */
  readonly disabled?: pulumi.Input<boolean>;
  /**
   * `active` starts the compute and `idle` suspends it, when the resource is created or adopted and when this value
   * changes. Afterwards Neon suspends and starts the compute as usual, which is not drift. To keep a compute active,
   * set `suspendTimeoutSeconds` to -1. Default: Neon decides.
   */
  readonly state?: pulumi.Input<"active" | "idle">;
  /**
   * Any string. Changing it, or adding it later, restarts the compute in place, which drops its connections. A compute
   * that is disabled, or declared as `idle`, is not restarted. Creating or adopting the resource does not do so, and
   * removing the property has no effect.
   */
  readonly restartTrigger?: pulumi.Input<string>;
  /**
   * Whether connections without a password are allowed. Neon stores this value but does not use it yet. Default:
   * `true`. Updated in place.
   */
  readonly passwordlessAccess?: pulumi.Input<boolean>;
  /**
   * Whether all connections are pooled, also those that do not use the pooler's host. Default: `false`. Updated in
   * place.
   *
   * @deprecated Connect to `poolerHost` for a pooled connection.
   */
  readonly poolerEnabled?: pulumi.Input<boolean>;
  /**
   * Pooling mode. Default: `transaction`. Updated in place.
   *
   * @deprecated There is only one mode. Connect to `poolerHost` for a pooled connection.
   */
  readonly poolerMode?: pulumi.Input<"transaction">;
  /**
   * Adopts an existing compute instead of creating one, and applies the declared arguments and the name to it. An id
   * adopts that compute and fails if it does not exist. `true` adopts the branch's read-write compute, or creates it if
   * there is none. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
  /**
   * Minimum size for autoscaling, in compute units (CU). 1 CU has about 4 GB of memory. Sizes are 0.25, 0.5, 1 to 16 in
   * steps of 1, and 18 to 56 in steps of 2, as in Neon's documentation. Updated in place. A change restarts the
   * compute, which drops its connections.
   */
  readonly autoscalingLimitMinCu?: pulumi.Input<number>;
  /**
   * Maximum size for autoscaling, in compute units (CU). It is at most 8 CU above the minimum, and at most 16 CU unless
   * it is equal to the minimum. Updated in place.
   */
  readonly autoscalingLimitMaxCu?: pulumi.Input<number>;
  /**
   * Seconds of inactivity after which Neon suspends a compute. -1: never. 0: Neon's default. Other values are 60 to
   * 604800. Updated in place.
   */
  readonly suspendTimeoutSeconds?: pulumi.Input<number>;
  /** Provisioner of the compute, such as `k8s-neonvm`. Default: `k8s-neonvm`. Updated in place. */
  readonly provisioner?: pulumi.Input<string>;
  /** Postgres settings of the compute. Updated in place. A change of a member replaces the whole member. */
  readonly settings?: pulumi.Input<EndpointSettingsArgs>;
}

const endpointDefinition: ResourceDefinition = {
  kind: "Endpoint",
  id: ["projectId", "endpointId"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    type: "plain",
    regionId: "plain",
    name: "plain",
    autoscalingLimitMinCu: "plain",
    autoscalingLimitMaxCu: "plain",
    suspendTimeoutSeconds: "plain",
    provisioner: "plain",
    settings: "plain",
    disabled: "plain",
    state: "plain",
    restartTrigger: "plain",
    passwordlessAccess: "plain",
    poolerEnabled: "plain",
    poolerMode: "plain",
    endpointId: "fromId",
    host: "plain",
    poolerHost: "plain",
    createdAt: "plain",
  },
};

/**
 * A compute of a branch: a read replica or the read-write compute. When Pulumi reports it as created, it is ready to
 * use.
 *
 * Prefer to declare the read-write compute as `compute` of its {@link Branch}, which creates both in one request.
 *
 * You can adopt the compute that Neon creates with a project. It cannot be deleted on its own: `pulumi destroy` removes
 * it from the state with a warning, and it is deleted with its project.
 *
 * Neon API: `POST /projects/{project_id}/endpoints`, `PATCH` and
 * `DELETE /projects/{project_id}/endpoints/{endpoint_id}`.
 *
 * @example
 * ```ts
 * const replica = new neon.Endpoint("reports", {
 *   projectId: project.id,
 *   branchId: staging.branchId,
 *   type: "read_only",
 *   autoscalingLimitMaxCu: 1,
 * });
 * export const reportsHost = replica.host;
 * ```
 *
 * @example
 * ```ts
 * // A read-write compute that restarts each time the trigger changes.
 * const development = new neon.Branch("development", { projectId: project.id });
 * const primary = new neon.Endpoint("primary", {
 *   projectId: project.id,
 *   branchId: development.branchId,
 *   type: "read_write",
 *   suspendTimeoutSeconds: 300,
 *   restartTrigger: config.get("restart") ?? "never",
 * });
 * ```
 */
export class Endpoint extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Type of the compute: `read_write` or `read_only`. */
  declare readonly type: pulumi.Output<"read_write" | "read_only">;
  /** Region of the compute. */
  declare readonly regionId: pulumi.Output<string | undefined>;
  /** Name of the compute. Absent if it has none. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** Minimum size for autoscaling, in compute units (CU). */
  declare readonly autoscalingLimitMinCu: pulumi.Output<number | undefined>;
  /** Maximum size for autoscaling, in compute units (CU). */
  declare readonly autoscalingLimitMaxCu: pulumi.Output<number | undefined>;
  /** Seconds of inactivity after which Neon suspends a compute. -1: never. 0: Neon's default. */
  declare readonly suspendTimeoutSeconds: pulumi.Output<number | undefined>;
  /** Provisioner of the compute, such as `k8s-neonvm`. */
  declare readonly provisioner: pulumi.Output<string | undefined>;
  /** Postgres settings of the compute. */
  declare readonly settings: pulumi.Output<pulumi.Unwrap<EndpointSettingsArgs> | undefined>;
  /** Whether the compute is disabled: it is suspended, and connecting to it does not start it. */
  declare readonly disabled: pulumi.Output<boolean | undefined>;
  /** The declared value. To read the current state, use {@link getEndpoint}. */
  declare readonly state: pulumi.Output<"active" | "idle" | undefined>;
  /** The declared value. */
  declare readonly restartTrigger: pulumi.Output<string | undefined>;
  /** Whether connections without a password are allowed. Neon stores this value but does not use it yet. */
  declare readonly passwordlessAccess: pulumi.Output<boolean | undefined>;
  /**
   * Whether all connections are pooled, also those that do not use the pooler's host.
   *
   * @deprecated Connect to `poolerHost` for a pooled connection.
   */
  declare readonly poolerEnabled: pulumi.Output<boolean | undefined>;
  /**
   * Pooling mode.
   *
   * @deprecated There is only one mode. Connect to `poolerHost` for a pooled connection.
   */
  declare readonly poolerMode: pulumi.Output<"transaction" | undefined>;
  /** Id of the compute, such as `ep-cool-darkness-123456`. */
  declare readonly endpointId: pulumi.Output<string>;
  /** Host to connect to. */
  declare readonly host: pulumi.Output<string>;
  /** Host of the compute's connection pooler. */
  declare readonly poolerHost: pulumi.Output<string | undefined>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: EndpointArgs, opts?: pulumi.CustomResourceOptions) {
    super(endpointDefinition, name, args, opts);
  }

  /** Reads an existing compute without managing it. The id has the form `<projectId>/<endpointId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Endpoint {
    return Resource.existing(Endpoint, endpointDefinition, name, id, opts);
  }

  /** Returns whether a value is an `Endpoint`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Endpoint {
    return Resource.isOfKind(value, "Endpoint");
  }
}

true satisfies SameInputs<EndpointArgs, (typeof endpoint)["inputs"]>;
