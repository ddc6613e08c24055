import { z } from "zod";

import { databaseCreate, databaseUpdate } from "../../api/schemas/database";
import { inProject } from "../http/authorization";
import { noContent, route } from "../http/route";
import { branchOf } from "../model/branch";
import type { ControlPlane } from "../model/control-plane";
import {
  addDatabase,
  databaseAnswer,
  type DatabaseChange,
  databaseOf,
  databasesOf,
  deleteDatabase,
  updateDatabase,
} from "../model/database";
import { operationAnswer } from "../model/operation";

const databases = "/projects/:project_id/branches/:branch_id/databases";
const database = `${databases}/:database_name`;

export const databaseRoutes = [
  route({
    method: "GET",
    path: databases,
    scope: inProject,
    handle: ({ plane, project, parameter }) => {
      const branch = branchOf(plane, project().id, parameter("branch_id"));
      return { databases: databasesOf(plane, branch.id).map(databaseAnswer) };
    },
  }),
  route({
    method: "POST",
    path: databases,
    scope: inProject,
    status: 201,
    body: z.object({ database: databaseCreate }),
    handle: ({ plane, project: find, parameter, body }) => {
      const project = find();
      const branch = branchOf(plane, project.id, parameter("branch_id"));
      return change(plane, addDatabase(plane, project, branch, body.database));
    },
  }),
  route({
    method: "GET",
    path: database,
    scope: inProject,
    handle: ({ plane, project, parameter }) => {
      const branch = branchOf(plane, project().id, parameter("branch_id"));
      return { database: databaseAnswer(databaseOf(plane, branch.id, parameter("database_name"))) };
    },
  }),
  route({
    method: "PATCH",
    path: database,
    scope: inProject,
    body: z.object({ database: databaseUpdate }),
    handle: ({ plane, project: find, parameter, body }) => {
      const project = find();
      const branch = branchOf(plane, project.id, parameter("branch_id"));
      const present = databaseOf(plane, branch.id, parameter("database_name"));
      return change(plane, updateDatabase(plane, project, branch, present, body.database));
    },
  }),
  route({
    method: "DELETE",
    path: database,
    scope: inProject,
    handle: ({ plane, project: find, parameter }) => {
      const project = find();
      const branch = branchOf(plane, project.id, parameter("branch_id"));
      const where = { branch_id: branch.id, name: parameter("database_name"), deleted_at: null };
      const present = plane.tables.databases.get(where);
      return present ? change(plane, deleteDatabase(plane, project, branch, present)) : noContent;
    },
  }),
];

function change(plane: ControlPlane, { database: changed, operations }: DatabaseChange): object {
  return {
    database: databaseAnswer(changed),
    operations: operations.map((operation) => operationAnswer(plane, operation)),
  };
}
