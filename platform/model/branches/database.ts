import type { DatabaseCreate, DatabaseUpdate } from "../../../api/schemas/database";
import { conflict, unprocessable } from "../../http-error";
import { publicMembers } from "../../storage/table";
import { limits, requireBelow } from "../accounts/limits";
import type { ControlPlane } from "../control-plane";
import { deleteAfter } from "../operations/effects";
import type { Started } from "../operations/operation";
import type { ProjectRow } from "../projects/project-row";
import type { BranchRow } from "./branch-row";
import { type DatabaseRow, databaseTable } from "./database-row";
import { nextSequenceNumber } from "../sequence";
import { applyConfiguration, findApplyConfig } from "./postgres-configuration";

export function insertDatabase(
  controlPlane: ControlPlane,
  branch: Pick<BranchRow, "id" | "project_id">,
  name: string,
  ownerName: string,
  catalog?: DatabaseRow["catalog"],
): DatabaseRow {
  const { databases } = controlPlane.tables;
  const row: DatabaseRow = {
    id: nextSequenceNumber(controlPlane, "database"),
    project_id: branch.project_id,
    branch_id: branch.id,
    name,
    owner_name: ownerName,
    catalog,
    ...controlPlane.timestamps.created(),
    deleted_at: null,
    deletion_id: null,
  };
  databases.put(row);
  return row;
}

export function createDatabase(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  { name, owner_name: ownerName }: DatabaseCreate,
): Started<{ database: DatabaseRow }> {
  requireUniqueDatabaseName(controlPlane, branch, name);
  requireOwner(controlPlane, branch, ownerName);
  const count = controlPlane.tables.databases.count({ branch_id: branch.id, deleted_at: null });
  requireBelow(limits.databasesPerBranch, count, "databases", "DATABASES_LIMIT_EXCEEDED");
  const operations = applyConfiguration(controlPlane, project, branch, "databases");
  return { database: insertDatabase(controlPlane, branch, name, ownerName), operations };
}

/** Changes the name or the owner of a database. Postgres is configured even if neither is different. */
export function updateDatabase(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  database: DatabaseRow,
  input: DatabaseUpdate,
): Started<{ database: DatabaseRow }> {
  if (input.name === undefined && input.owner_name === undefined) return { database, operations: [] };
  const { name = database.name, owner_name: ownerName = database.owner_name } = input;
  if (name !== database.name) requireUniqueDatabaseName(controlPlane, branch, name);
  if (ownerName !== database.owner_name) requireOwner(controlPlane, branch, ownerName);
  const operations = applyConfiguration(controlPlane, project, branch, "databases");
  const changed = { ...database, name, owner_name: ownerName, updated_at: controlPlane.timestamps.next() };
  // Requests address a Data API by the name of its database.
  if (name !== database.name) delete changed.data_api;
  controlPlane.tables.databases.put(changed);
  return { database: changed, operations };
}

export function deleteDatabase(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  database: DatabaseRow,
): Started<{ database: DatabaseRow }> {
  const operations = applyConfiguration(controlPlane, project, branch, "databases");
  deleteAfter(controlPlane, controlPlane.tables.databases, database, findApplyConfig(operations));
  return { database, operations };
}

/** Copies the databases of a branch to its child. Each copy has its own id. */
export function copyDatabases(controlPlane: ControlPlane, parent: BranchRow, child: BranchRow): DatabaseRow[] {
  return listDatabases(controlPlane, parent.id).map(({ name, owner_name, catalog }) =>
    insertDatabase(controlPlane, child, name, owner_name, catalog),
  );
}

export function listDatabases({ tables }: ControlPlane, branchId: string): DatabaseRow[] {
  return tables.databases.list({ branch_id: branchId, deleted_at: null }, "ORDER BY created_at");
}

export function getDatabase({ tables }: ControlPlane, branchId: string, name: string): DatabaseRow {
  return tables.databases.getOr404("database", { branch_id: branchId, name, deleted_at: null });
}

/** A database as the API returns it. */
export function databaseResponse(row: DatabaseRow): object {
  return publicMembers(databaseTable, row);
}

function requireUniqueDatabaseName({ tables }: ControlPlane, branch: BranchRow, name: string): void {
  if (tables.databases.get({ branch_id: branch.id, name, deleted_at: null })) {
    throw conflict(`database "${name}" already exists`, "DATABASE_ALREADY_EXISTS");
  }
}

function requireOwner({ tables }: ControlPlane, branch: BranchRow, name: string): void {
  if (!tables.roles.get({ branch_id: branch.id, name, deleted_at: null })) {
    throw unprocessable(`database owner not found; role_name:"${name}"`);
  }
}
