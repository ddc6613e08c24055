import { randomUUID } from "node:crypto";

import type { JwksUrlCreate } from "../../../api/schemas/jwks-url";
import { reservedNameProblem } from "../../../api/schemas/role";
import { badRequest, conflict, notFound } from "../../http-error";
import { isActive, listBranchEndpoints, operationOn } from "../computes/endpoint";
import type { ControlPlane } from "../control-plane";
import { startOperations } from "../operations/lifecycle";
import type { PlannedOperation } from "../operations/operation";
import { requireUnlockedProject } from "../operations/project-lock";
import type { BranchRow, JwksRow, OperationRow, ProjectRow } from "../rows";
import { getBranch } from "./branch";
import { requireReady } from "./branch-state";
import { insertRole } from "./role";

/** The roles that tokens can use by default. */
const defaultRoleNames = ["authenticator", "authenticated", "anonymous"] as const;

/** Adds a URL whose keys verify the tokens of clients, for one branch or for all. */
export function createJwks(
  controlPlane: ControlPlane,
  project: ProjectRow,
  input: JwksUrlCreate,
): { jwks: JwksRow; operations: readonly OperationRow[] } {
  const { tables, timestamps } = controlPlane;
  const {
    skip_role_creation: skipRoleCreation = false,
    role_names: roleNames = [...defaultRoleNames],
    ...rest
  } = input;
  for (const name of roleNames) {
    const problem = reservedNameProblem(name);
    if (problem !== undefined) throw badRequest(`role name "${name}" ${problem}`);
  }
  const branches =
    input.branch_id === undefined
      ? tables.branches.list({ project_id: project.id, deleted_at: null })
      : [getBranch(controlPlane, project.id, input.branch_id)];
  if (listJwks(controlPlane, project.id).some(({ jwks_url }) => jwks_url === input.jwks_url)) {
    throw conflict(`JWKS URL ${input.jwks_url} already exists`);
  }
  requireUnlockedProject(controlPlane, project.id);
  const initializing = branches.find(({ current_state: state }) => state === "init");
  if (initializing) requireReady(initializing);
  if (!skipRoleCreation) for (const branch of branches) createMissingRoles(controlPlane, project, branch, roleNames);
  const timestamp = timestamps.next();
  const { branch_id, jwt_audience, jwks_url, provider_name } = rest;
  const jwks: JwksRow = {
    id: randomUUID(),
    project_id: project.id,
    ...(branch_id === undefined ? {} : { branch_id }),
    jwks_url,
    provider_name,
    ...(jwt_audience === undefined ? {} : { jwt_audience }),
    role_names: roleNames,
    created_at: timestamp,
    updated_at: timestamp,
  };
  tables.jwks.put(jwks);
  return {
    jwks,
    operations: startOperations(
      controlPlane,
      project.id,
      branches.flatMap((branch) => applyConfigOperations(controlPlane, branch)),
    ),
  };
}

/** Removes a JWKS URL. This needs no operation. */
export function deleteJwks({ tables }: ControlPlane, jwks: JwksRow): void {
  tables.jwks.delete({ id: jwks.id });
}

/** The JWKS URLs of a project, without those of deleted branches. */
export function listJwks({ tables }: ControlPlane, projectId: string): JwksRow[] {
  return tables.jwks
    .list({ project_id: projectId }, "ORDER BY created_at")
    .filter(({ branch_id: id }) => id === undefined || tables.branches.get({ id, deleted_at: null }) !== undefined);
}

export function getJwks(controlPlane: ControlPlane, projectId: string, id: string): JwksRow {
  const found = listJwks(controlPlane, projectId).find((row) => row.id === id);
  if (!found) throw notFound("JWKS");
  return found;
}

function createMissingRoles(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  names: readonly string[],
): void {
  for (const name of names) {
    if (controlPlane.tables.roles.get({ branch_id: branch.id, name })) continue;
    // Clients log in as these roles with tokens, not with passwords.
    insertRole(controlPlane, branch, { name, no_login: true }, project.store_passwords);
  }
}

/** Only active computes need an operation: the others are configured when they start. */
function applyConfigOperations(controlPlane: ControlPlane, branch: BranchRow): PlannedOperation[] {
  return listBranchEndpoints(controlPlane, branch.id)
    .filter(isActive)
    .map((endpoint) => operationOn(endpoint, "apply_config"));
}
