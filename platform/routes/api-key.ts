import { z } from "zod";

import { apiKeyCreate, organizationApiKeyCreate } from "../../api/schemas/api-key";
import { forbidden, notFound } from "../http-error";
import { administers, inOrganization, personalKey } from "../http/authorization";
import { read, route } from "../http/route";
import { createdAnswer, createKey, keyEntry, type KeyRing, keysOf, revokedAnswer, revokeKey } from "../model/api-key";
import { userOf } from "../model/caller";
import { organizationLevel } from "../model/organization";
import type { UserRow } from "../model/rows";

const keyId = z
  .string()
  .regex(/^-?\d{1,19}$/, "must be a whole number")
  .transform(Number);
const organizationKeys = "/organizations/:org_id/api_keys";
/** The real platform takes fewer of these than of other requests. */
const organizationKeysPerSecond = 10;

export const apiKeyRoutes = [
  route({
    method: "GET",
    path: "/api_keys",
    scope: personalKey,
    handle: ({ plane, caller }) => keysOf(plane, own(userOf(caller))).map((row) => keyEntry(plane, row)),
  }),
  route({
    method: "POST",
    path: "/api_keys",
    scope: personalKey,
    body: apiKeyCreate,
    handle: ({ plane, caller, body }) => createdAnswer(createKey(plane, { user_id: userOf(caller).id }, body.key_name)),
  }),
  route({
    method: "DELETE",
    path: "/api_keys/:key_id",
    scope: personalKey,
    handle: ({ plane, caller, parameter }) =>
      revokedAnswer(revokeKey(plane, own(userOf(caller)), read(keyId, parameter("key_id"), "key_id"))),
  }),
  route({
    method: "GET",
    path: organizationKeys,
    scope: administers,
    handle: ({ plane, organization }) =>
      keysOf(plane, { org_id: organization().id }).map((row) => keyEntry(plane, row)),
  }),
  route({
    method: "POST",
    path: organizationKeys,
    // Any member makes a key for one project.
    scope: inOrganization,
    perSecond: organizationKeysPerSecond,
    body: organizationApiKeyCreate,
    handle: ({ plane, caller, organization: find, body }) => {
      const organization = find();
      const { key_name: name, project_id: projectId } = body;
      const holder = { user_id: caller.key.user_id, org_id: organization.id };
      if (projectId === undefined) {
        if (caller.kind !== "personal") throw forbidden("organization API keys are made with personal API keys only");
        if (organizationLevel(plane, caller, organization) !== "admin") {
          throw forbidden("only administrators of the organization can make organization API keys");
        }
        return createdAnswer(createKey(plane, holder, name));
      }
      const project = plane.tables.projects.get({ id: projectId, org_id: organization.id, deleted_at: null });
      if (!project) throw notFound("project");
      return createdAnswer(createKey(plane, { ...holder, project_id: project.id }, name));
    },
  }),
  route({
    method: "DELETE",
    path: `${organizationKeys}/:key_id`,
    scope: administers,
    handle: ({ plane, organization, parameter }) =>
      revokedAnswer(revokeKey(plane, { org_id: organization().id }, read(keyId, parameter("key_id"), "key_id"))),
  }),
];

/** The personal keys of a user. */
function own({ id }: UserRow): KeyRing {
  return { user_id: id, org_id: null };
}
