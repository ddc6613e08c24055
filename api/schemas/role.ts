import { z } from "zod";

import { path, type Request } from "../request";
import { operationsMember } from "./operation";
import { postgresName } from "./postgres-name";
import { timestamp } from "./wire";

/** A Postgres role, as the platform reports it. `password` is there only in answers that make one. */
export const role = z.looseObject({
  branch_id: z.string(),
  name: z.string(),
  password: z.string().optional(),
  protected: z.boolean().optional(),
  /** `password`, `oauth` or `no_login`, or what a newer platform says. */
  authentication_method: z.string().optional(),
  created_at: timestamp,
  updated_at: timestamp.optional(),
});
export type Role = z.infer<typeof role>;

export const roleCreate = z.object({
  name: postgresName,
  /** Never told again under this name: a role made with it has the authentication method `no_login`. */
  no_login: z.boolean().optional(),
});
export type RoleCreate = z.infer<typeof roleCreate>;

const reservedNames: readonly string[] = ["neon_superuser", "cloud_admin", "zenith_admin", "public", "none"];

/** Why no role can be made under this name, if so: Postgres and the platform keep some for themselves. */
export function reservedNameProblem(name: string): string | undefined {
  return name.startsWith("pg") || reservedNames.includes(name)
    ? `is reserved: it must not start with "pg" nor be one of ${reservedNames.join(", ")}`
    : undefined;
}

const roleResponse = z.looseObject({ role });
const roleList = z.looseObject({ roles: z.array(role) });
const roleChanged = z.looseObject({ role, operations: operationsMember });
/** A repeated delete answers 204 without a body. */
const roleDeleted = z.looseObject({ role: role.optional(), operations: operationsMember });
const passwordResponse = z.looseObject({ password: z.string() });

/** Requests for roles. */
export const roles = {
  list: (projectId: string, branchId: string): Request<z.infer<typeof roleList>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches/${branchId}/roles`,
    schema: roleList,
  }),
  get: (projectId: string, branchId: string, name: string): Request<z.infer<typeof roleResponse>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches/${branchId}/roles/${name}`,
    schema: roleResponse,
  }),
  /** Its answer is the only one that holds the password of a project that stores none. */
  create: (projectId: string, branchId: string, body: RoleCreate): Request<z.infer<typeof roleChanged>> => ({
    method: "POST",
    path: path`/projects/${projectId}/branches/${branchId}/roles`,
    body: { role: body },
    schema: roleChanged,
  }),
  delete: (projectId: string, branchId: string, name: string): Request<z.infer<typeof roleDeleted>> => ({
    method: "DELETE",
    path: path`/projects/${projectId}/branches/${branchId}/roles/${name}`,
    schema: roleDeleted,
  }),
  /** Refused with 412 by a project that stores no passwords. */
  revealPassword: (projectId: string, branchId: string, name: string): Request<z.infer<typeof passwordResponse>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches/${branchId}/roles/${name}/reveal_password`,
    schema: passwordResponse,
  }),
  /** Answers the new password; the old one is in force until the operations are done. */
  resetPassword: (projectId: string, branchId: string, name: string): Request<z.infer<typeof roleChanged>> => ({
    method: "POST",
    path: path`/projects/${projectId}/branches/${branchId}/roles/${name}/reset_password`,
    schema: roleChanged,
  }),
};
