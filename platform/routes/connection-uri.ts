import { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { notFound } from "../http-error";
import { projectMember } from "../http/authorization";
import { route } from "../http/route";
import { flag } from "../http/validation";
import { getBranch, getDefaultBranch } from "../model/branches/branch";
import { connectionUri } from "../model/branches/connection-uri";
import { getDatabase } from "../model/branches/database";
import { getRole, requirePassword } from "../model/branches/role";
import { listBranchEndpoints } from "../model/computes/endpoint";

export const connectionUriRoutes = [
  route({
    method: "GET",
    path: "/projects/:project_id/connection_uri",
    authorization: projectMember,
    query: z.object({
      database_name: z.string().min(1),
      role_name: z.string().min(1),
      branch_id: platformId.optional(),
      endpoint_id: platformId.optional(),
      pooled: flag.optional(),
    }),
    handle: ({ controlPlane, project, query }) => {
      const branch =
        query.branch_id === undefined
          ? getDefaultBranch(controlPlane, project.id)
          : getBranch(controlPlane, project.id, query.branch_id);
      const endpoint = listBranchEndpoints(controlPlane, branch.id).find(({ id, type }) =>
        query.endpoint_id === undefined ? type === "read_write" : id === query.endpoint_id,
      );
      if (!endpoint) {
        throw notFound(
          query.endpoint_id === undefined ? "read-write endpoint of the branch" : "endpoint on the branch",
        );
      }
      const database = getDatabase(controlPlane, branch.id, query.database_name);
      const role = getRole(controlPlane, branch.id, query.role_name);
      return { uri: connectionUri({ endpoint, role, password: requirePassword(role), database }, query.pooled) };
    },
  }),
];
