// Generated from provider/resources/trigger.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { trigger } from "../../provider/resources/trigger";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Invokes the function of a {@link Trigger} at these times. */
export interface TriggerScheduleArgs {
  /**
   * Times in UTC: minute, hour, day of the month, month and day of the week, as numbers. Names, macros such as
   * `@daily`, and seconds are not supported.
   */
  readonly cron: pulumi.Input<string>;
}

/** Invokes the function of a {@link Trigger} for each object that is uploaded. */
export interface TriggerStorageObjectCreatedArgs {
  /** Name of the bucket. */
  readonly bucketName: pulumi.Input<string>;
  /** The prefix that the key of an object must have. Default: every object invokes the function. */
  readonly prefix?: pulumi.Input<string>;
}

/** Arguments of a {@link Trigger}. */
export interface TriggerArgs {
  /** Id of the project. Changing it replaces the trigger. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. Changing it replaces the trigger. */
  readonly branchId: pulumi.Input<string>;
  /**
   * Name of the trigger, unique on the branch. At most 256 characters. Default: the resource's logical name. Updated in
   * place.
   */
  readonly name?: pulumi.Input<string>;
  /** Slug of the function. Use the output `slug` of a {@link Function}. Updated in place. */
  readonly functionSlug: pulumi.Input<string>;
  /**
   * Path of the function's URL that is called. At most 2048 characters. It has no query. Default: `/`. Updated in
   * place.
   */
  readonly functionPath?: pulumi.Input<string>;
  /**
   * Invokes the function at these times. Updated in place. Changing from `schedule` to `storageObjectCreated`, or back,
   * replaces the trigger; the old one is deleted first.
   */
  readonly schedule?: pulumi.Input<TriggerScheduleArgs>;
  /**
   * Invokes the function for each uploaded object. Updated in place. A change to or from `schedule` replaces the
   * trigger.
   */
  readonly storageObjectCreated?: pulumi.Input<TriggerStorageObjectCreatedArgs>;
  /** Whether the trigger invokes its function. Default: `true`. Updated in place. */
  readonly enabled?: pulumi.Input<boolean>;
  /**
   * Adopts an existing trigger instead of creating one, such as one that the branch has from its parent, and applies
   * the declared arguments to it. An id adopts that trigger and fails if it does not exist. `true` adopts the trigger
   * with this `name`, or creates one if there is none. One from the parent is disabled until the program declares
   * `enabled: true`. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const triggerDefinition: ResourceDefinition = {
  kind: "Trigger",
  id: ["projectId", "branchId", "triggerId"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    name: "plain",
    functionSlug: "plain",
    functionPath: "plain",
    schedule: "plain",
    storageObjectCreated: "plain",
    enabled: "plain",
    triggerId: "fromId",
    type: "plain",
    inherited: "plain",
  },
};

/**
 * Invokes a {@link Function} of a branch: on a schedule, or for each object that is uploaded to a bucket. Neon's API
 * for it is in beta.
 *
 * Neon sends a `POST` request to the function's URL with `functionPath`, at least once for each occasion. Its body is a
 * JSON object: `version`, `invocation_id`, `trigger` and `data`, which has `scheduled_at`, or `bucket_name` and
 * `object_key`. The request has no credentials: anyone who knows the URL can send one like it.
 *
 * A child branch has the triggers of its parent, disabled. To run one there too, declare it for the child with
 * `adopt: true` and `enabled: true`: that makes it the child's own, and leaves the parent's alone. Destroying it hides
 * it on the child for good.
 *
 * Neon API: `GET` and `POST /projects/{project_id}/branches/{branch_id}/triggers`, `GET`, `PATCH` and
 * `DELETE /projects/{project_id}/branches/{branch_id}/triggers/{trigger_id}`.
 *
 * @example
 * ```ts
 * const project = new neon.Project("shop", { regionId: "aws-us-east-2" });
 * const at = { projectId: project.id, branchId: project.defaultBranchId };
 * const api = new neon.Function("api", { ...at, code: neon.bundle("api/index.ts") });
 * const uploads = new neon.Bucket("uploads", at);
 * new neon.Trigger("hourly", { ...at, functionSlug: api.slug, schedule: { cron: "0 * * * *" } });
 * new neon.Trigger("thumbnails", {
 *   ...at,
 *   functionSlug: api.slug,
 *   storageObjectCreated: { bucketName: uploads.name, prefix: "in/" },
 *   functionPath: "/thumbnail",
 * });
 * ```
 */
export class Trigger extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Name of the trigger, unique on the branch. */
  declare readonly name: pulumi.Output<string>;
  /** Slug of the function. */
  declare readonly functionSlug: pulumi.Output<string>;
  /** Path of the function's URL that is called. */
  declare readonly functionPath: pulumi.Output<string>;
  /** Invokes the function at these times. */
  declare readonly schedule: pulumi.Output<pulumi.Unwrap<TriggerScheduleArgs> | undefined>;
  /** Invokes the function for each uploaded object. */
  declare readonly storageObjectCreated: pulumi.Output<pulumi.Unwrap<TriggerStorageObjectCreatedArgs> | undefined>;
  /** Whether the trigger invokes its function. */
  declare readonly enabled: pulumi.Output<boolean>;
  /** Id of the trigger, the same on all branches that have it. */
  declare readonly triggerId: pulumi.Output<string>;
  /** `schedule` or `storage_object_created`. */
  declare readonly type: pulumi.Output<string>;
  /** Whether the branch has the trigger from its parent. The first change makes it the branch's own. */
  declare readonly inherited: pulumi.Output<boolean>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: TriggerArgs, opts?: pulumi.CustomResourceOptions) {
    super(triggerDefinition, name, args, opts);
  }

  /** Reads an existing trigger without managing it. The id has the form `<projectId>/<branchId>/<triggerId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Trigger {
    return Resource.existing(Trigger, triggerDefinition, name, id, opts);
  }

  /** Returns whether a value is a `Trigger`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Trigger {
    return Resource.isOfKind(value, "Trigger");
  }
}

true satisfies SameInputs<TriggerArgs, (typeof trigger)["inputs"]>;
