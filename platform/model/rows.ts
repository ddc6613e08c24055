import type { FaultEnd } from "../faults";

/** The state an object reports about itself. */
type Settings = Readonly<Record<string, unknown>>;

/** The last number given out for objects that are numbered. */
export interface NumberRow {
  kind: string;
  last: number;
}

/** A person with an account. */
export interface UserRow {
  id: string;
  email: string;
  name: string;
  last_name: string;
  login: string;
  image: string;
}

/** An access key; its secret is kept as a hash only. */
export interface ApiKeyRow {
  id: number;
  hash: string;
  name: string;
  user_id: string;
  created_at: string;
  last_used_at: string | null;
  last_used_from_addr: string;
  revoked_at: string | null;
}

export interface ProjectRow {
  id: string;
  owner_id: string;
  name: string;
  platform_id: string;
  region_id: string;
  provisioner: string;
  pg_version: number;
  proxy_host: string;
  store_passwords: boolean;
  history_retention_seconds: number;
  default_endpoint_settings: DefaultEndpointSettings;
  settings: ProjectSettings;
  creation_source: string;
  created_at: string;
  updated_at: string;
  compute_time_seconds: number;
  active_time_seconds: number;
  compute_last_active_at?: string;
  deleted_at: string | null;
  recoverable_until: string | null;
  /** When the control plane checks availability next, if it does. */
  check_at: number | null;
  /** When its active computes will have used up its quota. */
  quota_at: number | null;
}

export interface ProjectSettings {
  quota?: Readonly<Partial<Record<Quota, number>>>;
  allowed_ips: { ips: readonly string[]; protected_branches_only: boolean };
  enable_logical_replication: boolean;
  maintenance_window: { weekdays: readonly number[]; start_time: string; end_time: string };
  block_public_connections: boolean;
  block_vpc_connections: boolean;
  audit_log_level: AuditLogLevel;
  hipaa: boolean;
  preload_libraries?: Settings;
}
export type Quota =
  "active_time_seconds" | "compute_time_seconds" | "written_data_bytes" | "data_transfer_bytes" | "logical_size_bytes";
export type AuditLogLevel = "base" | "extended" | "full";

export interface DefaultEndpointSettings {
  pg_settings?: Readonly<Record<string, string>>;
  pgbouncer_settings?: Readonly<Record<string, string>>;
  autoscaling_limit_min_cu: number;
  autoscaling_limit_max_cu: number;
  suspend_timeout_seconds: number;
}

export interface BranchRow extends Deletable {
  id: string;
  project_id: string;
  parent_id?: string;
  parent_lsn?: string;
  parent_timestamp?: string;
  name: string;
  current_state: string;
  pending_state?: string;
  state_changed_at: string;
  creation_source: string;
  default: boolean;
  protected: boolean;
  init_source: string;
  created_at: string;
  updated_at: string;
  created_by: { name: string; image: string };
  expires_at?: string;
  ttl_interval_seconds?: number;
  logical_size?: number;
  compute_time_seconds: number;
  active_time_seconds: number;
  /** Whether the project was created with it. */
  first: boolean;
  annotation: { value: Readonly<Record<string, string>>; created_at: string; updated_at: string } | null;
  recoverable_until: string | null;
  deletion_method: "user" | "ttl" | null;
}

export interface EndpointRow extends Deletable {
  id: string;
  project_id: string;
  branch_id: string;
  name?: string;
  type: "read_write" | "read_only";
  host: string;
  proxy_host: string;
  region_id: string;
  provisioner: string;
  autoscaling_limit_min_cu: number;
  autoscaling_limit_max_cu: number;
  suspend_timeout_seconds: number;
  settings: Settings;
  pooler_enabled: boolean;
  pooler_mode: string;
  disabled: boolean;
  passwordless_access: boolean;
  current_state: "init" | "active" | "idle";
  pending_state?: "active" | "idle";
  creation_source: string;
  created_at: string;
  updated_at: string;
  last_active?: string;
  started_at?: string;
  suspended_at?: string;
  /** When it is suspended for inactivity. */
  idle_at: number | null;
}

export interface RoleRow extends Deletable {
  project_id: string;
  branch_id: string;
  name: string;
  /** Absent where the project does not store passwords, and on roles that cannot log in. */
  password?: string;
  protected: boolean;
  authentication_method: "password" | "oauth" | "no_login";
  created_at: string;
  updated_at: string;
}

export interface DatabaseRow extends Deletable {
  id: number;
  project_id: string;
  branch_id: string;
  name: string;
  owner_name: string;
  created_at: string;
  updated_at: string;
}

/** What a delete leaves behind until it can no longer be undone. */
interface Deletable {
  /** Since when clients no longer see it. */
  deleted_at: string | null;
  /** The operation that carries the deletion out; if it ends without success, the object is back. */
  deletion_id: string | null;
}

export interface OperationRow {
  id: string;
  project_id: string;
  branch_id?: string;
  endpoint_id?: string;
  action: string;
  status: string;
  error?: string;
  failures_count: number;
  retry_at?: string;
  created_at: string;
  updated_at: string;
  /** What happens to it after the present status. */
  steps: OperationStep[];
  /** When the present status ends; absent while it waits for another operation or for the faults to be deleted. */
  due_at: number | null;
  started_at: number | null;
  total_duration_ms: number;
  ended: boolean;
  fault: FaultEnd | null;
}

/** One status of an operation and how long it lasts; `null` is until the faults are deleted. */
export interface OperationStep {
  status: string;
  milliseconds: number | null;
}
