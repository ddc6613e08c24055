import type { Store, Table } from "../store";
import type {
  ApiKeyRow,
  BranchRow,
  DatabaseRow,
  EndpointRow,
  NumberRow,
  OperationRow,
  ProjectRow,
  RoleRow,
  UserRow,
} from "./rows";

/** Everything the platform remembers. */
export interface Tables {
  readonly numbers: Table<NumberRow>;
  readonly users: Table<UserRow>;
  readonly apiKeys: Table<ApiKeyRow>;
  readonly projects: Table<ProjectRow>;
  readonly branches: Table<BranchRow>;
  readonly endpoints: Table<EndpointRow>;
  readonly roles: Table<RoleRow>;
  readonly databases: Table<DatabaseRow>;
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
  return {
    numbers: store.table<NumberRow>({ name: "numbers", columns: { kind: "TEXT" }, key: ["kind"], indexes: [] }),
    users: store.table<UserRow>({ name: "users", columns: { id: "TEXT" }, key: ["id"], indexes: [] }),
    apiKeys: store.table<ApiKeyRow>({
      name: "api_keys",
      columns: { id: "INTEGER", hash: "TEXT", user_id: "TEXT", created_at: "TEXT", revoked_at: "TEXT" },
      key: ["id"],
      indexes: ["hash", "user_id, created_at"],
    }),
    projects: store.table<ProjectRow>({
      name: "projects",
      columns: {
        id: "TEXT",
        name: "TEXT",
        owner_id: "TEXT",
        created_at: "TEXT",
        deleted_at: "TEXT",
        recoverable_until: "TEXT",
        check_at: "REAL",
        quota_at: "REAL",
      },
      key: ["id"],
      indexes: ["owner_id, created_at", "owner_id, deleted_at", "recoverable_until", "check_at", "quota_at"],
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
      indexes: ["project_id"],
    }),
    databases: store.table<DatabaseRow>({
      name: "databases",
      columns: { ...onBranch, id: "INTEGER", created_at: "TEXT" },
      key: ["id"],
      indexes: ["branch_id, name", "project_id"],
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
}

/** The latest timestamp in any table. */
export function latestStamp({ projects, branches, endpoints, operations, apiKeys }: Tables): string | undefined {
  const stamps = [
    projects.greatest("created_at"),
    branches.greatest("updated_at"),
    endpoints.greatest("created_at"),
    operations.greatest("created_at"),
    apiKeys.greatest("created_at"),
  ].filter((stamp) => typeof stamp === "string");
  return stamps.sort().at(-1);
}
