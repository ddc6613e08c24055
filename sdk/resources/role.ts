import type * as pulumi from "@pulumi/pulumi";

import type { RoleInputs, RoleOutputs } from "../../provider/resources/role";
import { segmentsOf } from "../id";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";

/** What a program declares of a role. */
export interface RoleArgs {
  /** The project it belongs to. A change replaces the role. */
  readonly projectId: pulumi.Input<string>;
  /** The branch it belongs to: a role of one branch is none of another. A change replaces the role. */
  readonly branchId: pulumi.Input<string>;
  /**
   * Name, at most 63 bytes in UTF-8, unique on the branch; not one that begins with `pg`, and none of `neon_superuser`,
   * `cloud_admin`, `zenith_admin`, `public` and `none`. Default: the one that `adopt` names, else the resource's logical
   * name. A change replaces the role, the new one first, so that databases can be given to it before the old one goes.
   */
  readonly name?: pulumi.Input<string>;
  /** Whether the role cannot log in, and so has no password. Default: the platform's, `false`. A change replaces the role, the old one first. */
  readonly noLogin?: pulumi.Input<boolean>;
  /**
   * Any text: a change of it gives the role another password, in place. The old one is in force until that is done.
   * Setting it together with the role, or when that is taken over, does nothing yet.
   */
  readonly passwordTrigger?: pulumi.Input<string>;
  /**
   * Takes over a role instead of making one: with `true` that of this name on the branch, if there is one; with a text the
   * one that it names, by its name or its whole id in state, which then has to be there. A role cannot be renamed, so a
   * declared `name` has to be that of the role. Setting or removing it later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const outputs = {
  projectId: true,
  branchId: true,
  name: true,
  noLogin: true,
  passwordTrigger: true,
  password: true,
  authenticationMethod: true,
  protected: true,
  createdAt: true,
} as const;
const self: ResourceClass = { kind: "Role", outputs: Object.keys(outputs), secrets: ["password"] };

/**
 * A Postgres role of a branch. It can be used when Pulumi says that it is created.
 *
 * The platform tells its password once; it is kept as a secret in the state, and not asked for again. A role that owns
 * databases cannot be deleted: give them another owner first. The role that a project is born with can be adopted; going
 * only with its project, it is then released from the state on destroy.
 *
 * @example
 * ```ts
 * const role = new neon.Role("app", { projectId: project.id, branchId: branch.branchId });
 * const database = new neon.Database("shop", {
 *   projectId: project.id,
 *   branchId: branch.branchId,
 *   ownerName: role.name,
 * });
 * export const password = role.password;
 * ```
 */
export class Role extends Resource {
  /** The project it belongs to. */
  declare readonly projectId: pulumi.Output<string>;
  /** The branch it belongs to. */
  declare readonly branchId: pulumi.Output<string>;
  /** The role's name. */
  declare readonly name: pulumi.Output<string>;
  /** Whether it cannot log in. */
  declare readonly noLogin: pulumi.Output<boolean | undefined>;
  /** As declared. */
  declare readonly passwordTrigger: pulumi.Output<string | undefined>;
  /**
   * Its password. Secret. A role that cannot log in has none; nor has one that was taken over in a project that stores no
   * passwords, until a change of `passwordTrigger` gives it another.
   */
  declare readonly password: pulumi.Output<string | undefined>;
  /** `password`, `oauth` or `no_login`, or what a newer platform says. */
  declare readonly authenticationMethod: pulumi.Output<string | undefined>;
  /** Whether the platform itself keeps it. */
  declare readonly protected: pulumi.Output<boolean | undefined>;
  /** When it was made; ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: RoleArgs, opts?: pulumi.CustomResourceOptions) {
    super(self, name, args, opts);
  }

  /**
   * A role that exists, without managing it. Its id is that of the project, that of the branch and its name, each
   * percent-encoded, with slashes between.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Role {
    const segment = segmentsOf(id, "<project>/<branch>/<name>");
    return new Role(name, { projectId: segment(0), branchId: segment(1), name: segment(2) }, { ...opts, id });
  }

  /** Whether this is a role, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is Role {
    return Resource.isOfType(value, typeToken("Role"));
  }
}

true satisfies SameInputs<RoleArgs, RoleInputs>;
true satisfies SameNames<keyof typeof outputs, RoleOutputs>;
