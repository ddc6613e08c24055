import { z } from "zod";

import { path, request } from "../core/request";
import { operationsMember } from "./operation";
import { postgresName } from "./postgres-name";
import { createdAt, idOfBranch, updatedAt } from "./wire";

/** A Postgres role. Only the responses that create or reset a password contain `password`. */
export const role = z.looseObject({
  branch_id: idOfBranch,
  name: z.string().describe("Name of the role, unique on the branch."),
  password: z.string().optional(),
  protected: z.boolean().optional().describe("Whether Neon manages the role."),
  authentication_method: z
    .string()
    .optional()
    .describe("`password`, `oauth` or `no_login`. Newer versions of the API can return other values."),
  created_at: createdAt,
  updated_at: updatedAt,
});
export type Role = z.infer<typeof role>;

export const roleCreate = z.object({
  name: postgresName,
  /** Only in requests. In responses, `authentication_method` is `no_login` instead. */
  no_login: z
    .boolean()
    .optional()
    .meta({ description: "Whether the role cannot log in. Such a role has no password.", default: false }),
});
export type RoleCreate = z.infer<typeof roleCreate>;

const reservedNames: readonly string[] = ["neon_superuser", "cloud_admin", "zenith_admin", "public", "none"];

/** Validates the name of a new role: Postgres and the platform reserve some names. */
export function reservedNameProblem(name: string): string | undefined {
  return name.startsWith("pg") || reservedNames.includes(name)
    ? `is reserved: the name must not start with "pg" or be one of ${reservedNames.join(", ")}`
    : undefined;
}

/** Refuses the reserved names. */
export const unreserved = z.refine<string>((name) => reservedNameProblem(name) === undefined, {
  error: ({ input }) => (typeof input === "string" ? reservedNameProblem(input) : undefined),
});

const roleResponse = z.looseObject({ role });
const roleList = z.looseObject({ roles: z.array(role) });
const roleChanged = z.looseObject({ role, operations: operationsMember });
/** Deleting a deleted role returns a 204 without a body. */
const roleDeleted = z.looseObject({ role: role.optional(), operations: operationsMember });
const passwordResponse = z.looseObject({ password: z.string() });

/** Requests for roles. */
export const roles = {
  list: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/roles`, roleList),
  get: (projectId: string, branchId: string, name: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/roles/${name}`, roleResponse),
  /** If the project does not store passwords, this response is the only one that contains the password. */
  create: (projectId: string, branchId: string, body: RoleCreate) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/roles`, roleChanged, { body: { role: body } }),
  delete: (projectId: string, branchId: string, name: string) =>
    request("DELETE", path`/projects/${projectId}/branches/${branchId}/roles/${name}`, roleDeleted),
  /** Fails with 412 if the project does not store passwords. */
  revealPassword: (projectId: string, branchId: string, name: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/roles/${name}/reveal_password`, passwordResponse),
  /** Returns the new password. The old one is valid until the operations have finished. */
  resetPassword: (projectId: string, branchId: string, name: string) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/roles/${name}/reset_password`, roleChanged),
};
