import { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { notFound, unprocessable } from "../http-error";
import type { LocalPaths } from "../http/local-route";
import { validate } from "../http/validation";
import { connectionUri } from "../model/branches/connection-uri";
import { getDatabase } from "../model/branches/database";
import { getRole, requirePassword } from "../model/branches/role";
import { listBranchEndpoints } from "../model/computes/endpoint";
import { isAddress } from "../model/databases";
import { type PlatformStatus, statusOfProjects } from "../model/status";

const connectionQuery = z.strictObject({
  branch_id: platformId,
  /** Default: the oldest database of the branch. */
  database_name: z.string().min(1).optional(),
  /** Default: the owner of the database. */
  role_name: z.string().min(1).optional(),
});

/** What the commands of `neon-platform` ask a running platform. */
export const statusPaths: LocalPaths = {
  "/local/status": {
    GET: {
      handle: ({ controlPlane, dataFolder, dataPlane }): PlatformStatus => ({
        data: dataFolder ?? null,
        projects: statusOfProjects(controlPlane, dataPlane),
      }),
    },
  },
  "/local/connection_uri": {
    GET: {
      handle: ({ controlPlane, query }) => {
        const input = validate(connectionQuery, query, "query parameter");
        const { tables, databases } = controlPlane;
        if (!databases) throw unprocessable("this platform runs no Postgres");
        const branch = tables.branches.getOr404("branch", { id: input.branch_id, deleted_at: null });
        const endpoint = listBranchEndpoints(controlPlane, branch.id).find(({ type }) => type === "read_write");
        if (!endpoint) throw notFound("read-write endpoint of the branch");
        if (!isAddress(endpoint.host)) {
          throw unprocessable(`compute ${endpoint.id} was created without Postgres: its host leads nowhere`);
        }
        const oldest = tables.databases.list({ branch_id: branch.id, deleted_at: null }, "ORDER BY created_at, id")[0];
        const name = input.database_name ?? oldest?.name;
        if (name === undefined) throw notFound("database of the branch");
        const database = getDatabase(controlPlane, branch.id, name);
        const role = getRole(controlPlane, branch.id, input.role_name ?? database.owner_name);
        return { uri: connectionUri(controlPlane, { endpoint, role, password: requirePassword(role), database }) };
      },
    },
  },
};
