import { hashOf, isHash } from "../storage/hash";
import type { Store, Table } from "../storage/store";
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

/** Everything the platform remembers. */
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

/** The tables in a store, made if they are not there. */
export function tablesOf(store: Store): Tables {
  const onBranch = {
    project_id: "TEXT",
    branch_id: "TEXT",
    name: "TEXT",
    deleted_at: "TEXT",
    deletion_id: "TEXT",
  } as const;
  const tables: Tables = {
    numbers: store.table<NumberRow>({ name: "numbers", columns: { kind: "TEXT" }, key: ["kind"], indexes: [] }),
    users: store.table<UserRow>({
      name: "users",
      columns: { id: "TEXT", email: "TEXT" },
      key: ["id"],
      indexes: ["email"],
    }),
    organizations: store.table<OrganizationRow>({
      name: "organizations",
      columns: { id: "TEXT", created_at: "TEXT" },
      key: ["id"],
      indexes: ["created_at"],
    }),
    memberships: store.table<MembershipRow>({
      name: "memberships",
      columns: { id: "TEXT", org_id: "TEXT", user_id: "TEXT", role: "TEXT", joined_at: "TEXT" },
      key: ["org_id", "user_id"],
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
      key: ["id"],
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
      key: ["id"],
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
      key: ["id"],
      indexes: ["project_id, granted_at", "granted_to_email"],
    }),
    transferRequests: store.table<TransferRequestRow>({
      name: "transfer_requests",
      columns: { id: "TEXT", project_id: "TEXT", created_at: "TEXT" },
      key: ["id"],
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
      key: ["org_id", "region_id", "vpc_endpoint_id"],
      indexes: ["org_id, created_at"],
    }),
    vpcRestrictions: store.table<VpcRestrictionRow>({
      name: "vpc_restrictions",
      columns: { project_id: "TEXT", vpc_endpoint_id: "TEXT" },
      key: ["project_id", "vpc_endpoint_id"],
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
      key: ["id"],
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
      key: ["id"],
      indexes: ["project_id, created_at", "branch_id, created_at", "idle_at", "deletion_id"],
    }),
    roles: store.table<RoleRow>({
      name: "roles",
      columns: { ...onBranch, created_at: "TEXT" },
      key: ["branch_id", "name"],
      indexes: ["project_id", "deletion_id"],
      secrets: ["password", "value"],
    }),
    databases: store.table<DatabaseRow>({
      name: "databases",
      columns: { ...onBranch, id: "INTEGER", created_at: "TEXT" },
      key: ["id"],
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
      key: ["id"],
      indexes: ["project_id, created_at", "expires_at", "creation_id", "deletion_id"],
      // Of the roles in it.
      secrets: ["password"],
    }),
    backupSchedules: store.table<BackupScheduleRow>({
      name: "backup_schedules",
      columns: { project_id: "TEXT", branch_id: "TEXT", next_at: "REAL" },
      key: ["branch_id"],
      indexes: ["project_id", "next_at"],
    }),
    jwks: store.table<JwksRow>({
      name: "jwks",
      columns: { id: "TEXT", project_id: "TEXT", branch_id: "TEXT", created_at: "TEXT" },
      key: ["id"],
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
      key: ["id"],
      indexes: ["project_id, created_at", "project_id, ended, created_at", "due_at"],
    }),
  };
  store.upgrade(() => sealSecrets(tables));
  return tables;
}

/** Version 1 has kept passwords and the ids of offers as they are told. */
function sealSecrets({ roles, snapshots, transferRequests }: Tables): void {
  for (const row of roles.list({})) roles.put(row);
  for (const row of snapshots.list({})) snapshots.put(row);
  for (const { id, ...row } of transferRequests.list({})) {
    if (isHash(id)) continue;
    transferRequests.remove({ id });
    transferRequests.put({ id: hashOf(id), ...row });
  }
}

/** The latest timestamp in any table. */
export function latestStamp(tables: Tables): string | undefined {
  const stamps = [
    tables.projects.greatest("created_at"),
    tables.branches.greatest("updated_at"),
    tables.endpoints.greatest("created_at"),
    tables.roles.greatest("created_at"),
    tables.databases.greatest("created_at"),
    tables.snapshots.greatest("created_at"),
    tables.jwks.greatest("created_at"),
    tables.operations.greatest("created_at"),
    tables.apiKeys.greatest("created_at"),
    tables.organizations.greatest("created_at"),
    tables.memberships.greatest("joined_at"),
    tables.permissions.greatest("granted_at"),
    tables.transferRequests.greatest("created_at"),
    tables.vpcEndpoints.greatest("created_at"),
  ].filter((stamp) => typeof stamp === "string");
  return stamps.sort().at(-1);
}
