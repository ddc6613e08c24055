import type { ControlPlane } from "../model/control-plane";
import type { BranchRow } from "../model/branches/branch-row";
import { isBeingRestored } from "../model/branches/branch-state";
import type { DatabaseRow } from "../model/branches/database";
import type { RoleRow } from "../model/branches/role";
import { nextSequenceNumber } from "../model/sequence";
import type { CatalogDatabase, CatalogRole, ClusterState } from "../postgres/catalog";

/** A row that stands for an object of a catalog. */
interface CatalogRow<Seen> {
  readonly name: string;
  readonly catalog?: Seen | undefined;
  readonly deleted_at: string | null;
  readonly deletion_id: string | null;
}
interface CatalogObject {
  readonly oid: number;
  readonly name: string;
}

/**
 * Records the state of a Postgres in the rows of its branch: roles and databases that were made, changed or dropped in SQL, the
 * size, and the end of the log. A change that Postgres does not have yet stays.
 *
 * While a branch is restored, nothing is recorded: its Postgres still has the old data, and its rows already stand for the new data.
 */
export function recordState(controlPlane: ControlPlane, branchId: string, state: ClusterState): void {
  const { tables } = controlPlane;
  const branch = tables.branches.get({ id: branchId });
  if (!branch || isBeingRestored(branch)) return;
  recordRoles(controlPlane, branch, state.roles);
  recordDatabases(controlPlane, branch, state.databases);
  const { size: logical_size, lsn: current_lsn } = state;
  if (branch.logical_size === logical_size && branch.current_lsn === current_lsn) return;
  tables.branches.put({ ...branch, logical_size, current_lsn });
}

/** The object of a row: by its identity, or by its name if the platform has not seen it yet. */
export function objectOfRow<Seen extends CatalogObject>(
  row: CatalogRow<CatalogObject>,
  seen: readonly Seen[],
): Seen | undefined {
  return seen.find(({ oid }) => oid === row.catalog?.oid) ?? seen.find(({ name }) => name === row.name);
}

/** The value that a row should have: that of Postgres, unless the platform has changed the row since it last read the catalog. */
function merged<Value>(wanted: Value, before: Value, now: Value): Value {
  return wanted === before ? now : wanted;
}

function recordRoles(controlPlane: ControlPlane, branch: BranchRow, seen: readonly CatalogRole[]): void {
  const { roles } = controlPlane.tables;
  const rows = roles.list({ branch_id: branch.id });
  for (const row of rows) {
    const role = objectOfRow(row, seen);
    if (!role) removeIfDropped(roles, row);
    else if (row.deleted_at === null) putIfChanged(roles, row, roleRow(row, role));
  }
  for (const role of unknownOf(rows, seen)) {
    const created = controlPlane.timestamps.created();
    roles.put({ ...newRow(branch), ...created, protected: false, ...roleMembers(role), verifier: role.verifier });
  }
}

function roleRow(row: RoleRow, role: CatalogRole): RoleRow {
  const { catalog } = row;
  if (!catalog) return { ...row, catalog: role };
  // If the verifier in Postgres is unknown, the platform still has to set its own.
  const isOwnChange = row.next_password !== undefined && row.next_password.verifier === role.verifier;
  const isChangedInSql = !isOwnChange && catalog.verifier !== undefined && row.verifier === catalog.verifier;
  const verifier = isChangedInSql ? role.verifier : row.verifier;
  const isPasswordKnown = verifier === row.verifier;
  return {
    ...row,
    name: merged(row.name, catalog.name, role.name),
    authentication_method: merged(row.authentication_method, methodOf(catalog), methodOf(role)),
    verifier,
    password: isPasswordKnown ? row.password : undefined,
    // A verifier that is not in Postgres yet must stay different from the one that was seen there.
    catalog: verifier === role.verifier ? role : { ...role, verifier: catalog.verifier },
  };
}

function recordDatabases(controlPlane: ControlPlane, branch: BranchRow, seen: readonly CatalogDatabase[]): void {
  const { databases } = controlPlane.tables;
  const rows = databases.list({ branch_id: branch.id });
  for (const row of rows) {
    const database = objectOfRow(row, seen);
    if (!database) removeIfDropped(databases, row);
    else if (row.deleted_at === null) putIfChanged(databases, row, databaseRow(row, database));
  }
  for (const database of unknownOf(rows, seen)) {
    const created = controlPlane.timestamps.created();
    const id = nextSequenceNumber(controlPlane, "database");
    const { name, owner: owner_name } = database;
    databases.put({ ...newRow(branch), ...created, id, name, owner_name, catalog: database });
  }
}

function databaseRow(row: DatabaseRow, database: CatalogDatabase): DatabaseRow {
  const { catalog } = row;
  if (!catalog) return { ...row, catalog: database };
  const name = merged(row.name, catalog.name, database.name);
  const owner_name = merged(row.owner_name, catalog.owner, database.owner);
  const isApplied = name === database.name && owner_name === database.owner;
  return { ...row, name, owner_name, catalog: isApplied ? database : { ...catalog, oid: database.oid } };
}

interface RowTable<Row> {
  put(row: Row): void;
  remove(row: Row): void;
}

/**
 * Removes the row of an object that Postgres does not have: it was dropped in SQL, unless it was never
 * there, or an operation is deleting it.
 */
function removeIfDropped<Row extends CatalogRow<CatalogObject>>(table: RowTable<Row>, row: Row): void {
  if (row.catalog !== undefined && row.deletion_id === null) table.remove(row);
}

function putIfChanged<Row extends { readonly name: string }>(table: RowTable<Row>, before: Row, after: Row): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (before.name !== after.name) table.remove(before);
  table.put(after);
}

function unknownOf<Seen extends CatalogObject>(
  rows: readonly CatalogRow<CatalogObject>[],
  seen: readonly Seen[],
): readonly Seen[] {
  const known = rows.map((row) => objectOfRow(row, seen));
  return seen.filter((each) => !known.includes(each));
}

const methodOf = ({ login }: Pick<CatalogRole, "login">): RoleRow["authentication_method"] =>
  login ? "password" : "no_login";

const roleMembers = (role: CatalogRole): Pick<RoleRow, "name" | "authentication_method" | "catalog"> => ({
  name: role.name,
  authentication_method: methodOf(role),
  catalog: role,
});

const newRow = ({ id, project_id }: BranchRow) =>
  ({ project_id, branch_id: id, deleted_at: null, deletion_id: null }) as const;
