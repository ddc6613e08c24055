import { z } from "zod";

import { forbidden } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { hashOf } from "../../storage/hash";
import { newKey } from "../../storage/ids";
import { inWholeSeconds, pick } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import { organizationAdmin, organizationMember, personalKey } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import { validate } from "../routing/validation";
import { nextSequenceNumber } from "../sequence";
import { roleInOrganization } from "./access";
import { type ApiKeyRow } from "./api-key-row";
import { fullName } from "./user";
import type { UserRow } from "./user-row";

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

/** The name of the keys that a sign-in creates. */
export const signInKeyName = "console sign-in";

/** The owner of a key: the organization if there is one, otherwise the user. The user is always the creator. */
type KeyOwner = Pick<ApiKeyRow, "user_id" | "org_id" | "project_id">;

/** Selects the personal keys of a user, or the keys of an organization including its project-scoped ones. */
type KeyFilter = { readonly user_id: string; readonly org_id: null } | { readonly org_id: string };

interface CreatedKey {
  /** The secret. Only the response to the creation contains it. */
  readonly key: string;
  readonly row: ApiKeyRow;
}

export function createKey(controlPlane: ControlPlane, owner: KeyOwner, name: string): CreatedKey {
  const key = newKey();
  const row: ApiKeyRow = {
    id: nextSequenceNumber(controlPlane, "apiKey"),
    hash: hashOf(key),
    name,
    ...owner,
    created_at: controlPlane.timestamps.next(),
    last_used_at: null,
    last_used_from_addr: "",
    revoked_at: null,
  };
  controlPlane.tables.apiKeys.put(row);
  return { key, row };
}

/** Finds the key with a secret, unless the key is revoked. */
export function findKey({ tables }: ControlPlane, secret: string): ApiKeyRow | undefined {
  return tables.apiKeys.get({ hash: hashOf(secret), revoked_at: null });
}

/** Lists the keys that are not revoked, oldest first. */
export function listKeys({ tables, keyUsage }: ControlPlane, filter: KeyFilter): ApiKeyRow[] {
  const valid = tables.apiKeys.list({ ...filter, revoked_at: null }, "ORDER BY created_at");
  return valid.map((row) => keyUsage.withLatest(row));
}

/** @throws HttpError 404 */
export function revokeKey(controlPlane: ControlPlane, filter: KeyFilter, id: number): ApiKeyRow {
  return revoke(controlPlane, controlPlane.tables.apiKeys.getOr404("API key", { id, ...filter, revoked_at: null }));
}

export function revokeKeysOfProject(controlPlane: ControlPlane, projectId: string): void {
  for (const row of controlPlane.tables.apiKeys.list({ project_id: projectId, revoked_at: null })) {
    revoke(controlPlane, row);
  }
}

const keyMembers = ["id", "name", "project_id", "created_at", "last_used_at", "last_used_from_addr"] as const;

/** A new key as the API returns it: the only response with the secret. */
function createdKeyResponse({ key, row }: CreatedKey) {
  const { id, name, created_at, user_id, project_id } = row;
  return inWholeSeconds({
    id,
    key,
    name,
    created_at,
    created_by: user_id,
    project_id,
  }) satisfies Answer<vendor.ApiKeyCreateResponse>;
}

/** A key as a list returns it. Here, the creator is an object. */
function keyListItem({ tables }: ControlPlane, row: ApiKeyRow) {
  const user = tables.users.get({ id: row.user_id });
  return {
    ...pick(row, keyMembers),
    created_by: { id: row.user_id, name: user ? fullName(user) : "", image: user?.image ?? "" },
  } satisfies Answer<vendor.OrgApiKeysListResponseItem>;
}

/** A key as its revocation returns it. Here, the creator is an id. */
function revokedKeyResponse(row: ApiKeyRow) {
  return {
    ...pick(row, keyMembers),
    created_by: row.user_id,
    revoked: row.revoked_at !== null,
  } satisfies Answer<vendor.ApiKeyRevokeResponse>;
}

function revoke({ tables, keyUsage, timestamps }: ControlPlane, row: ApiKeyRow): ApiKeyRow {
  const revoked = { ...keyUsage.withLatest(row), revoked_at: timestamps.next() };
  tables.apiKeys.put(revoked);
  return revoked;
}
