import { notFound } from "../http-error";
import { projectMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { getBranchOrDefault } from "../model/branches/branch";
import { connectionUri } from "../model/branches/connection-uri";
import { getDatabase } from "../model/branches/database";
import { getRole, requirePassword } from "../model/branches/role";
import { listBranchEndpoints } from "../model/computes/endpoint";
import * as published from "../published/requests";

export const connectionUriPaths: ApiPaths = {
  "/projects/:project_id/connection_uri": {
    GET: allow({ ...projectMember, ...published.getConnectionURI }, ({ controlPlane, project, query }) => {
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
