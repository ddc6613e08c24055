import { branchOf } from "../model/branch";
import { databaseAnswer, databaseOf, databasesOf } from "../model/database";
import { route } from "../route";

const databases = "/projects/:project_id/branches/:branch_id/databases";

export const databaseRoutes = [
  route({
    method: "GET",
    path: databases,
    handle: ({ plane, project, parameter }) => {
      const branch = branchOf(plane, project().id, parameter("branch_id"));
      return { databases: databasesOf(plane, branch.id).map(databaseAnswer) };
    },
  }),
  route({
    method: "GET",
    path: `${databases}/:database_name`,
    handle: ({ plane, project, parameter }) => {
      const branch = branchOf(plane, project().id, parameter("branch_id"));
      return { database: databaseAnswer(databaseOf(plane, branch.id, parameter("database_name"))) };
    },
  }),
];
