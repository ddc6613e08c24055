import { branchMember } from "../http/authorization";
import { noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import {
  createDatabase,
  databaseResponse,
  deleteDatabase,
  getDatabase,
  listDatabases,
  updateDatabase,
} from "../model/branches/database";
import type { ControlPlane } from "../model/control-plane";
import { operationResponses, type Started } from "../model/operations/operation";
import type { DatabaseRow } from "../model/branches/database-row";
import * as published from "../published/requests";

export const databasePaths: ApiPaths = {
  "/projects/:project_id/branches/:branch_id/databases": {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      databases: listDatabases(controlPlane, branch.id).map(databaseResponse),
    })),
    POST: allow(
      { ...branchMember, status: 201, ...published.createProjectBranchDatabase },
      ({ controlPlane, project, branch, body }) =>
        changeResponse(controlPlane, createDatabase(controlPlane, project, branch, body.database)),
    ),
  },
  "/projects/:project_id/branches/:branch_id/databases/:database_name": {
    GET: allow(branchMember, ({ controlPlane, branch, parameter }) => ({
      database: databaseResponse(getDatabase(controlPlane, branch.id, parameter("database_name"))),
    })),
    PATCH: allow(
      { ...branchMember, ...published.updateProjectBranchDatabase },
      ({ controlPlane, project, branch, parameter, body }) => {
        const database = getDatabase(controlPlane, branch.id, parameter("database_name"));
        return changeResponse(controlPlane, updateDatabase(controlPlane, project, branch, database, body.database));
      },
    ),
    DELETE: allow(branchMember, ({ controlPlane, project, branch, parameter }) => {
      const where = { branch_id: branch.id, name: parameter("database_name"), deleted_at: null };
      const database = controlPlane.tables.databases.get(where);
      if (!database) return noContent;
      return changeResponse(controlPlane, deleteDatabase(controlPlane, project, branch, database));
    }),
  },
};

function changeResponse(controlPlane: ControlPlane, change: Started<{ database: DatabaseRow }>): object {
  return {
    database: databaseResponse(change.database),
    operations: operationResponses(controlPlane, change.operations),
  };
}
