import type { Store } from "../storage/store";
import type { Table } from "../storage/table";
import type {
  ApiKeyRow,
  BackupScheduleRow,
  BranchRow,
  DatabaseRow,
  EndpointRow,
  JwksRow,
  MembershipRow,
  NumberRow,
  OperationRow,
  OrganizationRow,
  PermissionRow,
  ProjectRow,
  RoleRow,
  SnapshotRow,
  TransferRequestRow,
  UserRow,
  VpcEndpointRow,
  VpcRestrictionRow,
} from "./rows";

/** All data of the platform. */
export interface Tables {
  readonly numbers: Table<NumberRow>;
  readonly users: Table<UserRow>;
  readonly organizations: Table<OrganizationRow>;
  readonly memberships: Table<MembershipRow>;
  readonly apiKeys: Table<ApiKeyRow>;
  readonly projects: Table<ProjectRow>;
  readonly permissions: Table<PermissionRow>;
  readonly transferRequests: Table<TransferRequestRow>;
  readonly vpcEndpoints: Table<VpcEndpointRow>;
  readonly vpcRestrictions: Table<VpcRestrictionRow>;
  readonly branches: Table<BranchRow>;
  readonly endpoints: Table<EndpointRow>;
  readonly roles: Table<RoleRow>;
  readonly databases: Table<DatabaseRow>;
  readonly snapshots: Table<SnapshotRow>;
  readonly backupSchedules: Table<BackupScheduleRow>;
  readonly jwks: Table<JwksRow>;
  readonly operations: Table<OperationRow>;
}

