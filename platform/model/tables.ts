import type { Store } from "../storage/store";
import type {
  ApiKeyRow,
  BackupScheduleRow,
  BranchRow,
  BucketRow,
  CredentialRow,
  DatabaseRow,
  EndpointRow,
  InvitationRow,
  JwksRow,
  MembershipRow,
  NeonAuthRow,
  NeonAuthUserRow,
  NumberRow,
  OperationRow,
  OrganizationRow,
  PermissionRow,
  ProjectRoleRow,
  ProjectRow,
  RemovalRow,
  RoleRow,
  SnapshotRow,
  TransferRequestRow,
  UserRow,
  VpcEndpointRow,
  VpcRestrictionRow,
} from "./rows";

/** Opens the tables of a store. Missing tables are created. */
export function openTables(store: Store) {
  const onBranch = ["project_id", "branch_id", "name", "created_at", "deleted_at", "deletion_id"] as const;
  return {
    numbers: store.table<NumberRow>({ name: "numbers", columns: ["kind"], primaryKey: ["kind"], indexes: [] }),
    users: store.table<UserRow>({
      name: "users",
      columns: ["id", "email"],
      indexes: ["email"],
    }),
    organizations: store.table<OrganizationRow>({
      name: "organizations",
      columns: ["id", "created_at"],
      indexes: ["created_at"],
    }),
    memberships: store.table<MembershipRow>({
      name: "memberships",
      columns: ["id", "org_id", "user_id", "role", "joined_at"],
      primaryKey: ["org_id", "user_id"],
      indexes: ["user_id, joined_at", "org_id, joined_at"],
    }),
    invitations: store.table<InvitationRow>({
      name: "invitations",
      columns: ["id", "org_id", "email", "invited_at", "accepted_at"],
      indexes: ["org_id, invited_at", "email"],
    }),
    projectRoles: store.table<ProjectRoleRow>({
      name: "project_roles",
      columns: ["project_id", "member_id"],
      primaryKey: ["project_id", "member_id"],
      indexes: ["member_id"],
    }),
    apiKeys: store.table<ApiKeyRow>({
      name: "api_keys",
      columns: ["id", "hash", "user_id", "org_id", "project_id", "created_at", "revoked_at"],
      indexes: ["hash", "user_id, created_at", "org_id, created_at", "project_id"],
    }),
    projects: store.table<ProjectRow>({
      name: "projects",
      columns: [
        "id",
        "name",
        "owner_id",
        "org_id",
        "created_at",
        "deleted_at",
        "recoverable_until",
        "check_at",
        "quota_at",
      ],
      indexes: ["owner_id, created_at", "owner_id, deleted_at", "recoverable_until", "check_at", "quota_at"],
    }),
    permissions: store.table<PermissionRow>({
      name: "permissions",
      columns: ["id", "project_id", "granted_to_email", "granted_at", "revoked_at"],
      indexes: ["project_id, granted_at", "granted_to_email"],
    }),
    transferRequests: store.table<TransferRequestRow>({
      name: "transfer_requests",
      columns: ["id", "project_id", "created_at"],
      indexes: ["project_id"],
    }),
    vpcEndpoints: store.table<VpcEndpointRow>({
      name: "vpc_endpoints",
      columns: ["org_id", "region_id", "vpc_endpoint_id", "created_at", "deleted_at"],
      primaryKey: ["org_id", "region_id", "vpc_endpoint_id"],
      indexes: ["org_id, created_at"],
    }),
    vpcRestrictions: store.table<VpcRestrictionRow>({
      name: "vpc_restrictions",
      columns: ["project_id", "vpc_endpoint_id"],
      primaryKey: ["project_id", "vpc_endpoint_id"],
      indexes: ["vpc_endpoint_id"],
    }),
    branches: store.table<BranchRow>({
      name: "branches",
      columns: [
        "id",
        "project_id",
        "parent_id",
        "name",
        "default",
        "protected",
        "created_at",
        "updated_at",
        "expires_at",
        "deleted_at",
        "deletion_id",
        "recoverable_until",
        "masking_due_at",
      ],
      indexes: [
        "project_id, name",
        "masking_due_at",
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
      columns: [
        "id",
        "project_id",
        "branch_id",
        "host",
        "type",
        "current_state",
        "created_at",
        "idle_at",
        "deleted_at",
        "deletion_id",
      ],
      indexes: ["project_id, created_at", "branch_id, created_at", "idle_at", "deletion_id", "host"],
    }),
    roles: store.table<RoleRow>({
      name: "roles",
      columns: [...onBranch],
      primaryKey: ["branch_id", "name"],
      indexes: ["project_id", "deletion_id"],
      encrypted: ["password", "value", "verifier"],
    }),
    databases: store.table<DatabaseRow>({
      name: "databases",
      columns: [...onBranch, "id"],
      indexes: ["branch_id, name", "project_id", "deletion_id"],
    }),
    snapshots: store.table<SnapshotRow>({
      name: "snapshots",
      columns: ["id", "project_id", "created_at", "expires_at", "manual", "creation_id", "deleted_at", "deletion_id"],
      indexes: ["project_id, created_at", "expires_at", "creation_id", "deletion_id"],
      // The passwords of its roles.
      encrypted: ["password", "verifier"],
    }),
    backupSchedules: store.table<BackupScheduleRow>({
      name: "backup_schedules",
      columns: ["project_id", "branch_id", "next_at"],
      primaryKey: ["branch_id"],
      indexes: ["project_id", "next_at"],
    }),
    jwks: store.table<JwksRow>({
      name: "jwks",
      columns: ["id", "project_id", "branch_id", "created_at"],
      indexes: ["project_id, created_at", "branch_id"],
    }),
    buckets: store.table<BucketRow>({
      name: "buckets",
      columns: ["name", "project_id", "branch_id", "created_at"],
      primaryKey: ["branch_id", "name"],
      indexes: ["project_id"],
    }),
    credentials: store.table<CredentialRow>({
      name: "credentials",
      columns: ["token_id", "project_id", "branch_id", "created_at"],
      primaryKey: ["token_id"],
      indexes: ["project_id", "branch_id, created_at"],
      encrypted: ["api_token", "s3_secret_access_key"],
    }),
    neonAuth: store.table<NeonAuthRow>({
      name: "neon_auth",
      columns: ["project_id", "branch_id", "created_at"],
      primaryKey: ["branch_id"],
      indexes: ["project_id"],
      // Of the e-mail provider, and of OAuth providers.
      encrypted: ["password", "client_secret"],
    }),
    neonAuthUsers: store.table<NeonAuthUserRow>({
      name: "neon_auth_users",
      columns: ["id", "project_id", "branch_id", "email"],
      primaryKey: ["branch_id", "id"],
      indexes: ["project_id", "branch_id, email"],
    }),
    operations: store.table<OperationRow>({
      name: "operations",
      columns: ["id", "project_id", "endpoint_id", "created_at", "due_at", "ended", "work"],
      indexes: ["project_id, created_at", "project_id, ended, created_at", "due_at", "work, ended"],
    }),
    removals: store.table<RemovalRow>({ name: "removals", columns: ["id"], indexes: [] }),
  };
}

/** All data of the platform. */
export type Tables = ReturnType<typeof openTables>;

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
    tables.buckets.max("created_at"),
    tables.credentials.max("created_at"),
    tables.neonAuth.max("created_at"),
    tables.operations.max("created_at"),
    tables.apiKeys.max("created_at"),
    tables.organizations.max("created_at"),
    tables.memberships.max("joined_at"),
    tables.invitations.max("invited_at"),
    tables.permissions.max("granted_at"),
    tables.transferRequests.max("created_at"),
    tables.vpcEndpoints.max("created_at"),
  ].filter((timestamp) => typeof timestamp === "string");
  return timestamps.sort().at(-1);
}
