import { randomUUID } from "node:crypto";

import type { JwksUrlCreate } from "../../api/schemas/jwks-url";
import { reservedNameProblem } from "../../api/schemas/role";
import { badRequest, conflict, notFound, unprocessable } from "../http-error";
import { branchOf } from "./branch";
import type { ControlPlane } from "./control-plane";
import { endpointsOfBranch } from "./endpoint";
import { begin, type Plan, requireFree } from "./operation";
import { createRole } from "./role";
import type { BranchRow, JwksRow, OperationRow, ProjectRow } from "./rows";

/** The roles that tokens give unless a request names others. */
const defaultRoleNames = ["authenticator", "authenticated", "anonymous"] as const;

/** Has a project check tokens by the keys at an address, on one branch or on all of them. */
export function addJwks(
  plane: ControlPlane,
  project: ProjectRow,
  asked: JwksUrlCreate,
): { jwks: JwksRow; operations: readonly OperationRow[] } {
  const { tables, stamps } = plane;
  const { skip_role_creation: skipsRoles = false, role_names: roleNames = [...defaultRoleNames], ...rest } = asked;
  for (const name of roleNames) {
    const problem = reservedNameProblem(name);
    if (problem !== undefined) throw badRequest(`role name "${name}" ${problem}`);
  }
  const branches =
    asked.branch_id === undefined
      ? tables.branches.list({ project_id: project.id, deleted_at: null })
      : [branchOf(plane, project.id, asked.branch_id)];
  if (jwksOfProject(plane, project.id).some(({ jwks_url }) => jwks_url === asked.jwks_url)) {
    throw conflict(`JWKS URL ${asked.jwks_url} already exists`);
  }
  requireFree(plane, project.id);
  const blocked = branches.find(({ current_state: state }) => state === "init");
  if (blocked) throw unprocessable(`branch ${blocked.id} is not ready yet`);
  if (!skipsRoles) for (const branch of branches) createMissingRoles(plane, project, branch, roleNames);
  const stamp = stamps.next();
  const { branch_id, jwt_audience, jwks_url, provider_name } = rest;
  const jwks: JwksRow = {
    id: randomUUID(),
    project_id: project.id,
    ...(branch_id === undefined ? {} : { branch_id }),
    jwks_url,
    provider_name,
    ...(jwt_audience === undefined ? {} : { jwt_audience }),
    role_names: roleNames,
    created_at: stamp,
    updated_at: stamp,
  };
  tables.jwks.put(jwks);
  return {
    jwks,
    operations: begin(
      plane,
      project.id,
      branches.flatMap((branch) => applyPlans(plane, branch)),
    ),
  };
}

/** Stops checking tokens by it; nothing has to be waited for. */
export function deleteJwks({ tables }: ControlPlane, jwks: JwksRow): void {
  tables.jwks.remove({ id: jwks.id });
}

/** Those of a project. What was for a branch that is deleted goes with it, and comes back with it. */
export function jwksOfProject({ tables }: ControlPlane, projectId: string): JwksRow[] {
  return tables.jwks
    .list({ project_id: projectId }, "ORDER BY created_at")
    .filter(({ branch_id: id }) => id === undefined || tables.branches.get({ id, deleted_at: null }) !== undefined);
}

export function jwksOf(plane: ControlPlane, projectId: string, id: string): JwksRow {
  const found = jwksOfProject(plane, projectId).find((row) => row.id === id);
  if (!found) throw notFound("JWKS");
  return found;
}

function createMissingRoles(
  plane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  names: readonly string[],
): void {
  for (const name of names) {
    if (plane.tables.roles.get({ branch_id: branch.id, name })) continue;
    // Nobody signs in as one of them with a password: that is what the tokens are for.
    createRole(plane, branch, { name, no_login: true }, project.store_passwords);
  }
}

/** Computes that rest find it when they start. */
function applyPlans(plane: ControlPlane, branch: BranchRow): Plan[] {
  return endpointsOfBranch(plane, branch.id)
    .filter(({ current_state: state }) => state === "active")
    .map(({ id }) => ({ action: "apply_config", branchId: branch.id, endpointId: id }));
}
