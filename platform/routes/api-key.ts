import { z } from "zod";

import { apiKeyCreate, organizationApiKeyCreate } from "../../api/schemas/api-key";
import { forbidden, notFound } from "../http-error";
import { organizationAdmin, organizationMember, personalKey } from "../http/authorization";
import { route } from "../http/route";
import { validate } from "../http/validation";
import { roleInOrganization } from "../model/accounts/access";
import {
  createdKeyResponse,
  createKey,
  type KeyFilter,
  keyListItem,
  listKeys,
  revokedKeyResponse,
  revokeKey,
} from "../model/accounts/api-key";
import { type Caller, requireUser } from "../model/accounts/caller";

const keyIdSchema = z
  .string()
  .regex(/^-?\d{1,19}$/, "must be a whole number")
  .transform(Number);
const keyIdOf = (parameter: (name: string) => string): number => validate(keyIdSchema, parameter("key_id"), "key_id");
const personalKeysOf = (caller: Caller): KeyFilter => ({ user_id: requireUser(caller).id, org_id: null });

const organizationKeysPath = "/organizations/:org_id/api_keys";
/** The real platform has a lower limit here than for other routes. */
const organizationKeysPerSecond = 10;

export const apiKeyRoutes = [
  route({
    method: "GET",
    path: "/api_keys",
    authorization: personalKey,
    handle: ({ controlPlane, caller }) =>
      listKeys(controlPlane, personalKeysOf(caller)).map((row) => keyListItem(controlPlane, row)),
  }),
  route({
    method: "POST",
    path: "/api_keys",
    authorization: personalKey,
    body: apiKeyCreate,
    handle: ({ controlPlane, caller, body }) =>
      createdKeyResponse(createKey(controlPlane, { user_id: requireUser(caller).id }, body.key_name)),
  }),
  route({
    method: "DELETE",
    path: "/api_keys/:key_id",
    authorization: personalKey,
    handle: ({ controlPlane, caller, parameter }) =>
      revokedKeyResponse(revokeKey(controlPlane, personalKeysOf(caller), keyIdOf(parameter))),
  }),
  route({
    method: "GET",
    path: organizationKeysPath,
    authorization: organizationAdmin,
    handle: ({ controlPlane, organization }) =>
      listKeys(controlPlane, { org_id: organization.id }).map((row) => keyListItem(controlPlane, row)),
  }),
  route({
    method: "POST",
    path: organizationKeysPath,
    // Every member may create project-scoped keys; other keys need an administrator.
    authorization: organizationMember,
    perSecond: organizationKeysPerSecond,
    body: organizationApiKeyCreate,
    handle: ({ controlPlane, caller, organization, body }) => {
      const { key_name: name, project_id: projectId } = body;
      const owner = { user_id: caller.key.user_id, org_id: organization.id };
      if (projectId === undefined) {
        if (caller.kind !== "personal") {
          throw forbidden("organization API keys can be created with personal API keys only");
        }
        if (roleInOrganization(controlPlane, caller, organization) !== "admin") {
          throw forbidden("only administrators of the organization can create organization API keys");
        }
        return createdKeyResponse(createKey(controlPlane, owner, name));
      }
      const project = controlPlane.tables.projects.get({ id: projectId, org_id: organization.id, deleted_at: null });
      if (!project) throw notFound("project");
      return createdKeyResponse(createKey(controlPlane, { ...owner, project_id: project.id }, name));
    },
  }),
  route({
    method: "DELETE",
    path: `${organizationKeysPath}/:key_id`,
    authorization: organizationAdmin,
    handle: ({ controlPlane, organization, parameter }) =>
      revokedKeyResponse(revokeKey(controlPlane, { org_id: organization.id }, keyIdOf(parameter))),
  }),
];
