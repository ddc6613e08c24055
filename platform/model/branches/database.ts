import type { DataApiCreate, DataApiSettings } from "../../../api/schemas/data-api";
import type { DatabaseCreate, DatabaseUpdate } from "../../../api/schemas/database";
import { conflict, unprocessable } from "../../http-error";
import type { Answer, Stored, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { pick } from "../../storage/timestamps";
import { limits, requireBelow } from "../accounts/limits";
import { everyCopy, type RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { type Deletable, isLeftInPostgres } from "../deletable";
import { deleteAfter } from "../operations/effects";
import { operationResponses, type Started } from "../operations/operation";
import type { ProjectRow } from "../projects/project-row";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, noContent } from "../routing/route";
import { nextSequenceNumber } from "../sequence";
import type { BranchRow } from "./branch-row";
import { applyConfiguration, findApplyConfig } from "./postgres-configuration";

/** The REST interface of a database, which is deleted with it. */
export interface DataApiRow extends Omit<DataApiCreate, "settings"> {
  readonly settings: DataApiSettings;
  /** Whether Postgres has the default grants; undefined if nobody asked for them. */
  readonly grants?: "pending" | "made" | undefined;
}

/** Members that the API returns as they are stored. */
const databaseMembers = ["id", "branch_id", "name", "owner_name", "created_at", "updated_at"] as const;

export interface DatabaseRow extends Deletable, Stored<vendor.Database, typeof databaseMembers> {
  project_id: string;
  /** The database in Postgres, as the platform last saw it; undefined until it is created there. */
  catalog?: { oid: number; name: string; owner: string } | undefined;
  /** A copy of the database on another branch has no Data API. */
  data_api?: DataApiRow | undefined;
}

export const databaseTable: RowTable<DatabaseRow> = {
  name: "databases",
  within: "branch",
  branching: {
    on: everyCopy,
    copy(row, { controlPlane, moment }) {
      if (row.deleted_at !== null && !isLeftInPostgres(row, moment)) return undefined;
      const created = row.deleted_at === null && controlPlane.timestamps.created();
      return { ...row, ...created, id: nextSequenceNumber(controlPlane, "database"), data_api: undefined };
    },
  },
  columns: ["deleted_at"],
  indexes: ["branch_id, name", "project_id", "deletion_id"],
  latest: "created_at",
};

const path = "/projects/:project_id/branches/:branch_id/databases";

export const databasePaths: ApiPaths = {
  [path]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      databases: listDatabases(controlPlane, branch.id).map(databaseResponse),
    })),
    POST: allow(
      { ...branchMember, status: 201, ...published.createProjectBranchDatabase },
      ({ controlPlane, project, branch, body }) =>
        changeResponse(controlPlane, createDatabase(controlPlane, project, branch, body.database)),
    ),
  },
  [`${path}/:database_name`]: {
    GET: allow(branchMember, ({ controlPlane, branch, parameter }) => ({
      database: databaseResponse(getDatabase(controlPlane, branch.id, parameter("database_name"))),
    })),
    PATCH: allow(
      { ...branchMember, ...published.updateProjectBranchDatabase },
      ({ controlPlane, project, branch, parameter, body }) => {
        const database = getDatabase(controlPlane, branch.id, parameter("database_name"));
        return changeResponse(controlPlane, updateDatabase(controlPlane, project, branch, database, body.database));
      },
    ),
    DELETE: allow(branchMember, ({ controlPlane, project, branch, parameter }) => {
      const where = { branch_id: branch.id, name: parameter("database_name"), deleted_at: null };
      const database = controlPlane.tables.databases.get(where);
      if (!database) return noContent;
      const operations = applyConfiguration(controlPlane, project, branch, "databases");
      deleteAfter(controlPlane, controlPlane.tables.databases, database, findApplyConfig(operations));
      return changeResponse(controlPlane, { database, operations });
    }),
  },
};

export function insertDatabase(
  controlPlane: ControlPlane,
  branch: Pick<BranchRow, "id" | "project_id">,
  name: string,
  ownerName: string,
): DatabaseRow {
  const { databases } = controlPlane.tables;
  const row: DatabaseRow = {
    id: nextSequenceNumber(controlPlane, "database"),
    project_id: branch.project_id,
    branch_id: branch.id,
    name,
    owner_name: ownerName,
    ...controlPlane.timestamps.created(),
    deleted_at: null,
    deletion_id: null,
  };
  databases.put(row);
  return row;
}

function createDatabase(
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

/** Changes the name or the owner of a database. Postgres is configured even if neither differs. */
function updateDatabase(
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
  // Requests address a Data API by the database's name, so a new name removes the Data API.
  if (name !== database.name) delete changed.data_api;
  controlPlane.tables.databases.put(changed);
  return { database: changed, operations };
}

export function listDatabases({ tables }: ControlPlane, branchId: string): DatabaseRow[] {
  return tables.databases.list({ branch_id: branchId, deleted_at: null }, "ORDER BY created_at");
}

export function getDatabase({ tables }: ControlPlane, branchId: string, name: string): DatabaseRow {
  return tables.databases.getOr404("database", { branch_id: branchId, name, deleted_at: null });
}

export function databaseResponse(row: DatabaseRow) {
  return pick(row, databaseMembers) satisfies Answer<vendor.Database>;
}

function changeResponse(controlPlane: ControlPlane, { database, operations }: Started<{ database: DatabaseRow }>) {
  return { database: databaseResponse(database), operations: operationResponses(controlPlane, operations) };
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
