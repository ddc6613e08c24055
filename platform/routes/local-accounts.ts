import { z } from "zod";

import { badRequest } from "../http-error";
import type { LocalPaths } from "../http/local-route";
import { validate } from "../model/routing/validation";
import { createKey, signInKeyName } from "../model/accounts/api-key";
import { acceptInvitations } from "../model/accounts/invitation";
import { plans } from "../model/accounts/limits";
import {
  createOrganization,
  listMembers,
  memberResponse,
  organizationResponse,
  removeMember,
  setMember,
} from "../model/accounts/organization";
import { getOrCreateUser, normalizeEmail, userResponse } from "../model/accounts/user";
import type { ControlPlane } from "../model/control-plane";
import type { OrganizationRow } from "../model/accounts/organization-row";
import type { UserRow } from "../model/accounts/user-row";

const accountEmail = z.email("must be an e-mail address").max(256);
const organizationInput = z.strictObject({
  name: z.string().min(1).max(64),
  plan: z.enum(plans).optional(),
  projects_limit: z.int().min(0).optional(),
  allow_hipaa_projects: z.boolean().optional(),
  /** Default: the first user. */
  administrator: accountEmail.optional(),
});
const userInput = z.strictObject({ email: accountEmail.optional(), user_id: z.string().optional() });
type UserInput = z.infer<typeof userInput>;
const memberInput = userInput.extend({ role: z.enum(["admin", "member"]).default("member") });
const signInInput = z.strictObject({
  email: accountEmail.optional(),
  key_name: z.string().min(1).max(64).default(signInKeyName),
});
const integrationsInput = z.strictObject({ integrations: z.array(z.enum(["github", "vercel"])) });

/** Actions that the real platform has in its console instead of its API: sign-in, organizations, members and integrations. */
export const localAccountPaths: LocalPaths = {
  "/local/sign-in": {
    POST: {
      status: 201,
      handle: ({ controlPlane, body }) => {
        const input = validate(signInInput, body ?? {}, "body");
        const user = getOrCreateUser(controlPlane, input.email);
        acceptInvitations(controlPlane, user);
        const { key, row } = createKey(controlPlane, { user_id: user.id }, input.key_name);
        return { user: userResponse(controlPlane, user), apiKey: key, keyId: row.id };
      },
    },
  },
  "/local/organizations": {
    GET: {
      handle: ({ controlPlane }) => ({
        organizations: controlPlane.tables.organizations
          .list({}, "ORDER BY created_at")
          .map((row) => ({ ...organizationResponse(row), members: memberResponses(controlPlane, row) })),
      }),
    },
    POST: {
      status: 201,
      handle: ({ controlPlane, body }) => {
        const { administrator, ...input } = validate(organizationInput, body, "body");
        const user = getOrCreateUser(controlPlane, administrator);
        return organizationResponse(createOrganization(controlPlane, input, user));
      },
    },
  },
  "/local/organizations/:org_id/members": {
    GET: {
      handle: ({ controlPlane, parameter }) => ({
        members: memberResponses(controlPlane, getOrganization(controlPlane, parameter("org_id"))),
      }),
    },
    POST: {
      handle: ({ controlPlane, parameter, body }) => {
        const organization = getOrganization(controlPlane, parameter("org_id"));
        const { role, ...input } = validate(memberInput, body, "body");
        // A new address gets an account, as with an invitation.
        const { email: address } = requireOneId(input);
        const user = address === undefined ? getUser(controlPlane, input) : getOrCreateUser(controlPlane, address);
        return memberResponse(controlPlane, setMember(controlPlane, organization, user, role));
      },
    },
    DELETE: {
      handle: ({ controlPlane, parameter, query, body }) => {
        const organization = getOrganization(controlPlane, parameter("org_id"));
        const where = body === undefined ? "query parameter" : "body";
        const input = validate(userInput, body ?? query, where);
        return memberResponse(controlPlane, removeMember(controlPlane, organization, getUser(controlPlane, input)));
      },
    },
  },
  "/local/projects/:project_id/integrations": {
    PUT: {
      handle: ({ controlPlane, parameter, body }) => {
        const { projects } = controlPlane.tables;
        const project = projects.getOr404("project", { id: parameter("project_id"), deleted_at: null });
        const input = validate(integrationsInput, body, "body");
        projects.put({ ...project, ...input });
        return input;
      },
    },
  },
};

function memberResponses(controlPlane: ControlPlane, { id }: OrganizationRow): object[] {
  return listMembers(controlPlane, id).map((row) => memberResponse(controlPlane, row));
}

function getOrganization({ tables }: ControlPlane, id: string): OrganizationRow {
  return tables.organizations.getOr404("organization", { id });
}

function getUser({ tables }: ControlPlane, input: UserInput): UserRow {
  const { email: address, user_id: id = "" } = requireOneId(input);
  return tables.users.getOr404("user", address === undefined ? { id } : { email: normalizeEmail(address) });
}

function requireOneId(input: UserInput): UserInput {
  if ((input.email === undefined) === (input.user_id === undefined)) {
    throw badRequest("identify the user by either email or user_id");
  }
  return input;
}
