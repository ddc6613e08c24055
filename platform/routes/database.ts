import { z } from "zod";

import { databaseCreate, databaseUpdate } from "../../api/schemas/database";
import { projectMember } from "../http/authorization";
import { noContent } from "../http/response";
import { route } from "../http/route";
import { getBranch } from "../model/branches/branch";
import {
  createDatabase,
  type DatabaseChange,
  databaseResponse,
  deleteDatabase,
  getDatabase,
  listDatabases,
  updateDatabase,
} from "../model/branches/database";
import type { ControlPlane } from "../model/control-plane";
import { operationResponses } from "../model/operations/operation";

const databasesPath = "/projects/:project_id/branches/:branch_id/databases";
const databasePath = `${databasesPath}/:database_name`;

export const databaseRoutes = [
  route({
    method: "GET",
    path: databasesPath,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return { databases: listDatabases(controlPlane, branch.id).map(databaseResponse) };
    },
  }),
  route({
    method: "POST",
    path: databasesPath,
    authorization: projectMember,
    status: 201,
    body: z.object({ database: databaseCreate }),
    handle: ({ controlPlane, project, parameter, body }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return changeResponse(controlPlane, createDatabase(controlPlane, project, branch, body.database));
    },
  }),
  route({
    method: "GET",
    path: databasePath,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return { database: databaseResponse(getDatabase(controlPlane, branch.id, parameter("database_name"))) };
    },
  }),
  route({
    method: "PATCH",
    path: databasePath,
    authorization: projectMember,
    body: z.object({ database: databaseUpdate }),
    handle: ({ controlPlane, project, parameter, body }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      const database = getDatabase(controlPlane, branch.id, parameter("database_name"));
      return changeResponse(controlPlane, updateDatabase(controlPlane, project, branch, database, body.database));
    },
  }),
  route({
    method: "DELETE",
    path: databasePath,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      const where = { branch_id: branch.id, name: parameter("database_name"), deleted_at: null };
      const database = controlPlane.tables.databases.get(where);
      if (!database) return noContent;
      return changeResponse(controlPlane, deleteDatabase(controlPlane, project, branch, database));
    },
  }),
];

function changeResponse(controlPlane: ControlPlane, { database, operations }: DatabaseChange): object {
  return { database: databaseResponse(database), operations: operationResponses(controlPlane, operations) };
}
