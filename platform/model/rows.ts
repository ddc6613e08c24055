import type { BackupFrequency } from "../../api/schemas/backup-schedule";
import type { FaultEnd } from "./faults";
import type { Plan } from "./plan";

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
  /** In lower case: an address names the same account however it is written. */
  email: string;
  name: string;
  last_name: string;
  login: string;
  image: string;
}

/** Whom an object names as the one who made it. */
export interface Author {
  readonly name: string;
  readonly image: string;
}

/** What a member of an organization may do in it. */
export type MemberRole = "admin" | "member";

export interface OrganizationRow {
  id: string;
  name: string;
  handle: string;
  plan: Plan;
  projects_limit: number;
  allow_hipaa_projects: boolean;
  created_at: string;
  updated_at: string;
}

/** A user in an organization. */
export interface MembershipRow {
  id: string;
  org_id: string;
  user_id: string;
  role: MemberRole;
  joined_at: string;
}

/** An access key; its secret is kept as a hash only. */
export interface ApiKeyRow {
  id: number;
  hash: string;
  name: string;
  /** Who made it; a personal key is theirs. */
  user_id: string;
  /** The organization whose it is, unless it is a personal one. */
  org_id?: string;
  /** The only project that it reaches, if it is for one. */
  project_id?: string;
  created_at: string;
  last_used_at: string | null;
  last_used_from_addr: string;
  revoked_at: string | null;
}

export interface ProjectRow {
  id: string;
  /** The user or the organization whose it is. */
  owner_id: string;
  /** The organization, if it belongs to one. */
  org_id?: string;
  /** What is connected to it that it cannot be transferred with. */
  integrations?: readonly Integration[];
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

export type Integration = "github" | "vercel";

/** A user's access to a project of somebody else. */
export interface PermissionRow {
  id: string;
  project_id: string;
  granted_to_email: string;
  granted_at: string;
  revoked_at: string | null;
}

/** A project that is offered to whoever knows the id of the offer. */
export interface TransferRequestRow {
  /** Kept as a hash: who knows it can have the project. */
  id: string;
  project_id: string;
  created_at: string;
  expires_at: string;
}

/** A VPC endpoint that is, or was, assigned to an organization. */
export interface VpcEndpointRow {
  org_id: string;
  region_id: string;
  vpc_endpoint_id: string;
  label: string;
  created_at: string;
  /** From when on the connection from it is accepted. */
  accepted_at: number;
  /** It can never be assigned again. */
  deleted_at: string | null;
}

/** A VPC endpoint through which a project is reached, and no longer from elsewhere. */
export interface VpcRestrictionRow {
  project_id: string;
  vpc_endpoint_id: string;
  label: string;
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
  created_by: Author;
  expires_at?: string;
  ttl_interval_seconds?: number;
  logical_size?: number;
  last_reset_at?: string;
  /** Since when it has a history of its own, if that is not since it was made. */
  history_since?: string;
  /** Where it begins once the restore that is under way has ended well. */
  restoring?: Pick<BranchRow, "parent_lsn" | "parent_timestamp">;
  /** `restored` or `finalized`, on a branch that was made from a snapshot to take another one's place. */
  restore_status?: string;
  /** The snapshot that it was made from. */
  restored_from?: string;
  /** The branch whose place it takes. */
  restored_as?: string;
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
  /** The one that takes its place when this operation has ended well. */
  next_password?: { value: string; operation_id: string };
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

export interface SnapshotRow extends Deletable {
  id: string;
  project_id: string;
  source_branch_id: string;
  name: string;
  lsn?: string;
  timestamp?: string;
  created_at: string;
  expires_at?: string;
  /** Whether somebody asked for it, rather than a schedule. */
  manual: boolean;
  full_size?: number;
  /** The operation that takes it, until that has ended well: before there is nothing in it. */
  creation_id: string | null;
  roles: readonly RoleRow[];
  databases: readonly Pick<DatabaseRow, "name" | "owner_name">[];
}

/** When a branch is backed up. */
export interface BackupScheduleRow {
  project_id: string;
  branch_id: string;
  schedule: readonly BackupRow[];
  /** Up to when its backups have been taken. */
  done_at: number;
  /** When the next one is due. */
  next_at: number;
}

export interface BackupRow {
  frequency: BackupFrequency;
  hour?: number;
  day?: number;
  month?: number;
  retention_seconds?: number;
}

/** Where keys are by which tokens are checked. */
export interface JwksRow {
  id: string;
  project_id: string;
  /** Absent for all branches. */
  branch_id?: string;
  jwks_url: string;
  provider_name: string;
  jwt_audience?: string;
  role_names: readonly string[];
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
