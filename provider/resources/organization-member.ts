import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { invalid, isNotFound } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { organizations } from "../../api/schemas/organization";
import {
  invitationCreate,
  type OrganizationInvitation,
  organizationInvitations,
} from "../../api/schemas/organization-invitation";
import {
  type MemberWithUser,
  organizationMember as wireMember,
  organizationMembers,
} from "../../api/schemas/organization-member";
import { type Collection, every } from "../call/collection";
import type { Context } from "../call/context";
import { creation } from "../kind/creation";
import { idOf } from "../kind/id";
import { adopt, ofOrganization, organizationOf } from "../kind/inputs";
import { defineKind } from "../kind/kind";
import { only, type OutputsOf } from "../kind/outputs";
import { namesakes } from "../kind/options";
import { omitUndefined } from "../values";
import { readOrganization } from "./organization";

const inputs = lazy(() =>
  z.strictObject({
    ...ofOrganization,
    email: invitationCreate.shape.email.describe("E-mail address of the person."),
    role: invitationCreate.shape.role.meta({
      description: "Role in the organization.",
      note: "Neon says that some roles may not be available in every organization.",
      change: "Neon refuses a change until the person has joined.",
    }),
    adopt: adopt.describe(
      "Adopts an existing member instead of inviting one, and applies the declared role. The id of the member or the e-mail address adopts that member, or the pending invitation of the address, and fails if there is none. `true` adopts the member with this e-mail address, or invites it.",
    ),
  }),
);
export type OrganizationMemberInputs = z.infer<ReturnType<typeof inputs>>;

const notJoined = {
  reason:
    "The person was invited and has not joined the organization yet. Run `pulumi refresh` once they have, and then `pulumi up`.",
};
const outputs = () => {
  const { id, userId, joinedAt } = camelShape(wireMember.shape);
  return z.object({
    orgId: z.string().describe("Id of the organization."),
    ...only(inputs().shape, "email"),
    role: z.string().describe("Role in the organization, or of the invitation."),
    memberId: id.optional().meta({ absence: notJoined }),
    userId: userId.optional().meta({ absence: notJoined }),
    joinedAt: joinedAt.meta({ absence: notJoined }),
  });
};
export type OrganizationMemberOutputs = OutputsOf<typeof outputs>;

/**
 * A person in an organization. Creating the resource invites the person, who becomes a member by joining. The e-mail
 * address identifies both the invitation and the member, so it is the id.
 */
