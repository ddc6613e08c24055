import { z } from "zod";

import { forbidden } from "../http-error";
import { organizationAdmin, organizationMember, personalKey } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
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
import type { UserRow } from "../model/accounts/user-row";
import * as published from "../published/requests";

const keyIdSchema = z
  .string()
  .regex(/^-?\d{1,19}$/, "must be a whole number")
  .transform(Number);
const keyIdOf = (parameter: (name: string) => string): number => validate(keyIdSchema, parameter("key_id"), "key_id");
const personalKeysOf = (user: UserRow): KeyFilter => ({ user_id: user.id, org_id: null });

/** The real platform has a lower limit here than for other routes. */
const organizationKeysPerSecond = 10;

export const apiKeyPaths: ApiPaths = {
  "/api_keys": {
    GET: allow(personalKey, ({ controlPlane, caller }) =>
      listKeys(controlPlane, personalKeysOf(caller.user)).map((row) => keyListItem(controlPlane, row)),
    ),
    POST: allow({ ...personalKey, ...published.createApiKey }, ({ controlPlane, caller, body }) =>
      createdKeyResponse(createKey(controlPlane, { user_id: caller.user.id }, body.key_name)),
    ),
  },
  "/api_keys/:key_id": {
    DELETE: allow(personalKey, ({ controlPlane, caller, parameter }) =>
      revokedKeyResponse(revokeKey(controlPlane, personalKeysOf(caller.user), keyIdOf(parameter))),
    ),
  },
  "/organizations/:org_id/api_keys": {
    GET: allow(organizationAdmin, ({ controlPlane, organization }) =>
      listKeys(controlPlane, { org_id: organization.id }).map((row) => keyListItem(controlPlane, row)),
    ),
    // Every member may create project-scoped keys; other keys need an administrator.
    POST: allow(
      { ...organizationMember, perSecond: organizationKeysPerSecond, ...published.createOrgApiKey },
      ({ controlPlane, caller, organization, body }) => {
        const { key_name: name, project_id: projectId } = body;
        const owner = { user_id: caller.key.user_id, org_id: organization.id };
        if (projectId === undefined) {
          if (caller.kind !== "personal") {
            throw forbidden("organization API keys can be created with personal API keys only");
          }
          if (roleInOrganization(controlPlane, caller, organization.id) !== "admin") {
            throw forbidden("only administrators of the organization can create organization API keys");
          }
          return createdKeyResponse(createKey(controlPlane, owner, name));
        }
        const where = { id: projectId, org_id: organization.id, deleted_at: null };
        const project = controlPlane.tables.projects.getOr404("project", where);
        return createdKeyResponse(createKey(controlPlane, { ...owner, project_id: project.id }, name));
      },
    ),
  },
  "/organizations/:org_id/api_keys/:key_id": {
    DELETE: allow(organizationAdmin, ({ controlPlane, organization, parameter }) =>
      revokedKeyResponse(revokeKey(controlPlane, { org_id: organization.id }, keyIdOf(parameter))),
    ),
  },
};
