import { z } from "zod";

import { badRequest, notFound } from "../http-error";
import { read } from "../http/route";
import { createKey } from "../model/api-key";
import type { ControlPlane } from "../model/control-plane";
import {
  createOrganization,
  memberAnswer,
  membersOf,
  organizationAnswer,
  removeMember,
  setMember,
} from "../model/organization";
import { plans } from "../model/plan";
import type { OrganizationRow, UserRow } from "../model/rows";
import { addressOf, firstUser, userAnswer, userWith } from "../model/user";

/** Something that the real platform does in its console, and never with a key. */
export interface LocalRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** 200 unless given. */
  readonly status?: 201;
  /** Runs in one transaction. */
  readonly answer: (context: LocalContext) => object;
}

interface LocalContext {
  readonly plane: ControlPlane;
  readonly parameter: (name: string) => string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const email = z.email("must be an e-mail address").max(256);
const newOrganization = z.strictObject({
  name: z.string().min(1).max(64),
  plan: z.enum(plans).optional(),
  projects_limit: z.int().min(0).optional(),
  allow_hipaa_projects: z.boolean().optional(),
  /** Default: the user whose platform it is. */
  administrator: email.optional(),
});
const person = { email: email.optional(), user_id: z.string().optional() };
const newMember = z.strictObject({ ...person, role: z.enum(["admin", "member"]).default("member") });
const signIn = z.strictObject({
  email: email.optional(),
  key_name: z.string().min(1).max(64).default("console sign-in"),
});
const integrations = z.strictObject({ integrations: z.array(z.enum(["github", "vercel"])) });

const organizations = "/local/organizations";
const members = `${organizations}/:org_id/members`;

/** Users, organizations and their members, as the console would show and change them. */
export const accountRoutes: readonly LocalRoute[] = [
  {
    method: "POST",
    path: "/local/sign-in",
    status: 201,
    answer: ({ plane, body }) => {
      const asked = read(signIn, body ?? {}, "body");
      const user = asked.email === undefined ? firstUser(plane) : userWith(plane, asked.email);
      const { key, row } = createKey(plane, { user_id: user.id }, asked.key_name);
      return { user: userAnswer(user), apiKey: key, keyId: row.id };
    },
  },
  {
    method: "GET",
    path: organizations,
    answer: ({ plane }) => ({
      organizations: plane.tables.organizations
        .list({}, "ORDER BY created_at")
        .map((row) => ({ ...organizationAnswer(row), members: membersAnswer(plane, row) })),
    }),
  },
  {
    method: "POST",
    path: organizations,
    status: 201,
    answer: ({ plane, body }) => {
      const { administrator, ...asked } = read(newOrganization, body, "body");
      const user = administrator === undefined ? firstUser(plane) : userWith(plane, administrator);
      return organizationAnswer(createOrganization(plane, asked, user));
    },
  },
  {
    method: "GET",
    path: members,
    answer: ({ plane, parameter }) => ({
      members: membersAnswer(plane, organizationWith(plane, parameter("org_id"))),
    }),
  },
  {
    method: "POST",
    path: members,
    answer: ({ plane, parameter, body }) => {
      const organization = organizationWith(plane, parameter("org_id"));
      const { role, ...who } = read(newMember, body, "body");
      // Whoever is added by an address that is new gets an account with it, as somebody who is invited does.
      const { email: address } = requireOne(who);
      const user = address === undefined ? personNamed(plane, who) : userWith(plane, address);
      return memberAnswer(plane, setMember(plane, organization, user, role));
    },
  },
  {
    method: "DELETE",
    path: members,
    answer: ({ plane, parameter, query, body }) => {
      const organization = organizationWith(plane, parameter("org_id"));
      const who = read(z.strictObject(person), body ?? query, body === undefined ? "query parameter" : "body");
      return memberAnswer(plane, removeMember(plane, organization, personNamed(plane, who)));
    },
  },
  {
    method: "PUT",
    path: "/local/projects/:project_id/integrations",
    answer: ({ plane, parameter, body }) => {
      const project = plane.tables.projects.get({ id: parameter("project_id"), deleted_at: null });
      if (!project) throw notFound("project");
      const asked = read(integrations, body, "body");
      plane.tables.projects.put({ ...project, ...asked });
      return asked;
    },
  },
];

interface Person {
  readonly email?: string | undefined;
  readonly user_id?: string | undefined;
}

function membersAnswer(plane: ControlPlane, { id }: OrganizationRow): object[] {
  return membersOf(plane, id).map((row) => memberAnswer(plane, row));
}

function organizationWith({ tables }: ControlPlane, id: string): OrganizationRow {
  const found = tables.organizations.get({ id });
  if (!found) throw notFound("organization");
  return found;
}

function personNamed({ tables }: ControlPlane, who: Person): UserRow {
  const { email: address, user_id: id = "" } = requireOne(who);
  const found = tables.users.get(address === undefined ? { id } : { email: addressOf(address) });
  if (!found) throw notFound("user");
  return found;
}

function requireOne(who: Person): Person {
  if ((who.email === undefined) === (who.user_id === undefined)) {
    throw badRequest("name the user by one of email and user_id");
  }
  return who;
}
