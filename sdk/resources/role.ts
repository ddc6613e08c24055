// Generated from provider/resources/role.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { role } from "../../provider/resources/role";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link Role}. */
export interface RoleArgs {
  /** Id of the project. Changing it replaces the role. */
  readonly projectId: pulumi.Input<string>;
  /**
   * Id of the branch. It needs a read-write compute: declare `compute` of the {@link Branch}, or let this resource
   * depend on its {@link Endpoint} with `dependsOn`. Otherwise Neon refuses roles. Changing it replaces the role.
   */
  readonly branchId: pulumi.Input<string>;
  /**
   * Name of the role, unique on the branch. At most 63 bytes in UTF-8. It must not start with `pg` or be one of
   * `neon_superuser`, `cloud_admin`, `zenith_admin`, `public` and `none`. Default: the resource's logical name.
   * Changing it replaces the role. The new role is created first, so that databases can change their owner before the
   * old role is deleted.
   */
  readonly name?: pulumi.Input<string>;
  /**
   * Whether the role cannot log in. Such a role has no password. Default: `false`. Changing it replaces the role. The
   * old role is deleted first.
   */
  readonly noLogin?: pulumi.Input<boolean>;
  /**
   * Any string. Changing it, or adding it later, resets the password in place. The old password stays valid until the
   * reset has finished. Creating or adopting the resource does not do so, and removing the property has no effect.
   */
  readonly passwordTrigger?: pulumi.Input<string>;
  /**
   * Adopts an existing role instead of creating one, such as one that the branch has from its parent. A name adopts
   * that role and fails if it does not exist. `true` adopts the role with this `name`, or creates one if there is none.
   * A role cannot be renamed, so a declared `name` must be the role's name. Setting or removing `adopt` later has no
   * effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const roleDefinition: ResourceDefinition = {
  kind: "Role",
  id: ["projectId", "branchId", "name"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    name: "plain",
    noLogin: "plain",
    passwordTrigger: "plain",
    password: "secret",
    authenticationMethod: "plain",
    protected: "plain",
    createdAt: "plain",
  },
  absences: {
    password: {
      reason:
        "The role was adopted in a project that does not store passwords. Change `passwordTrigger` to reset the password.",
      unless: {
        output: "noLogin",
        value: true,
        reason: "A role that cannot log in has no password: remove `noLogin`, or use another role.",
      },
    },
  },
};

/**
 * A Postgres role of a branch. When Pulumi reports it as created, it is ready to use.
 *
 * The password is read once and stored in the state as a secret. A role that owns databases cannot be deleted: give
 * them another owner first.
 *
 * You can adopt the role that Neon creates with a project. It cannot be deleted on its own: `pulumi destroy` removes it
 * from the state with a warning, and it is deleted with its project.
 *
 * Neon API: `POST /projects/{project_id}/branches/{branch_id}/roles`,
 * `DELETE /projects/{project_id}/branches/{branch_id}/roles/{role_name}`.
 *
 * @example
 * ```ts
 * const app = new neon.Role("app", { projectId: project.id, branchId: staging.branchId });
 * const orders = new neon.Database("orders", {
 *   projectId: project.id,
 *   branchId: staging.branchId,
 *   ownerName: app.name,
 * });
 * export const password = app.requireOutput("password"); // a secret
 * ```
 *
 * @example
 * ```ts
 * // Resets the password each time the trigger changes.
 * const reporting = new neon.Role("reporting", {
 *   projectId: project.id,
 *   branchId: staging.branchId,
 *   passwordTrigger: config.get("passwordOf") ?? "first",
 * });
 * ```
 */
export class Role extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Name of the role, unique on the branch. */
  declare readonly name: pulumi.Output<string>;
  /** Whether the role cannot log in. Such a role has no password. */
  declare readonly noLogin: pulumi.Output<boolean | undefined>;
  /** The declared value. */
  declare readonly passwordTrigger: pulumi.Output<string | undefined>;
  /**
   * Password of the role. Absent for a role that cannot log in. Absent, too, for a role that was adopted in a project
   * that does not store passwords, until a change of `passwordTrigger` resets it. Secret.
   */
  declare readonly password: pulumi.Output<string | undefined>;
  /** `password`, `oauth` or `no_login`. Newer versions of the API can return other values. */
  declare readonly authenticationMethod: pulumi.Output<string | undefined>;
  /** Whether Neon manages the role. */
  declare readonly protected: pulumi.Output<boolean | undefined>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: RoleArgs, opts?: pulumi.CustomResourceOptions) {
    super(roleDefinition, name, args, opts);
  }

  /**
   * Reads an existing role without managing it. The id has the form `<projectId>/<branchId>/<name>`, with
   * percent-encoded segments.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Role {
    return Resource.existing(Role, roleDefinition, name, id, opts);
  }

  /** Returns whether a value is a `Role`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Role {
    return Resource.isOfKind(value, "Role");
  }
}

true satisfies SameInputs<RoleArgs, (typeof role)["inputs"]>;
