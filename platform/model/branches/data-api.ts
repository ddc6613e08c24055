import type { DataApiCreate, DataApiSettings } from "../../../api/schemas/data-api";
import { badRequest, conflict, notFound } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import type { BranchRow } from "./branch-row";
import { type DataApiRow, type DatabaseRow, getDatabase } from "./database";
import { requireKeySet } from "./key-set";
import { applyConfiguration } from "./postgres-configuration";
import { createMissingRoles, tokenRoles } from "./token-roles";

/** Checks the key set that a request names. Validation refuses an invalid body later. */
async function checkKeySet(controlPlane: ControlPlane, body: unknown): Promise<void> {
  const url = published.createProjectBranchDataAPI.body.safeParse(body).data?.jwks_url;
  if (url !== undefined) await requireKeySet(controlPlane, { jwks_url: url });
}

const named = "database_name";

export const dataApiPaths: ApiPaths = {
  [`/projects/:project_id/branches/:branch_id/data-api/:${named}`]: {
    GET: allow(branchMember, ({ controlPlane, project, branch, parameter }) => {
      const { data_api, ...database } = getServed(controlPlane, branch, parameter(named));
      return { url: dataApiUrl(project, database), status: "ready", settings: { ...defaults, ...data_api.settings } };
    }),
    POST: allow(
      { ...branchMember, status: 201, ...published.createProjectBranchDataAPI, check: checkKeySet },
      ({ controlPlane, project, branch, parameter, body }) =>
        createDataApi(controlPlane, project, branch, parameter(named), body),
    ),
    // Omitted settings return to their defaults. A request without settings changes nothing.
    PATCH: allow(
      { ...branchMember, status: 201, ...published.updateProjectBranchDataAPI },
      ({ controlPlane, branch, parameter, body: { settings } }) => {
        const { data_api, ...database } = getServed(controlPlane, branch, parameter(named));
        if (settings) controlPlane.tables.databases.put({ ...database, data_api: { ...data_api, settings } });
        return {};
      },
    ),
    // The roles and grants of the Data API stay.
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      const { data_api: _, ...database } = getServed(controlPlane, branch, parameter(named));
      controlPlane.tables.databases.put(database);
      return {};
    }),
  },
};

type Served = DatabaseRow & { readonly data_api: DataApiRow };

/** The defaults of the published document. */
const defaults = {
  db_aggregates_enabled: true,
  db_anon_role: "anonymous",
  db_schemas: ["public"],
  jwt_role_claim_key: ".role",
  openapi_mode: "disabled",
} as const satisfies DataApiSettings;

/** Adds a Data API to a database. Operations that the response does not name apply the roles and grants. */
function createDataApi(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  databaseName: string,
  { settings = {}, ...input }: DataApiCreate,
) {
  if (input.auth_provider === "external" && input.jwks_url === undefined) {
    throw badRequest("body jwks_url: is required with an external provider");
  }
  const database = getDatabase(controlPlane, branch.id, databaseName);
  if (database.data_api) throw conflict(`database "${databaseName}" already has a Data API`);
  applyConfiguration(controlPlane, project, branch);
  createMissingRoles(controlPlane, project, branch, tokenRoles);
  const grants = input.add_default_grants === true ? "pending" : undefined;
  controlPlane.tables.databases.put({ ...database, data_api: { ...input, settings, grants } });
  return { url: dataApiUrl(project, database) } satisfies Answer<vendor.DataApiCreateResponse>;
}

/** Restores the Data APIs of a branch after its data was replaced. Databases are found by name, and grants are made again. */
export function keepDataApis(controlPlane: ControlPlane, branch: BranchRow, before: readonly DatabaseRow[]): void {
  const { databases } = controlPlane.tables;
  for (const { name, data_api } of before) {
    const row = data_api && databases.get({ branch_id: branch.id, name, deleted_at: null });
    if (row) databases.put({ ...row, data_api: { ...data_api, grants: data_api.grants && "pending" } });
  }
}

/** @throws HttpError 404 if there is no such database, or if it has no Data API. */
function getServed(controlPlane: ControlPlane, branch: BranchRow, databaseName: string): Served {
  const { data_api, ...database } = getDatabase(controlPlane, branch.id, databaseName);
  if (!data_api) throw notFound("Data API");
  return { ...database, data_api };
}

export function dataApiUrl({ proxy_host }: ProjectRow, { branch_id, name }: DatabaseRow): string {
  return `https://${branch_id}.apirest.${proxy_host}/${encodeURIComponent(name)}/rest/v1`;
}
