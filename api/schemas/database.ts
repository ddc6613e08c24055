import { z } from "zod";

import { path, type Request } from "../request";
import { timestamp } from "./wire";

/** A Postgres database, as the platform reports it. */
export const database = z.looseObject({
  id: z.number(),
  branch_id: z.string(),
  name: z.string(),
  owner_name: z.string(),
  created_at: timestamp,
  updated_at: timestamp.optional(),
});
export type Database = z.infer<typeof database>;

const databaseList = z.looseObject({ databases: z.array(database) });

/** Requests for databases. */
export const databases = {
  list: (projectId: string, branchId: string): Request<z.infer<typeof databaseList>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches/${branchId}/databases`,
    answer: databaseList,
  }),
};
