import type { DatabaseCreate, DatabaseUpdate } from "../../api/schemas/database";
import { conflict, notFound, unprocessable } from "../http-error";
import { applying, reconfigure } from "./configuration";
import type { ControlPlane } from "./control-plane";
import { nextNumber } from "./number";
import type { BranchRow, DatabaseRow, OperationRow, ProjectRow } from "./rows";
import { limits } from "./user";

/** What a change to a database answers: the database as asked for, and the operations that bring it about. */
export interface DatabaseChange {
  readonly database: DatabaseRow;
  readonly operations: readonly OperationRow[];
}

export function createDatabase(
  plane: ControlPlane,
  branch: Pick<BranchRow, "id" | "project_id">,
  name: string,
  ownerName: string,
): DatabaseRow {
  const { databases } = plane.tables;
  const stamp = plane.stamps.next();
  const row: DatabaseRow = {
    id: nextNumber(plane, "database"),
    project_id: branch.project_id,
    branch_id: branch.id,
    name,
    owner_name: ownerName,
    created_at: stamp,
    updated_at: stamp,
    deleted_at: null,
    deletion_id: null,
  };
  databases.put(row);
  return row;
}

/** Makes a database on a branch that is there. */
export function addDatabase(
  plane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  { name, owner_name: ownerName }: DatabaseCreate,
): DatabaseChange {
  requireFreeName(plane, branch, name);
  requireOwner(plane, branch, ownerName);
  if (plane.tables.databases.count({ branch_id: branch.id, deleted_at: null }) >= limits.databasesPerBranch) {
    throw unprocessable(
      `the limit of ${limits.databasesPerBranch} databases per branch is reached`,
      "DATABASES_LIMIT_EXCEEDED",
    );
  }
  const operations = reconfigure(plane, project, branch);
  return { database: createDatabase(plane, branch, name, ownerName), operations };
}

/** Renames a database, gives it another owner, or both. What is asked for is applied even if it is so already. */
export function updateDatabase(
  plane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  database: DatabaseRow,
  asked: DatabaseUpdate,
): DatabaseChange {
  if (asked.name === undefined && asked.owner_name === undefined) return { database, operations: [] };
  const { name = database.name, owner_name: ownerName = database.owner_name } = asked;
  if (name !== database.name) requireFreeName(plane, branch, name);
  if (ownerName !== database.owner_name) requireOwner(plane, branch, ownerName);
  const operations = reconfigure(plane, project, branch);
  const changed = { ...database, name, owner_name: ownerName, updated_at: plane.stamps.next() };
  plane.tables.databases.put(changed);
  return { database: changed, operations };
}

/** Deletes a database with what is in it. */
export function deleteDatabase(
  plane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  database: DatabaseRow,
): DatabaseChange {
  const operations = reconfigure(plane, project, branch);
  const deletion = applying(operations);
  if (deletion === undefined) plane.tables.databases.remove({ id: database.id });
  else plane.tables.databases.put({ ...database, deleted_at: plane.stamps.next(), deletion_id: deletion.id });
  return { database, operations };
}

/** Copies a branch's databases to its child; a copy is a database of its own, with its own id. */
export function copyDatabases(plane: ControlPlane, parent: BranchRow, child: BranchRow): DatabaseRow[] {
  return databasesOf(plane, parent.id).map(({ name, owner_name }) => createDatabase(plane, child, name, owner_name));
}

export function databasesOf({ tables }: ControlPlane, branchId: string): DatabaseRow[] {
  return tables.databases.list({ branch_id: branchId, deleted_at: null }, "ORDER BY created_at");
}

export function databaseOf({ tables }: ControlPlane, branchId: string, name: string): DatabaseRow {
  const found = tables.databases.get({ branch_id: branchId, name, deleted_at: null });
  if (!found) throw notFound("database");
  return found;
}

/** A database as clients see it. */
export function databaseAnswer(row: DatabaseRow): object {
  const { id, branch_id, name, owner_name, created_at, updated_at } = row;
  return { id, branch_id, name, owner_name, created_at, updated_at };
}

function requireFreeName({ tables }: ControlPlane, branch: BranchRow, name: string): void {
  if (tables.databases.get({ branch_id: branch.id, name, deleted_at: null })) {
    throw conflict(`database "${name}" already exists`);
  }
}

function requireOwner({ tables }: ControlPlane, branch: BranchRow, name: string): void {
  if (!tables.roles.get({ branch_id: branch.id, name, deleted_at: null })) {
    throw unprocessable(`role "${name}", which is to own the database, does not exist on the branch`);
  }
}
