import { randomUUID } from "node:crypto";

import type { JwksUrlCreate } from "../../../api/schemas/jwks-url";
import { publicMembers } from "../../storage/table";
import { badRequest, conflict, notFound } from "../../http-error";
import { reservedNameProblem } from "../../published/rules";
import { isActive, listBranchEndpoints, operationOn } from "../computes/endpoint";
import type { ControlPlane } from "../control-plane";
import { startOperations } from "../operations/lifecycle";
import type { Started } from "../operations/operation";
import { requireUnlockedProject } from "../operations/project-lock";
import type { ProjectRow } from "../projects/project-row";
import { type JwksRow, jwksTable } from "./jwks-url-row";
import { getBranch } from "./branch";
import { requireReady } from "./branch-state";
import { createMissingRoles, tokenRoles } from "./token-roles";

/** Adds a URL whose keys verify the tokens of clients, for one branch or for all. */
export function createJwks(
  controlPlane: ControlPlane,
  project: ProjectRow,
  input: JwksUrlCreate,
): Started<{ jwks: JwksRow }> {
  const { tables, timestamps } = controlPlane;
  const { skip_role_creation: skipRoleCreation = false, role_names = [...tokenRoles], ...rest } = input;
  for (const name of role_names) {
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
  if (!skipRoleCreation) for (const branch of branches) createMissingRoles(controlPlane, project, branch, role_names);
  const created = timestamps.created();
  const jwks: JwksRow = { id: randomUUID(), project_id: project.id, ...rest, role_names, ...created };
  tables.jwks.put(jwks);
  // Only active computes need an operation: the others are configured when they start.
  const active = branches.flatMap(({ id }) => listBranchEndpoints(controlPlane, id)).filter(isActive);
  const planned = active.map((endpoint) => operationOn(endpoint, "apply_config"));
  return { jwks, operations: startOperations(controlPlane, project.id, planned) };
}

/** Removes a JWKS URL, and returns it. This needs no operation. */
export function deleteJwks(controlPlane: ControlPlane, projectId: string, id: string): JwksRow {
  const found = listJwks(controlPlane, projectId).find((row) => row.id === id);
  if (!found) throw notFound("JWKS");
  controlPlane.tables.jwks.remove(found);
  return found;
}

/** A JWKS URL as the API returns it. */
export function jwksResponse(row: JwksRow): object {
  return publicMembers(jwksTable, row);
}

/** The JWKS URLs of a project, without those of deleted branches. */
export function listJwks({ tables }: ControlPlane, projectId: string): JwksRow[] {
  return tables.jwks
    .list({ project_id: projectId }, "ORDER BY created_at")
    .filter(({ branch_id: id }) => id === undefined || tables.branches.get({ id, deleted_at: null }) !== undefined);
}
