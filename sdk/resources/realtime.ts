// Generated from provider/resources/realtime.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { realtime } from "../../provider/resources/realtime";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link Realtime}. */
export interface RealtimeArgs {
  /** Id of the project. Changing it replaces the Realtime service. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. A branch has Realtime once or not at all. Changing it replaces the Realtime service. */
  readonly branchId: pulumi.Input<string>;
  /**
   * Origins of browsers that can connect. Each is `http` or `https` with a host and an optional port, such as
   * `https://shop.example.com`. An empty list, or `*` alone, allows any. Default: those of the parent branch if it has
   * Realtime, or else any. Updated in place.
   */
  readonly allowedOrigins?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Any string. Changing it, or adding it later, gives the branch another secret, and the old one stops working at
   * once. Creating or adopting the resource does not do so, and removing the property has no effect.
   */
  readonly rotateTrigger?: pulumi.Input<string>;
  /**
   * Adopts the Realtime that a branch has instead of enabling it, and applies the declared arguments to it. The id of
   * the branch adopts its Realtime and fails if it has none. `true` adopts it, or enables Realtime if the branch has
   * none: declare it for a branch whose parent has Realtime, which a new branch inherits. Setting or removing `adopt`
   * later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const realtimeDefinition: ResourceDefinition = {
  kind: "Realtime",
  id: ["projectId", "branchId"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    allowedOrigins: "plain",
    rotateTrigger: "plain",
    invocationUrl: "plain",
    secret: "secret",
  },
};

/**
 * Realtime for a branch (beta): live SQL queries, which clients subscribe to over a WebSocket. The server of an
 * application seals queries with `secret`, its `NEON_REALTIME_SECRET`, and clients connect to `invocationUrl`, its
 * `NEON_REALTIME_URL`.
 *
 * Enabling Realtime turns on logical replication for the whole project, which cannot be turned off again, and suspends
 * all computes of the project, which closes their connections. They start again with the next connection. Neon offers
 * Realtime in some regions only.
 *
 * A new branch inherits the Realtime of its parent, with a URL and a secret of its own: declare `adopt: true` there.
 * Deleting the resource disables Realtime and discards the secret. Logical replication stays on.
 *
 * Neon API: `GET`, `POST` and `DELETE /projects/{project_id}/branches/{branch_id}/realtime`, and below it `/secret` and
 * `/rotate_secret`.
 *
 * @example
 * ```ts
 * const realtime = new neon.Realtime("live", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   allowedOrigins: ["https://shop.example.com"],
 * });
 * // For the server of the application.
 * export const secret = realtime.secret;
 * // For its pages.
 * export const url = realtime.invocationUrl;
 * ```
 *
 * @example
 * ```ts
 * // The Realtime that a new branch has from its parent.
 * new neon.Realtime("live-staging", {
 *   projectId: project.id,
 *   branchId: staging.branchId,
 *   allowedOrigins: ["http://localhost:3000"],
 *   adopt: true,
 * });
 * ```
 */
export class Realtime extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Origins of browsers that can connect. Empty if all can. */
  declare readonly allowedOrigins: pulumi.Output<string[]>;
  /** The declared value. */
  declare readonly rotateTrigger: pulumi.Output<string | undefined>;
  /** URL that clients connect to: the `NEON_REALTIME_URL` of an application. */
  declare readonly invocationUrl: pulumi.Output<string>;
  /**
   * Key that the server of an application seals queries with: its `NEON_REALTIME_SECRET`. Anyone who has it can run any
   * query. Secret.
   */
  declare readonly secret: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: RealtimeArgs, opts?: pulumi.CustomResourceOptions) {
    super(realtimeDefinition, name, args, opts);
  }

  /** Reads an existing Realtime service without managing it. The id has the form `<projectId>/<branchId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Realtime {
    return Resource.existing(Realtime, realtimeDefinition, name, id, opts);
  }

  /** Returns whether a value is a `Realtime`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Realtime {
    return Resource.isOfKind(value, "Realtime");
  }
}

true satisfies SameInputs<RealtimeArgs, (typeof realtime)["inputs"]>;
