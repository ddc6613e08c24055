import type * as pulumi from "@pulumi/pulumi";

import type { ProjectPermissionInputs, ProjectPermissionOutputs } from "../../provider/resources/project-permission";
import { segmentsOf } from "../id";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";

/** What a program declares of a permission. */
export interface ProjectPermissionArgs {
  /** The project to give access to. A change replaces the permission. */
  readonly projectId: pulumi.Input<string>;
  /** Mail address of the account that gets access, 1 to 256 characters. A change replaces the permission. */
  readonly email: pulumi.Input<string>;
  /**
   * Takes over a permission instead of granting one: that of this id, or with `true` that of this address if it has one.
   * Setting or removing it later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const outputs = {
  projectId: true,
  email: true,
  permissionId: true,
  grantedAt: true,
} as const;
const self: ResourceClass = { kind: "ProjectPermission", outputs: Object.keys(outputs), secrets: [] };

/**
 * Access to one project for an account outside of it, by the account's mail address. Destroying the resource revokes it.
 *
 * @example
 * ```ts
 * new neon.ProjectPermission("consultant", { projectId: project.id, email: "consultant@example.com" });
 * ```
 */
export class ProjectPermission extends Resource {
  /** The project that access is given to. */
  declare readonly projectId: pulumi.Output<string>;
  /** Mail address of the account that has access. */
  declare readonly email: pulumi.Output<string>;
  /** The permission's id. */
  declare readonly permissionId: pulumi.Output<string>;
  /** When access was granted; ISO 8601 in UTC. */
  declare readonly grantedAt: pulumi.Output<string>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: ProjectPermissionArgs, opts?: pulumi.CustomResourceOptions) {
    super(self, name, args, opts);
    // The id is known even in the preview of a change, where other outputs are not.
    this.permissionId = this.id.apply((id) => decodeURIComponent(id.slice(id.lastIndexOf("/") + 1)));
  }

  /** A permission that exists, without managing it. Its id is that of the project and that of the permission, with a slash between. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectPermission {
    // Whom it is for is told by the platform.
    const args: Partial<ProjectPermissionArgs> = { projectId: segmentsOf(id, "<project>/<permission>")(0) };
    return new ProjectPermission(name, args as ProjectPermissionArgs, { ...opts, id });
  }

  /** Whether this is a permission, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is ProjectPermission {
    return Resource.isOfType(value, typeToken("ProjectPermission"));
  }
}

true satisfies SameInputs<ProjectPermissionArgs, ProjectPermissionInputs>;
true satisfies SameNames<keyof typeof outputs, ProjectPermissionOutputs>;
