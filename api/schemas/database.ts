import { z } from "zod";

import { path, type Request } from "../request";
import { operationsMember } from "./operation";
import { postgresName } from "./postgres-name";
import { timestamp } from "./wire";

/** A Postgres database. Requests address it by its name; its id does not change when it is renamed. */
export const database = z.looseObject({
  id: z.number(),
  branch_id: z.string(),
  name: z.string(),
  owner_name: z.string(),
  created_at: timestamp,
  updated_at: timestamp.optional(),
});
export type Database = z.infer<typeof database>;

export const databaseCreate = z.object({
  name: postgresName,
  /** The role that owns the database. */
  owner_name: postgresName,
});
export type DatabaseCreate = z.infer<typeof databaseCreate>;

export const databaseUpdate = databaseCreate.partial();
export type DatabaseUpdate = z.infer<typeof databaseUpdate>;

const databaseResponse = z.looseObject({ database });
const databaseList = z.looseObject({ databases: z.array(database) });
const databaseChanged = z.looseObject({ database, operations: operationsMember });
/** Deleting a deleted database returns a 204 without a body. */
const databaseDeleted = z.looseObject({ database: database.optional(), operations: operationsMember });

/** Requests for databases. */
export const databases = {
  list: (projectId: string, branchId: string): Request<z.infer<typeof databaseList>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches/${branchId}/databases`,
    schema: databaseList,
  }),
  get: (projectId: string, branchId: string, name: string): Request<z.infer<typeof databaseResponse>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches/${branchId}/databases/${name}`,
    schema: databaseResponse,
  }),
  create: (projectId: string, branchId: string, body: DatabaseCreate): Request<z.infer<typeof databaseChanged>> => ({
    method: "POST",
    path: path`/projects/${projectId}/branches/${branchId}/databases`,
    body: { database: body },
    schema: databaseChanged,
  }),
  /** @param name the current name; `body` may contain a new one */
  update: (
    projectId: string,
    branchId: string,
    name: string,
    body: DatabaseUpdate,
  ): Request<z.infer<typeof databaseChanged>> => ({
    method: "PATCH",
    path: path`/projects/${projectId}/branches/${branchId}/databases/${name}`,
    body: { database: body },
    schema: databaseChanged,
  }),
  delete: (projectId: string, branchId: string, name: string): Request<z.infer<typeof databaseDeleted>> => ({
    method: "DELETE",
    path: path`/projects/${projectId}/branches/${branchId}/databases/${name}`,
    schema: databaseDeleted,
  }),
};