export const organizationMember = defineKind<OrganizationMemberInputs, OrganizationMemberOutputs>({
  name: "OrganizationMember",
  noun: "organization member",
  inputs,
  outputs,
  identifiedBy: ["orgId", "email"],
  rules: { email: { onChange: "replace", equality: "caseless" } },
  replacement: { loss: "The old member loses access to the organization." },
  // E-mail addresses are case-insensitive.
  id: ({ orgId = "", email = "" }) => idOf(orgId, email.toLowerCase()),

  create: ({ orgId: declared, email, role }, defaults) => {
    const orgId = organizationOf(defaults, declared);
    return creation({
      what: "invite to the organization",
      request: organizationInvitations.create(orgId, { email, role }),
      // Inviting somebody again only sends another e-mail.
      repeatable: true,
      outputs: ({ invitations: [invitation] }) => ({ orgId, email: invitation?.email ?? email, role }),
      // Neon does not specify what happens if the person is already a member.
      overwrites: true,
    });
  },

  read: async (context, { orgId = "", email = "", memberId }) => {
    const member = await readMember(context, orgId, email);
    if (member !== undefined) return memberOutputs(orgId, member);
    // Accepted invitations stay in the list, so an invitation says nothing about somebody who has joined before.
    const invitation = memberId === undefined ? await readInvitation(context, orgId, email) : undefined;
    return invitation && { orgId, email: invitation.email, role: invitation.role };
  },

  update: async (context, { orgId, email, memberId }, { role }) => {
    // The person may have joined since the state was written.
    const id = memberId ?? (await readMember(context, orgId, email))?.member.id;
    if (id === undefined) {
      throw invalid(
        `${email} was invited to organization ${orgId} and has not joined yet: the role cannot be changed`,
        {
          fix: "Declare the role of the invitation until the person has joined.",
        },
      );
    }
    await context.change({
      what: "change role",
      request: organizationMembers.update(orgId, id, { role }),
      applies: ["role"],
      done: async () => (await readMember(context, orgId, email))?.member.role === role,
    });
  },

  remove: async (context, { orgId, email, memberId }) => {
    // The person may have joined since the state was written.
    const present = memberId ?? (await readMember(context, orgId, email))?.member.id;
    if (present === undefined) {
      if ((await readInvitation(context, orgId, email)) === undefined) return;
      context.warn(
        `The invitation of ${email} to organization ${orgId} cannot be withdrawn with Neon's API. It was removed from the Pulumi state: withdraw it in Neon's console, or the person can still join.`,
      );
      return;
    }
    await context.delete({
      what: "remove member",
      object: `member ${email}`,
      request: organizationMembers.remove(orgId, present),
      silent: true,
      exists: async () => (await readMember(context, orgId, email))?.member.id === present,
    });
  },

  // Only members count. Accepted invitations stay in the list, so an invitation does not prove that somebody is invited
  // now. The platform checks that.
  namesakes: (context, { orgId: declared, email }) => {
    const orgId = organizationOf(context, declared);
    return namesakes({
      collection: membersOf(context, orgId),
      matches: ({ user }) => user.email.toLowerCase() === email.toLowerCase(),
      outputs: (one) => memberOutputs(orgId, one),
    });
  },
  adopted: async (context, declared, named) => {
    const orgId = organizationOf(context, declared.orgId);
    if (named.includes("@")) return { orgId, email: named };
    for await (const { items } of context.pages(organizationMembers.list(orgId))) {
      const found = items.find(({ member: { id } }) => id === named);
      if (found !== undefined) return memberOutputs(orgId, found);
    }
    return undefined;
  },

  listing: {
    of: "organization",
    list: async (reader, { orgId }) =>
      (await every(reader.pages(organizationMembers.list(orgId)))).map(({ user: { email } }) => ({
        address: { email },
      })),
  },
});

async function readMember(context: Context, orgId: string, email: string): Promise<MemberWithUser | undefined> {
  return context.readOne(membersOf(context, orgId), email.toLowerCase());
}

/** The latest invitation of an address, pending or accepted. */
async function readInvitation(
  context: Context,
  orgId: string,
  email: string,
): Promise<OrganizationInvitation | undefined> {
  const { invitations } = await readOrganization(context, orgId, organizationInvitations.list(orgId));
  return invitations
    .filter((one) => one.email.toLowerCase() === email.toLowerCase())
    .sort((one, other) => Date.parse(other.invited_at) - Date.parse(one.invited_at))[0];
}

/** The members of an organization, by address. Fails if this key cannot see the organization. */
function membersOf({ visibility }: Context, orgId: string): Collection<MemberWithUser> {
  return {
    name: `organization-members/${orgId}`,
    pages: async function* (reader) {
      try {
        yield* reader.pages(organizationMembers.list(orgId));
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await readOrganization(
          { read: (request) => reader.read(request), visibility },
          orgId,
          organizations.get(orgId),
        );
        throw error;
      }
    },
    keyOf: ({ user: { email } }) => email.toLowerCase(),
  };
}

function memberOutputs(
  orgId: string,
  { member: { id: memberId, user_id: userId, role, joined_at: joinedAt }, user: { email } }: MemberWithUser,
): OrganizationMemberOutputs {
  return omitUndefined({ orgId, email, role, memberId, userId, joinedAt });
}
