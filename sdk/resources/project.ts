import type * as pulumi from "@pulumi/pulumi";

import type { ProjectInputs, ProjectOutputs } from "../../provider/resources/project";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";
import type { DefaultEndpointSettingsArgs, FirstBranchArgs, ProjectSettingsArgs } from "./project-settings";

/** What a program declares of a project. What it leaves out is the platform's to choose, and never a difference. */
export interface ProjectArgs {
  /** Name, 1 to 256 characters, not necessarily unique. Default: the resource's logical name. Changed in place. */
  readonly name?: pulumi.Input<string>;
  /** Region such as `aws-eu-central-1`. Default: the platform's. A change replaces the project. */
  readonly regionId?: pulumi.Input<string>;
  /** Major version of Postgres, 14 or newer. Default: the platform's. A change replaces the project. */
  readonly pgVersion?: pulumi.Input<number>;
  /** Organization that owns the project. Default: `neon:orgId`, or that of an organization's key. A change replaces the project. */
  readonly orgId?: pulumi.Input<string>;
  /** How computes are provisioned, such as `k8s-neonvm`. A change replaces the project. */
  readonly provisioner?: pulumi.Input<string>;
  /** Whether the platform keeps role passwords so that they can be read again. Default: it does. A change replaces the project. */
  readonly storePasswords?: pulumi.Input<boolean>;
  /** How far back history is kept for branching and restore, in seconds, 0 to 2592000; plans cap it. Changed in place. */
  readonly historyRetentionSeconds?: pulumi.Input<number>;
  /**
   * Smallest size of the first compute, in CU. Only when the project is made.
   *
   * @deprecated Use `defaultEndpointSettings`.
   */
  readonly autoscalingLimitMinCu?: pulumi.Input<number>;
  /**
   * Largest size of the first compute, in CU. Only when the project is made.
   *
   * @deprecated Use `defaultEndpointSettings`.
   */
  readonly autoscalingLimitMaxCu?: pulumi.Input<number>;
  /** What computes start with that are made from now on. Changed in place. */
  readonly defaultEndpointSettings?: pulumi.Input<DefaultEndpointSettingsArgs>;
  /** Settings of the whole project. Changed in place, but for those that say otherwise. */
  readonly settings?: pulumi.Input<ProjectSettingsArgs>;
  /** The branch, role and database it is born with. A change replaces the project: to rename the branch, adopt it as a `Branch`. */
  readonly branch?: pulumi.Input<FirstBranchArgs>;
  /**
   * Takes over a project instead of making one: that of this id, or with `true` the only one of this name. What is
   * declared is then applied to it. Setting or removing it later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const outputs = {
  name: true,
  regionId: true,
  pgVersion: true,
  orgId: true,
  provisioner: true,
  storePasswords: true,
  historyRetentionSeconds: true,
  autoscalingLimitMinCu: true,
  autoscalingLimitMaxCu: true,
  defaultEndpointSettings: true,
  settings: true,
  branch: true,
  projectId: true,
  platformId: true,
  proxyHost: true,
  createdAt: true,
  defaultBranchId: true,
  endpointId: true,
  host: true,
  poolerHost: true,
  roleName: true,
  databaseName: true,
  connectionUri: true,
} as const;
const self: ResourceClass = { kind: "Project", outputs: Object.keys(outputs), secrets: ["connectionUri"] };

/**
 * A project: the platform's unit of Postgres, with a branch, a compute, a role and a database from the start. It is
 * usable when Pulumi says that it is created.
 *
 * Replacing or deleting a project deletes all its data.
 *
 * @example
 * ```ts
 * const project = new neon.Project("shop", { regionId: "aws-eu-central-1" });
 * export const url = project.connectionUri;
 * ```
 */
export class Project extends Resource {
  /** The project's name. */
  declare readonly name: pulumi.Output<string>;
  /** The region, such as `aws-eu-central-1`. */
  declare readonly regionId: pulumi.Output<string>;
  /** Major version of Postgres. */
  declare readonly pgVersion: pulumi.Output<number>;
  /** The organization it belongs to, if any. */
  declare readonly orgId: pulumi.Output<string | undefined>;
  /** How computes are provisioned. */
  declare readonly provisioner: pulumi.Output<string | undefined>;
  /** Whether the platform keeps role passwords. */
  declare readonly storePasswords: pulumi.Output<boolean | undefined>;
  /** How far back history is kept, in seconds. */
  declare readonly historyRetentionSeconds: pulumi.Output<number | undefined>;
  /** As declared. */
  declare readonly autoscalingLimitMinCu: pulumi.Output<number | undefined>;
  /** As declared. */
  declare readonly autoscalingLimitMaxCu: pulumi.Output<number | undefined>;
  /** What computes start with. */
  declare readonly defaultEndpointSettings: pulumi.Output<pulumi.Unwrap<DefaultEndpointSettingsArgs> | undefined>;
  /** Settings of the whole project, those included that the platform chose. */
  declare readonly settings: pulumi.Output<pulumi.Unwrap<ProjectSettingsArgs> | undefined>;
  /** The branch, role and database it was to be born with, as declared. */
  declare readonly branch: pulumi.Output<pulumi.Unwrap<FirstBranchArgs> | undefined>;
  /** The project's id; the same as `id`. */
  declare readonly projectId: pulumi.Output<string>;
  /** The cloud platform, such as `aws`. */
  declare readonly platformId: pulumi.Output<string>;
  /** Host of the connection proxy. */
  declare readonly proxyHost: pulumi.Output<string | undefined>;
  /** When it was made; ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The branch it was born with. */
  declare readonly defaultBranchId: pulumi.Output<string>;
  /** The compute it was born with. */
  declare readonly endpointId: pulumi.Output<string | undefined>;
  /** Host of that compute. */
  declare readonly host: pulumi.Output<string | undefined>;
  /** Host of the connection pooler before that compute. */
  declare readonly poolerHost: pulumi.Output<string | undefined>;
  /** The role it was born with. */
  declare readonly roleName: pulumi.Output<string | undefined>;
  /** The database it was born with. */
  declare readonly databaseName: pulumi.Output<string | undefined>;
  /** URI to connect to that database as that role. Secret. Not known of an adopted project that stores no passwords or has several roles. */
  declare readonly connectionUri: pulumi.Output<string | undefined>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: ProjectArgs = {}, opts?: pulumi.CustomResourceOptions) {
    super(self, name, args, opts);
    // The id is known even in the preview of a change, where other outputs are not.
    this.projectId = this.id;
  }

  /** A project that exists, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Project {
    return new Project(name, {}, { ...opts, id });
  }

  /** Whether this is a project, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is Project {
    return Resource.isOfType(value, typeToken("Project"));
  }
}

true satisfies SameInputs<ProjectArgs, ProjectInputs>;
true satisfies SameNames<keyof typeof outputs, ProjectOutputs>;
