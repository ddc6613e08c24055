// Generated from provider/resources/organization-member.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { organizationMember } from "../../provider/resources/organization-member";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of an {@link OrganizationMember}. */
export interface OrganizationMemberArgs {
  /**
   * Id of the organization. Default: the provider's `orgId`. Without it, the property is required. Changing it replaces
   * the organization member.
   */
  readonly orgId?: pulumi.Input<string>;
  /** E-mail address of the person. At most 256 characters. Changing it replaces the organization member. */
  readonly email: pulumi.Input<string>;
  /**
   * Role in the organization. Neon says that some roles may not be available in every organization. Updated in place.
   * Neon refuses a change until the person has joined.
   */
  readonly role: pulumi.Input<"admin" | "member" | "editor" | "viewer" | "collaborator">;
  /**
   * Adopts an existing member instead of inviting one, and applies the declared role. The id of the member or the
   * e-mail address adopts that member, or the pending invitation of the address, and fails if there is none. `true`
   * adopts the member with this e-mail address, or invites it. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const organizationMemberDefinition: ResourceDefinition = {
  kind: "OrganizationMember",
  id: ["orgId", "email"],
  outputs: { orgId: "plain", email: "plain", role: "plain", memberId: "plain", userId: "plain", joinedAt: "plain" },
  absences: {
    memberId: {
      reason:
        "The person was invited and has not joined the organization yet. Run `pulumi refresh` once they have, and then `pulumi up`.",
    },
    userId: {
      reason:
        "The person was invited and has not joined the organization yet. Run `pulumi refresh` once they have, and then `pulumi up`.",
    },
    joinedAt: {
      reason:
        "The person was invited and has not joined the organization yet. Run `pulumi refresh` once they have, and then `pulumi up`.",
    },
  },
};

/**
 * A person in an organization. Creating the resource invites the e-mail address: somebody who has an account joins at
 * once, others once they have created one. Until then, `memberId` is absent; `pulumi refresh` reads it afterwards.
 *
 * Destroying the resource removes the member from the organization. An invitation that is not accepted yet cannot be
 * withdrawn with the API: it is removed from the state with a warning. The last administrator of an organization cannot
 * be removed.
 *
 * Neon API: `POST /organizations/{org_id}/invitations`, `GET /organizations/{org_id}/members`, `PATCH` and
 * `DELETE /organizations/{org_id}/members/{member_id}`.
 *
 * @example
 * ```ts
 * new neon.OrganizationMember("ann", { orgId: "org-quiet-river-302709", email: "ann@example.com", role: "admin" });
 * ```
 *
 * @example
 * ```ts
 * // The people of a team; those who are members already are adopted.
 * for (const email of ["bob@example.com", "eve@example.com"]) {
 *   new neon.OrganizationMember(email, { email, role: "member", adopt: true });
 * }
 * ```
 */
export class OrganizationMember extends Resource {
  /** Id of the organization. */
  declare readonly orgId: pulumi.Output<string>;
  /** E-mail address of the person. */
  declare readonly email: pulumi.Output<string>;
  /** Role in the organization, or of the invitation. */
  declare readonly role: pulumi.Output<string>;
  /** Id of the member in the organization. */
  declare readonly memberId: pulumi.Output<string | undefined>;
  /** Id of the member's account. */
  declare readonly userId: pulumi.Output<string | undefined>;
  /** Time at which the member joined (ISO 8601, UTC). */
  declare readonly joinedAt: pulumi.Output<string | undefined>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: OrganizationMemberArgs, opts?: pulumi.CustomResourceOptions) {
    super(organizationMemberDefinition, name, args, opts);
  }

  /**
   * Reads an existing organization member without managing it. The id has the form `<orgId>/<email>`, with
   * percent-encoded segments.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): OrganizationMember {
    return Resource.existing(OrganizationMember, organizationMemberDefinition, name, id, opts);
  }

  /** Returns whether a value is an `OrganizationMember`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is OrganizationMember {
    return Resource.isOfKind(value, "OrganizationMember");
  }
}

true satisfies SameInputs<OrganizationMemberArgs, (typeof organizationMember)["inputs"]>;