/** Opens the tables of a store. Missing tables and columns are created. */
export function openTables(store: Store): Tables {
  const onBranch = {
    project_id: "TEXT",
    branch_id: "TEXT",
    name: "TEXT",
    deleted_at: "TEXT",
    deletion_id: "TEXT",
  } as const;
  return {
    numbers: store.table<NumberRow>({ name: "numbers", columns: { kind: "TEXT" }, primaryKey: ["kind"], indexes: [] }),
    users: store.table<UserRow>({
      name: "users",
      columns: { id: "TEXT", email: "TEXT" },
      primaryKey: ["id"],
      indexes: ["email"],
    }),
    organizations: store.table<OrganizationRow>({
      name: "organizations",
      columns: { id: "TEXT", created_at: "TEXT" },
      primaryKey: ["id"],
      indexes: ["created_at"],
    }),
    memberships: store.table<MembershipRow>({
      name: "memberships",
      columns: { id: "TEXT", org_id: "TEXT", user_id: "TEXT", role: "TEXT", joined_at: "TEXT" },
      primaryKey: ["org_id", "user_id"],
      indexes: ["user_id, joined_at", "org_id, joined_at"],
    }),
    apiKeys: store.table<ApiKeyRow>({
      name: "api_keys",
      columns: {
        id: "INTEGER",
        hash: "TEXT",
        user_id: "TEXT",
        org_id: "TEXT",
        project_id: "TEXT",
        created_at: "TEXT",
        revoked_at: "TEXT",
      },
      primaryKey: ["id"],
      indexes: ["hash", "user_id, created_at", "org_id, created_at", "project_id"],
    }),
    projects: store.table<ProjectRow>({
      name: "projects",
      columns: {
        id: "TEXT",
        name: "TEXT",
        owner_id: "TEXT",
        org_id: "TEXT",
        created_at: "TEXT",
        deleted_at: "TEXT",
        recoverable_until: "TEXT",
        check_at: "REAL",
        quota_at: "REAL",
      },
      primaryKey: ["id"],
      indexes: ["owner_id, created_at", "owner_id, deleted_at", "recoverable_until", "check_at", "quota_at"],
    }),
    permissions: store.table<PermissionRow>({
      name: "permissions",
      columns: {
        id: "TEXT",
        project_id: "TEXT",
        granted_to_email: "TEXT",
        granted_at: "TEXT",
        revoked_at: "TEXT",
      },
      primaryKey: ["id"],
      indexes: ["project_id, granted_at", "granted_to_email"],
    }),
    transferRequests: store.table<TransferRequestRow>({
      name: "transfer_requests",
      columns: { id: "TEXT", project_id: "TEXT", created_at: "TEXT" },
      primaryKey: ["id"],
      indexes: ["project_id"],
    }),
    vpcEndpoints: store.table<VpcEndpointRow>({
      name: "vpc_endpoints",
      columns: {
        org_id: "TEXT",
        region_id: "TEXT",
        vpc_endpoint_id: "TEXT",
        created_at: "TEXT",
        deleted_at: "TEXT",
      },
      primaryKey: ["org_id", "region_id", "vpc_endpoint_id"],
      indexes: ["org_id, created_at"],
    }),
    vpcRestrictions: store.table<VpcRestrictionRow>({
      name: "vpc_restrictions",
      columns: { project_id: "TEXT", vpc_endpoint_id: "TEXT" },
      primaryKey: ["project_id", "vpc_endpoint_id"],
      indexes: ["vpc_endpoint_id"],
    }),
    branches: store.table<BranchRow>({
      name: "branches",
      columns: {
        id: "TEXT",
        project_id: "TEXT",
        parent_id: "TEXT",
        name: "TEXT",
        default: "INTEGER",
        protected: "INTEGER",
        created_at: "TEXT",
        updated_at: "TEXT",
        expires_at: "TEXT",
        deleted_at: "TEXT",
        deletion_id: "TEXT",
        recoverable_until: "TEXT",
      },
      primaryKey: ["id"],
      indexes: [
        "project_id, name",
        "project_id, created_at",
        "project_id, updated_at",
        'project_id, "default"',
        "parent_id",
        "expires_at",
        "project_id, deleted_at",
        "deletion_id, recoverable_until",
      ],
    }),
    endpoints: store.table<EndpointRow>({
      name: "endpoints",
      columns: {
        id: "TEXT",
        project_id: "TEXT",
        branch_id: "TEXT",
        type: "TEXT",
        current_state: "TEXT",
        created_at: "TEXT",
        idle_at: "REAL",
        deleted_at: "TEXT",
        deletion_id: "TEXT",
      },
      primaryKey: ["id"],
      indexes: ["project_id, created_at", "branch_id, created_at", "idle_at", "deletion_id"],
    }),
    roles: store.table<RoleRow>({
      name: "roles",
      columns: { ...onBranch, created_at: "TEXT" },
      primaryKey: ["branch_id", "name"],
      indexes: ["project_id", "deletion_id"],
      encrypted: ["password", "value"],
    }),
    databases: store.table<DatabaseRow>({
      name: "databases",
      columns: { ...onBranch, id: "INTEGER", created_at: "TEXT" },
      primaryKey: ["id"],
      indexes: ["branch_id, name", "project_id", "deletion_id"],
    }),
    snapshots: store.table<SnapshotRow>({
      name: "snapshots",
      columns: {
        id: "TEXT",
        project_id: "TEXT",
        created_at: "TEXT",
        expires_at: "TEXT",
        manual: "INTEGER",
        creation_id: "TEXT",
        deleted_at: "TEXT",
        deletion_id: "TEXT",
      },
      primaryKey: ["id"],
      indexes: ["project_id, created_at", "expires_at", "creation_id", "deletion_id"],
      // The passwords of its roles.
      encrypted: ["password"],
    }),
    backupSchedules: store.table<BackupScheduleRow>({
      name: "backup_schedules",
      columns: { project_id: "TEXT", branch_id: "TEXT", next_at: "REAL" },
      primaryKey: ["branch_id"],
      indexes: ["project_id", "next_at"],
    }),
    jwks: store.table<JwksRow>({
      name: "jwks",
      columns: { id: "TEXT", project_id: "TEXT", branch_id: "TEXT", created_at: "TEXT" },
      primaryKey: ["id"],
      indexes: ["project_id, created_at", "branch_id"],
    }),
    operations: store.table<OperationRow>({
      name: "operations",
      columns: {
        id: "TEXT",
        project_id: "TEXT",
        endpoint_id: "TEXT",
        created_at: "TEXT",
        due_at: "REAL",
        ended: "INTEGER",
      },
      primaryKey: ["id"],
      indexes: ["project_id, created_at", "project_id, ended, created_at", "due_at"],
    }),
  };
}

/** The latest timestamp in all tables. */
export function latestTimestamp(tables: Tables): string | undefined {
  const timestamps = [
    tables.projects.max("created_at"),
    tables.branches.max("updated_at"),
    tables.endpoints.max("created_at"),
    tables.roles.max("created_at"),
    tables.databases.max("created_at"),
    tables.snapshots.max("created_at"),
    tables.jwks.max("created_at"),
    tables.operations.max("created_at"),
    tables.apiKeys.max("created_at"),
    tables.organizations.max("created_at"),
    tables.memberships.max("joined_at"),
    tables.permissions.max("granted_at"),
    tables.transferRequests.max("created_at"),
    tables.vpcEndpoints.max("created_at"),
  ].filter((timestamp) => typeof timestamp === "string");
  return timestamps.sort().at(-1);
}
