import { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { notFound } from "../http-error";
import { projectMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { flag } from "../http/validation";
import { getBranchOrDefault } from "../model/branches/branch";
import { connectionUri } from "../model/branches/connection-uri";
import { getDatabase } from "../model/branches/database";
import { getRole, requirePassword } from "../model/branches/role";
import { listBranchEndpoints } from "../model/computes/endpoint";

const connectionUriQuery = z.object({
  database_name: z.string().min(1),
  role_name: z.string().min(1),
  branch_id: platformId.optional(),
  endpoint_id: platformId.optional(),
  pooled: flag.optional(),
});

export const connectionUriPaths: ApiPaths = {
  "/projects/:project_id/connection_uri": {
    GET: allow({ ...projectMember, query: connectionUriQuery }, ({ controlPlane, project, query }) => {
      const { endpoint_id: endpointId } = query;
      const branch = getBranchOrDefault(controlPlane, project.id, query.branch_id);
      const endpoint = listBranchEndpoints(controlPlane, branch.id).find(({ id, type }) =>
        endpointId === undefined ? type === "read_write" : id === endpointId,
      );
      if (!endpoint) {
        throw notFound(endpointId === undefined ? "read-write endpoint of the branch" : "endpoint on the branch");
      }
      const database = getDatabase(controlPlane, branch.id, query.database_name);
      const role = getRole(controlPlane, branch.id, query.role_name);
      return {
        uri: connectionUri(controlPlane, { endpoint, role, password: requirePassword(role), database }, query.pooled),
      };
    }),
  },
};
