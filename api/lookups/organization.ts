import { z } from "zod";

import type { NeonClient } from "../client";
import { invalid } from "../core/errors";
import { lazy } from "../core/lazy";
import { type Organization, organization, organizations } from "../schemas/organization";
import { idArgument } from "./id-argument";
import { type Account, lookup } from "./lookup";
import { resultOf } from "./result";

const result = lazy(() => resultOf(organization, "OrganizationResult", "An organization."));

/** The organizations of the user who owns the API key in use. */
export const getOrganizations = lookup("getOrganizations", () => ({
  args: {},
  result: z.array(result()),
  list: "organizations",
  read: ({ client }) => listOrganizations(client),
}));

/** An organization, by its id or its name. */
export const getOrganization = lookup("getOrganization", () => ({
  args: {
    orgId: idArgument.optional().describe("Id of the organization. Conflicts with `name`."),
    name: z.string().optional().describe("Exact name of the organization. Conflicts with `orgId`."),
  },
  oneOf: ["orgId", "name"],
  result: result(),
  read: async ({ client }, { orgId, name = "" }) => {
    if (orgId !== undefined) return client.send(organizations.get(orgId));
    const [found, ...others] = (await listOrganizations(client)).filter((one) => one.name === name);
    if (found === undefined) throw invalid(`This API key can see no organization named "${name}".`);
    if (others.length === 0) return found;
    const ids = [found, ...others].map(({ id }) => id).join(", ");
    throw invalid(
      `There are ${others.length + 1} organizations named "${name}" (${ids}). Set \`orgId\` to one of them.`,
    );
  },
}));

/**
 * The organization to read from: the one in the arguments, or the one of the account's settings.
 *
 * @throws NeonError `invalid` if there is neither
 */
export function requireOrganization(name: string, account: Account, declared: string | undefined): string {
  const orgId = declared ?? account.orgId;
  if (orgId === undefined) throw invalid(`${name} needs \`orgId\`, or the setting neon:orgId.`);
  return orgId;
}

async function listOrganizations(client: NeonClient): Promise<Organization[]> {
  return (await client.send(organizations.list())).organizations;
}
