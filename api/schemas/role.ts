import { z } from "zod";

import { path, type Request } from "../request";
import { timestamp } from "./wire";

/** A Postgres role, as the platform reports it. `password` is there only in answers that make one. */
export const role = z.looseObject({
  branch_id: z.string(),
  name: z.string(),
  password: z.string().optional(),
  protected: z.boolean().optional(),
  authentication_method: z.string().optional(),
  created_at: timestamp,
  updated_at: timestamp.optional(),
});
export type Role = z.infer<typeof role>;

const roleList = z.looseObject({ roles: z.array(role) });

/** Requests for roles. */
export const roles = {
  list: (projectId: string, branchId: string): Request<z.infer<typeof roleList>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches/${branchId}/roles`,
    answer: roleList,
  }),
};
