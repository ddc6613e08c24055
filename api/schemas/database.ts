import { z } from "zod";

import { path, request } from "../core/request";
import { operationsMember } from "./operation";
import { postgresName } from "./postgres-name";
import { createdAt, idOfBranch, updatedAt, wholeNumber } from "./wire";

/** A Postgres database. Requests address it by its name; its id does not change when it is renamed. */
export const database = z.looseObject({
  id: wholeNumber.describe("Numeric id of the database. It does not change if the database is renamed."),
  branch_id: idOfBranch,
  name: z.string().describe("Name of the database, unique on the branch."),
  owner_name: z.string().describe("Name of the role that owns the database."),
  created_at: createdAt,
  updated_at: updatedAt,
});
export type Database = z.infer<typeof database>;

export const databaseCreate = z.object({ name: postgresName, owner_name: postgresName });
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
  list: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/databases`, databaseList),
  get: (projectId: string, branchId: string, name: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/databases/${name}`, databaseResponse),
  create: (projectId: string, branchId: string, body: DatabaseCreate) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/databases`, databaseChanged, {
      body: { database: body },
    }),
  /** @param name the current name; `body` may contain a new one */
  update: (projectId: string, branchId: string, name: string, body: DatabaseUpdate) =>
    request("PATCH", path`/projects/${projectId}/branches/${branchId}/databases/${name}`, databaseChanged, {
      body: { database: body },
    }),
  delete: (projectId: string, branchId: string, name: string) =>
    request("DELETE", path`/projects/${projectId}/branches/${branchId}/databases/${name}`, databaseDeleted),
};
