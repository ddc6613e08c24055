import { z } from "zod";

import type { LocalPaths } from "../http/local-route";
import { validate } from "../model/routing/validation";
import { branchUri } from "../model/branches/connection-uri";
import { type PlatformStatus, statusOfProjects } from "../model/status";
import { id } from "../published/values";

const connectionQuery = z.strictObject({
  branch_id: id,
  /** Default: the oldest database of the branch. */
  database_name: z.string().min(1).optional(),
  /** Default: the owner of the database. */
  role_name: z.string().min(1).optional(),
});

/** The routes for the commands of `neon-platform`. */
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
        return { uri: branchUri(controlPlane, input.branch_id, input.database_name, input.role_name) };
      },
    },
  },
};
