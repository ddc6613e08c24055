import * as pulumi from "@pulumi/pulumi";

import type { EndpointInputs, EndpointOutputs } from "../../provider/resources/endpoint";
import { segmentsOf } from "../id";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";
import type { ComputeArgs, EndpointSettingsArgs } from "./project-settings";

/** What a program declares of a compute. What it leaves out is the platform's to choose, and never a difference. */
export interface EndpointArgs extends ComputeArgs {
  /** The project of the branch. A change replaces the compute. */
  readonly projectId: pulumi.Input<string>;
  /** The branch that it serves. A change replaces the compute, which gives it another host. */
  readonly branchId: pulumi.Input<string>;
  /**
   * `read_write`, of which a branch has at most one, or `read_only`, a read replica. A change replaces the compute. The
   * read-write one of a `Branch` that declares `compute` belongs to that branch and cannot be declared here.
   */
  readonly type: pulumi.Input<"read_write" | "read_only">;
  /** The region; only the project's own is allowed. Default: that one. A change replaces the compute. */
  readonly regionId?: pulumi.Input<string>;
  /** Name, 1 to 64 characters. Default: the resource's logical name. Changed in place. */
  readonly name?: pulumi.Input<string>;
  /**
   * Whether nobody can start the compute, not even by connecting to it. Setting it suspends the compute; after it is set
   * back to `false` the compute starts with the next connection, or with `state`. Changed in place.
   */
  readonly disabled?: pulumi.Input<boolean>;
  /**
   * What the compute is to do now: `active` starts it, `idle` suspends it, when it is made, taken over, or when this
   * changes. Afterwards the platform goes on suspending it after inactivity and starting it for connections; that is no
   * difference. To keep a compute awake, set `suspendTimeoutSeconds` to -1. Default: left to the platform.
   */
  readonly state?: pulumi.Input<"active" | "idle">;
  /**
   * Any text; a change of it, and declaring it later, restarts the compute in place, which drops its connections. A
   * compute that is disabled, or idle as declared, is left at rest. Removing it changes nothing.
   */
  readonly restartTrigger?: pulumi.Input<string>;
  /** Whether connections may do without a password. The platform stores this and does nothing with it so far. Changed in place. */
  readonly passwordlessAccess?: pulumi.Input<boolean>;
  /**
   * Whether connections are pooled whatever host they use. Changed in place.
   *
   * @deprecated Connect to `poolerHost` for a pooled connection.
   */
  readonly poolerEnabled?: pulumi.Input<boolean>;
  /**
   * How connections are pooled. Changed in place.
   *
   * @deprecated There is only one mode. Connect to `poolerHost` for a pooled connection.
   */
  readonly poolerMode?: pulumi.Input<"transaction">;
  /**
   * Takes over a compute instead of making one: that of this id, or with `true` the branch's read-write one. What is
   * declared, the name included, is then applied to it. Setting or removing it later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const outputs = {
  projectId: true,
  branchId: true,
  type: true,
  regionId: true,
  name: true,
  autoscalingLimitMinCu: true,
  autoscalingLimitMaxCu: true,
  suspendTimeoutSeconds: true,
  provisioner: true,
  settings: true,
  disabled: true,
  state: true,
  restartTrigger: true,
  passwordlessAccess: true,
  poolerEnabled: true,
  poolerMode: true,
  endpointId: true,
  host: true,
  poolerHost: true,
  createdAt: true,
} as const;
const self: ResourceClass = { kind: "Endpoint", outputs: Object.keys(outputs), secrets: [] };

/**
 * A compute of a branch: a read replica, or the read-write one. It is usable when Pulumi says that it is created.
 *
 * A branch's read-write compute is best declared as `compute` of its {@link Branch}, which makes both in one request. The
 * compute that a project is born with can be adopted; it came with the project, so it is then released from the state on
 * destroy.
 *
 * @example
 * ```ts
 * const replica = new neon.Endpoint("reports", {
 *   projectId: project.id,
 *   branchId: branch.branchId,
 *   type: "read_only",
 *   autoscalingLimitMaxCu: 1,
 * });
 * export const reportsHost = replica.host;
 * ```
 */
export class Endpoint extends Resource {
  /** The project it belongs to. */
  declare readonly projectId: pulumi.Output<string>;
  /** The branch that it serves. */
  declare readonly branchId: pulumi.Output<string>;
  /** Whether it can write. */
  declare readonly type: pulumi.Output<"read_write" | "read_only">;
  /** Its region. */
  declare readonly regionId: pulumi.Output<string | undefined>;
  /** Its name. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** Smallest size while autoscaling, in CU. */
  declare readonly autoscalingLimitMinCu: pulumi.Output<number | undefined>;
  /** Largest size, in CU. */
  declare readonly autoscalingLimitMaxCu: pulumi.Output<number | undefined>;
  /** Seconds without activity after which it is suspended; -1 never, 0 the platform's default. */
  declare readonly suspendTimeoutSeconds: pulumi.Output<number | undefined>;
  /** How it is provisioned. */
  declare readonly provisioner: pulumi.Output<string | undefined>;
  /** Settings of Postgres in it. */
  declare readonly settings: pulumi.Output<pulumi.Unwrap<EndpointSettingsArgs> | undefined>;
  /** Whether nobody can start it. */
  declare readonly disabled: pulumi.Output<boolean | undefined>;
  /** As declared: what it does at the moment is told by {@link getEndpoint}. */
  declare readonly state: pulumi.Output<"active" | "idle" | undefined>;
  /** As declared. */
  declare readonly restartTrigger: pulumi.Output<string | undefined>;
  /** Whether connections may do without a password. */
  declare readonly passwordlessAccess: pulumi.Output<boolean | undefined>;
  /**
   * Whether connections are pooled whatever host they use.
   *
   * @deprecated Connect to `poolerHost` for a pooled connection.
   */
  declare readonly poolerEnabled: pulumi.Output<boolean | undefined>;
  /**
   * How connections are pooled.
   *
   * @deprecated There is only one mode.
   */
  declare readonly poolerMode: pulumi.Output<"transaction" | undefined>;
  /** The compute's id, such as `ep-cool-darkness-123456`. */
  declare readonly endpointId: pulumi.Output<string>;
  /** Its host. */
  declare readonly host: pulumi.Output<string>;
  /** Host of the connection pooler before it. */
  declare readonly poolerHost: pulumi.Output<string | undefined>;
  /** When it was made; ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: EndpointArgs, opts?: pulumi.CustomResourceOptions) {
    super(self, name, args, opts);
    // The id is known even in the preview of a change, where other outputs are not.
    this.endpointId = this.id.apply((id) => id.slice(id.lastIndexOf("/") + 1));
  }

  /** A compute that exists, without managing it. Its id is that of the project and that of the compute, with a slash between. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Endpoint {
    // What it serves is told by the platform.
    const args: Partial<EndpointArgs> = { projectId: segmentsOf(id, "<project>/<compute>")(0) };
    return new Endpoint(name, args as EndpointArgs, { ...opts, id });
  }

  /** Whether this is a compute, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is Endpoint {
    return Resource.isOfType(value, typeToken("Endpoint"));
  }
}

true satisfies SameInputs<EndpointArgs, EndpointInputs>;
true satisfies SameNames<keyof typeof outputs, EndpointOutputs>;
