import type { DatabaseCreate, DatabaseUpdate } from "../../../api/schemas/database";
import { conflict, notFound, unprocessable } from "../../http-error";
import { limits } from "../accounts/limits";
import type { ControlPlane } from "../control-plane";
import type { BranchRow, DatabaseRow, OperationRow, ProjectRow } from "../rows";
import { nextSequenceNumber } from "../sequence";
import { applyConfiguration, findApplyConfig } from "./postgres-configuration";

/** A changed database and the operations that carry out the change. */
export interface DatabaseChange {
  readonly database: DatabaseRow;
  readonly operations: readonly OperationRow[];
}

export function insertDatabase(
  controlPlane: ControlPlane,
  branch: Pick<BranchRow, "id" | "project_id">,
  name: string,
  ownerName: string,
): DatabaseRow {
  const { databases } = controlPlane.tables;
  const timestamp = controlPlane.timestamps.next();
  const row: DatabaseRow = {
    id: nextSequenceNumber(controlPlane, "database"),
    project_id: branch.project_id,
    branch_id: branch.id,
    name,
    owner_name: ownerName,
    created_at: timestamp,
    updated_at: timestamp,
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
): DatabaseChange {
  requireUniqueName(controlPlane, branch, name);
  requireOwner(controlPlane, branch, ownerName);
  if (controlPlane.tables.databases.count({ branch_id: branch.id, deleted_at: null }) >= limits.databasesPerBranch) {
    throw unprocessable(
      `the limit of ${limits.databasesPerBranch} databases per branch is reached`,
      "DATABASES_LIMIT_EXCEEDED",
    );
  }
  const operations = applyConfiguration(controlPlane, project, branch);
  return { database: insertDatabase(controlPlane, branch, name, ownerName), operations };
}

/** Changes the name or the owner of a database. Postgres is configured even if neither is different. */
export function updateDatabase(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  database: DatabaseRow,
  input: DatabaseUpdate,
): DatabaseChange {
  if (input.name === undefined && input.owner_name === undefined) return { database, operations: [] };
  const { name = database.name, owner_name: ownerName = database.owner_name } = input;
  if (name !== database.name) requireUniqueName(controlPlane, branch, name);
  if (ownerName !== database.owner_name) requireOwner(controlPlane, branch, ownerName);
  const operations = applyConfiguration(controlPlane, project, branch);
  const changed = { ...database, name, owner_name: ownerName, updated_at: controlPlane.timestamps.next() };
  controlPlane.tables.databases.put(changed);
  return { database: changed, operations };
}

export function deleteDatabase(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  database: DatabaseRow,
): DatabaseChange {
  const operations = applyConfiguration(controlPlane, project, branch);
  const deletion = findApplyConfig(operations);
  if (deletion === undefined) controlPlane.tables.databases.delete({ id: database.id });
  else
    controlPlane.tables.databases.put({
      ...database,
      deleted_at: controlPlane.timestamps.next(),
      deletion_id: deletion.id,
    });
  return { database, operations };
}

/** Copies the databases of a branch to its child. Each copy has its own id. */
export function copyDatabases(controlPlane: ControlPlane, parent: BranchRow, child: BranchRow): DatabaseRow[] {
  return listDatabases(controlPlane, parent.id).map(({ name, owner_name }) =>
    insertDatabase(controlPlane, child, name, owner_name),
  );
}

export function listDatabases({ tables }: ControlPlane, branchId: string): DatabaseRow[] {
  return tables.databases.list({ branch_id: branchId, deleted_at: null }, "ORDER BY created_at");
}

export function getDatabase({ tables }: ControlPlane, branchId: string, name: string): DatabaseRow {
  const found = tables.databases.get({ branch_id: branchId, name, deleted_at: null });
  if (!found) throw notFound("database");
  return found;
}

/** A database as the API returns it. */
export function databaseResponse(row: DatabaseRow): object {
  const { id, branch_id, name, owner_name, created_at, updated_at } = row;
  return { id, branch_id, name, owner_name, created_at, updated_at };
}

function requireUniqueName({ tables }: ControlPlane, branch: BranchRow, name: string): void {
  if (tables.databases.get({ branch_id: branch.id, name, deleted_at: null })) {
    throw conflict(`database "${name}" already exists`);
  }
}

function requireOwner({ tables }: ControlPlane, branch: BranchRow, name: string): void {
  if (!tables.roles.get({ branch_id: branch.id, name, deleted_at: null })) {
    throw unprocessable(`role "${name}", which is to own the database, does not exist on the branch`);
  }
}
