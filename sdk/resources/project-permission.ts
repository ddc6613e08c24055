// Generated from provider/resources/project-permission.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { projectPermission } from "../../provider/resources/project-permission";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link ProjectPermission}. */
export interface ProjectPermissionArgs {
  /** Id of the project. Changing it replaces the project permission. */
  readonly projectId: pulumi.Input<string>;
  /**
   * E-mail address of the account that the project is shared with. At most 256 characters. Changing it replaces the
   * project permission.
   */
  readonly email: pulumi.Input<string>;
  /**
   * Adopts an existing project permission instead of creating one. An id adopts that project permission and fails if it
   * does not exist. `true` adopts the project permission with this `email`, or creates one if there is none. Setting or
   * removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const projectPermissionDefinition: ResourceDefinition = {
  kind: "ProjectPermission",
  id: ["projectId", "permissionId"],
  outputs: { projectId: "plain", email: "plain", permissionId: "fromId", grantedAt: "plain" },
};

/**
 * Access to a project for an account outside its organization. Destroying the resource revokes the access.
 *
 * Neon API: `POST /projects/{project_id}/permissions`, `GET /projects/{project_id}/permissions`,
 * `DELETE /projects/{project_id}/permissions/{permission_id}`.
 *
 * @example
 * ```ts
 * new neon.ProjectPermission("consultant", { projectId: project.id, email: "consultant@example.com" });
 * ```
 *
 * @example
 * ```ts
 * for (const email of ["alice@example.com", "bob@example.com"]) {
 *   new neon.ProjectPermission(email, { projectId: project.id, email });
 * }
 * ```
 */
export class ProjectPermission extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** E-mail address of the account that the project is shared with. */
  declare readonly email: pulumi.Output<string>;
  /** Id of the permission. */
  declare readonly permissionId: pulumi.Output<string>;
  /** Time at which access was granted (ISO 8601, UTC). */
  declare readonly grantedAt: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: ProjectPermissionArgs, opts?: pulumi.CustomResourceOptions) {
    super(projectPermissionDefinition, name, args, opts);
  }

  /** Reads an existing project permission without managing it. The id has the form `<projectId>/<permissionId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectPermission {
    return Resource.existing(ProjectPermission, projectPermissionDefinition, name, id, opts);
  }

  /** Returns whether a value is a `ProjectPermission`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is ProjectPermission {
    return Resource.isOfKind(value, "ProjectPermission");
  }
}

true satisfies SameInputs<ProjectPermissionArgs, (typeof projectPermission)["inputs"]>;
