import { randomUUID } from "node:crypto";

import type { JwksUrlCreate } from "../../../api/schemas/jwks-url";
import { badRequest, conflict, notFound } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { reservedNameProblem } from "../../published/rules";
import { pick } from "../../storage/timestamps";
import { isActive, listBranchEndpoints, operationOn } from "../computes/endpoint";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { startOperations } from "../operations/lifecycle";
import { operationResponses, type Started } from "../operations/operation";
import { requireUnlockedProject } from "../operations/project-lock";
import type { ProjectRow } from "../projects/project-row";
import { projectMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import { getBranch, requireReady } from "./branch-state";
import { requireKeySet } from "./key-set";
import { createMissingRoles, tokenRoles } from "./token-roles";

/** A URL whose keys verify the tokens of clients. Without a branch, it applies to all branches. */
export interface JwksRow extends Omit<JwksUrlCreate, "skip_role_creation"> {
  id: string;
  project_id: string;
  created_at: string;
  updated_at: string;
}

export const jwksTable: RowTable<JwksRow> = {
  name: "jwks",
  within: "branch",
  branching: "none",
  indexes: ["project_id, created_at", "branch_id"],
  latest: "created_at",
};

/** Checks the key set that a request names. Validation refuses an invalid body later. */
async function checkKeySet(controlPlane: ControlPlane, body: unknown): Promise<void> {
  const { data } = published.addProjectJWKS.body.safeParse(body);
  if (data) await requireKeySet(controlPlane, data);
}

export const jwksPaths: ApiPaths = {
  "/projects/:project_id/jwks": {
    GET: allow(projectMember, ({ controlPlane, project }) => ({
      jwks: listJwks(controlPlane, project.id).map(jwksResponse),
    })),
    POST: allow(
      { ...projectMember, status: 201, ...published.addProjectJWKS, check: checkKeySet },
      ({ controlPlane, project, body }) => {
        const { jwks, operations } = createJwks(controlPlane, project, body);
        return { jwks: jwksResponse(jwks), operations: operationResponses(controlPlane, operations) };
      },
    ),
  },
  "/projects/:project_id/jwks/:jwks_id": {
    // This needs no operation.
    DELETE: allow(projectMember, ({ controlPlane, project, parameter }) => {
      const found = listJwks(controlPlane, project.id).find(({ id }) => id === parameter("jwks_id"));
      if (!found) throw notFound("JWKS");
      controlPlane.tables.jwks.remove(found);
      return jwksResponse(found);
    }),
  },
};

/** Adds a URL whose keys verify the tokens of clients, for one branch or for all. */
function createJwks(controlPlane: ControlPlane, project: ProjectRow, input: JwksUrlCreate): Started<{ jwks: JwksRow }> {
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
  // Only active computes need an operation. The others get the URL when they start.
  const active = branches.flatMap(({ id }) => listBranchEndpoints(controlPlane, id)).filter(isActive);
  const planned = active.map((endpoint) => operationOn(endpoint, "apply_config"));
  return { jwks, operations: startOperations(controlPlane, project.id, planned) };
}

function jwksResponse(row: JwksRow) {
  return pick(row, [
    "id",
    "project_id",
    "branch_id",
    "jwks_url",
    "provider_name",
    "jwt_audience",
    "role_names",
    "created_at",
    "updated_at",
  ]) satisfies Answer<vendor.Jwks>;
}

/** The JWKS URLs of a project, without those of deleted branches. */
function listJwks({ tables }: ControlPlane, projectId: string): JwksRow[] {
  return tables.jwks
    .list({ project_id: projectId }, "ORDER BY created_at")
    .filter(({ branch_id: id }) => id === undefined || tables.branches.get({ id, deleted_at: null }) !== undefined);
}
