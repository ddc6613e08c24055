// Generated from provider/resources/project-member-role.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { projectMemberRole } from "../../provider/resources/project-member-role";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link ProjectMemberRole}. */
export interface ProjectMemberRoleArgs {
  /** Id of the project. Changing it replaces the project member role. */
  readonly projectId: pulumi.Input<string>;
  /**
   * Id of the member in the organization, as `memberId` of an `OrganizationMember`. Changing it replaces the project
   * member role.
   */
  readonly memberId: pulumi.Input<string>;
  /** `viewer` reads the project, `editor` also changes it, `admin` manages it. Updated in place. */
  readonly role: pulumi.Input<"viewer" | "editor" | "admin">;
  /**
   * Whether to give the user of the API key a lower role. Neon refuses that otherwise. Exists in Pulumi only. Default:
   * `false`.
   */
  readonly confirmSelfDemotion?: pulumi.Input<boolean>;
  /**
   * Whether to delete this resource if the user of the API key can then no longer manage the project. Neon refuses that
   * otherwise. Set it with `pulumi up` before you destroy the resource. Exists in Pulumi only. Default: `false`.
   */
  readonly confirmSelfLockout?: pulumi.Input<boolean>;
  /**
   * `true`, or the member's id, adopts the existing role and overwrites it with the declared one. If omitted, creating
   * the resource fails if the member has a role in the project. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const projectMemberRoleDefinition: ResourceDefinition = {
  kind: "ProjectMemberRole",
  id: ["projectId", "memberId"],
  outputs: {
    projectId: "plain",
    memberId: "plain",
    role: "plain",
    confirmSelfDemotion: "plain",
    confirmSelfLockout: "plain",
  },
};

/**
 * The role of a member of an organization in one of its projects, instead of the role that the member has in the
 * organization. Administrators of the organization keep all rights. Destroying the resource removes the role, so that
 * the one in the organization counts again. Neon offers it to organizations with permissions per project.
 *
 * Neon API: `GET /projects/{project_id}/members`, `PUT` and `DELETE /projects/{project_id}/members/{member_id}/role`.
 *
 * @example
 * ```ts
 * const ann = new neon.OrganizationMember("ann", { email: "ann@example.com", role: "member" });
 * new neon.ProjectMemberRole("ann-reads-the-shop", {
 *   projectId: project.id,
 *   memberId: ann.requireOutput("memberId"),
 *   role: "viewer",
 * });
 * ```
 */
export class ProjectMemberRole extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the member in the organization, as `memberId` of an `OrganizationMember`. */
  declare readonly memberId: pulumi.Output<string>;
  /** Role in the project: `viewer`, `editor`, `admin`. */
  declare readonly role: pulumi.Output<string>;
  /** The declared value. */
  declare readonly confirmSelfDemotion: pulumi.Output<boolean | undefined>;
  /** The declared value. */
  declare readonly confirmSelfLockout: pulumi.Output<boolean | undefined>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: ProjectMemberRoleArgs, opts?: pulumi.CustomResourceOptions) {
    super(projectMemberRoleDefinition, name, args, opts);
  }

  /** Reads an existing project member role without managing it. The id has the form `<projectId>/<memberId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectMemberRole {
    return Resource.existing(ProjectMemberRole, projectMemberRoleDefinition, name, id, opts);
  }

  /** Returns whether a value is a `ProjectMemberRole`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is ProjectMemberRole {
    return Resource.isOfKind(value, "ProjectMemberRole");
  }
}

true satisfies SameInputs<ProjectMemberRoleArgs, (typeof projectMemberRole)["inputs"]>;
