import { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { notFound } from "../http-error";
import { inProject } from "../http/authorization";
import { flag } from "../http/query";
import { route } from "../http/route";
import { branchOf, defaultBranchOf } from "../model/branch";
import { connectionUri } from "../model/connection-uri";
import { databaseOf } from "../model/database";
import { endpointsOfBranch } from "../model/endpoint";
import { requirePassword, roleOf } from "../model/role";

export const connectionUriRoutes = [
  route({
    method: "GET",
    path: "/projects/:project_id/connection_uri",
    scope: inProject,
    query: z.object({
      database_name: z.string().min(1),
      role_name: z.string().min(1),
      branch_id: platformId.optional(),
      endpoint_id: platformId.optional(),
      pooled: flag.optional(),
    }),
    handle: ({ plane, project, query }) => {
      const { id: projectId } = project();
      const branch =
        query.branch_id === undefined ? defaultBranchOf(plane, projectId) : branchOf(plane, projectId, query.branch_id);
      const endpoint = endpointsOfBranch(plane, branch.id).find(({ id, type }) =>
        query.endpoint_id === undefined ? type === "read_write" : id === query.endpoint_id,
      );
      if (!endpoint) {
        throw notFound(
          query.endpoint_id === undefined ? "read-write endpoint of the branch" : "endpoint on the branch",
        );
      }
      const database = databaseOf(plane, branch.id, query.database_name);
      const role = roleOf(plane, branch.id, query.role_name);
      return { uri: connectionUri({ endpoint, role, password: requirePassword(role), database }, query.pooled) };
    },
  }),
];
