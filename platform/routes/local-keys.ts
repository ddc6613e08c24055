import { z } from "zod";

import { badRequest } from "../http-error";
import type { LocalPaths } from "../http/local-route";
import { validate } from "../model/routing/validation";
import { createKey, revokeKey } from "../model/accounts/api-key";
import { listAllKeys } from "../model/accounts/all-keys";
import { getOrCreateUser } from "../model/accounts/user";

const keyInput = z.strictObject({
  name: z.string().trim().min(1).max(64),
  /** The organization that owns the key; default: none, it is a personal key of the first user. */
  org_id: z.string().optional(),
  /** The project of a project-scoped key. */
  project_id: z.string().optional(),
});

const keyId = z.coerce.number().int();

/** API keys of all owners. These routes need no key. */
export const keyPaths: LocalPaths = {
  "/local/keys": {
    GET: { handle: ({ controlPlane }) => ({ keys: listAllKeys(controlPlane) }) },
    POST: {
      status: 201,
      handle: ({ controlPlane, body }) => {
        const input = validate(keyInput, body, "body");
        const { tables } = controlPlane;
        if (input.org_id === undefined && input.project_id !== undefined) {
          throw badRequest("a project-scoped key belongs to an organization: name its org_id");
        }
        const user = getOrCreateUser(controlPlane);
        const { org_id: orgId, project_id: projectId } = input;
        if (orgId !== undefined) tables.organizations.getOr404("organization", { id: orgId });
        if (projectId !== undefined) {
          const project = tables.projects.getOr404("project", { id: projectId, deleted_at: null });
          if (project.org_id !== orgId) throw badRequest("the project does not belong to the organization");
        }
        const owner = { user_id: user.id, org_id: orgId, project_id: projectId };
        const { key, row } = createKey(controlPlane, owner, input.name);
        return { id: row.id, key };
      },
    },
  },
  "/local/keys/:key_id": {
    DELETE: {
      handle: ({ controlPlane, parameter }) => {
        const id = validate(keyId, parameter("key_id"), "key_id");
        const row = controlPlane.tables.apiKeys.getOr404("API key", { id, revoked_at: null });
        const filter =
          row.org_id === undefined ? { user_id: row.user_id, org_id: null } : ({ org_id: row.org_id } as const);
        revokeKey(controlPlane, filter, id);
        return undefined;
      },
    },
  },
};
