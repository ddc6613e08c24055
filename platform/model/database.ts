import type { ControlPlane } from "../control-plane";
import { notFound } from "../refusal";
import { nextNumber } from "./number";
import type { BranchRow, DatabaseRow } from "./rows";

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
