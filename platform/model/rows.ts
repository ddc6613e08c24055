import type { z } from "zod";

import type { BackupScheduleSet } from "../../api/schemas/backup-schedule";
import type { BucketCreate } from "../../api/schemas/bucket";
import type { CredentialCreate } from "../../api/schemas/credential";
import type { DataApiCreate, DataApiSettings } from "../../api/schemas/data-api";
import type { JwksUrlCreate } from "../../api/schemas/jwks-url";
import type { MaskingRule } from "../../api/schemas/masking";
import type {
  AuthProvider,
  EmailAndPasswordUpdate,
  EmailProviderUpdate,
  magicLinkPluginUpdate,
  organizationPluginUpdate,
  phoneNumberPluginUpdate,
  WebhookConfig,
} from "../../api/schemas/neon-auth";
import type { OauthProviderCreate } from "../../api/schemas/neon-auth-oauth-provider";
import type { defaultEndpointSettings, endpointSettings, projectSettings } from "../../api/schemas/project-settings";
import type { Plan } from "./accounts/limits";
import type { FaultEnd } from "./operations/faults";

/** The last id of the objects of one kind whose ids are numbers. */
export interface NumberRow {
  kind: string;
  last: number;
}

export interface UserRow {
  id: string;
  /** In lower case: addresses that differ in case only belong to the same account. */
  email: string;
  name: string;
  last_name: string;
  login: string;
  image: string;
}

/** The creator of an object. */
export interface Author {
  readonly name: string;
  readonly image: string;
}

export type MemberRole = "admin" | "member";

export interface OrganizationRow {
  id: string;
  name: string;
  handle: string;
  plan: Plan;
  projects_limit: number;
  allow_hipaa_projects: boolean;
  /** The monthly spending limit; undefined if there is none. */
  spending_limit_cents?: number | undefined;
  created_at: string;
  updated_at: string;
}

export interface MembershipRow {
  id: string;
  org_id: string;
  user_id: string;
  role: MemberRole;
  joined_at: string;
}

/** An invitation to an organization. It is kept when it is accepted. */
export interface InvitationRow {
  id: string;
  org_id: string;
  email: string;
  role: MemberRole;
  /** The user who has invited. */
  invited_by: string;
  invited_at: string;
  /** Set once the user has joined. */
  accepted_at: string | null;
}

/** What a member of the organization may do in a project, where that differs from the role in the organization. */
export interface ProjectRoleRow {
  project_id: string;
  member_id: string;
  role: ProjectRole;
}

export type ProjectRole = "viewer" | "editor" | "admin";

/** An API key. Its secret is stored as a hash. */
export interface ApiKeyRow {
  id: number;
  hash: string;
  name: string;
  /** Its creator, who owns it if it is a personal key. */
  user_id: string;
  /** The organization that owns it, unless it is a personal key. */
  org_id?: string | undefined;
  /** The project of a project-scoped key. */
  project_id?: string | undefined;
  created_at: string;
  last_used_at: string | null;
  last_used_from_addr: string;
  revoked_at: string | null;
}

export interface ProjectRow {
  id: string;
  /** The user or the organization that owns it. */
  owner_id: string;
  /** The organization that owns it, if it is not a user. */
  org_id?: string | undefined;
  /** With integrations, a project cannot be transferred. */
  integrations?: readonly ("github" | "vercel")[] | undefined;
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
  hipaa_enabled_at?: string | undefined;
  creation_source: string;
  created_at: string;
  updated_at: string;
  compute_time_seconds: number;
  active_time_seconds: number;
  compute_last_active_at?: string | undefined;
  deleted_at: string | null;
  recoverable_until: string | null;
  /** When its availability is checked next; `null` without the `background` option. */
  check_at: number | null;
  /** When its active computes will have used up its quota. */
  quota_at: number | null;
}

/** Shares a project with a user. */
export interface PermissionRow {
  id: string;
  project_id: string;
  granted_to_email: string;
  granted_at: string;
  revoked_at: string | null;
}

/** Offers a project to everybody who knows the id of the request. */
export interface TransferRequestRow {
  /** The hash of the id. */
  id: string;
  project_id: string;
  created_at: string;
  expires_at: string;
}

/** A VPC endpoint that is assigned to an organization, or was until it was deleted. */
export interface VpcEndpointRow {
  org_id: string;
  region_id: string;
  vpc_endpoint_id: string;
  label: string;
  created_at: string;
  /** When its state changes from `new` to `accepted`. */
  accepted_at: number;
  /** A deleted VPC endpoint can never be assigned again. */
  deleted_at: string | null;
}

/** Restricts connections to a project to a VPC endpoint. */
export interface VpcRestrictionRow {
  project_id: string;
  vpc_endpoint_id: string;
  label: string;
}

/** All members, and none of them undefined. */
export type Complete<Members> = { [Name in keyof Members]-?: Exclude<Members[Name], undefined> };

/** The settings in a request, with any member omitted. */
export type SettingsInput = z.infer<typeof projectSettings>;
/** The settings without a default. */
type UnsetSettings = "quota" | "preload_libraries";
export type ProjectSettings = Complete<Omit<SettingsInput, UnsetSettings>> & Pick<SettingsInput, UnsetSettings>;

/** The size of a compute in a request, with any member omitted. */
export type SizingInput = Pick<
  z.infer<typeof defaultEndpointSettings>,
  "autoscaling_limit_min_cu" | "autoscaling_limit_max_cu" | "suspend_timeout_seconds"
>;
export type Sizing = Complete<SizingInput>;
export type DefaultEndpointSettings = z.infer<typeof defaultEndpointSettings> & Sizing;

export interface BranchRow extends Deletable {
  id: string;
  project_id: string;
  parent_id?: string | undefined;
  parent_lsn?: string | undefined;
  parent_timestamp?: string | undefined;
  name: string;
  current_state: string;
  pending_state?: string | undefined;
  state_changed_at: string;
  creation_source: string;
  default: boolean;
  protected: boolean;
  init_source: string;
  created_at: string;
  updated_at: string;
  created_by: Author;
  expires_at?: string | undefined;
  ttl_interval_seconds?: number | undefined;
  logical_size?: number | undefined;
  last_reset_at?: string | undefined;
  /** When its own history starts, if that is not `created_at`. */
  history_since?: string | undefined;
  /** What its data is built from by the operation that creates or restores it. */
  origin?: DataOrigin | undefined;
  /** Where its own history starts in the write-ahead log, if it has a Postgres. */
  history_lsn?: string | undefined;
  /** Set while there is no history that points in time can be recovered from, although it has a Postgres. */
  without_history?: true | undefined;
  /** The end of its write-ahead log when that was last read, if it has a Postgres. */
  current_lsn?: string | undefined;
  /** Where its history starts after the restore in progress has succeeded. */
  restoring?: Pick<BranchRow, "parent_lsn" | "parent_timestamp"> | undefined;
  /** `restored` or `finalized` on a branch that was restored from a snapshot. */
  restore_status?: string | undefined;
  /** The snapshot that it was restored from. */
  restored_from?: string | undefined;
  /** The branch that it replaces. */
  restored_as?: string | undefined;
  compute_time_seconds: number;
  active_time_seconds: number;
  /** Whether the project was created with it. */
  first: boolean;
  annotation: { value: Readonly<Record<string, string>>; created_at: string; updated_at: string } | null;
  recoverable_until: string | null;
  deletion_method: "user" | "ttl" | null;
  /** How its data is masked, if it was created for that. */
  masking?: MaskingRow | undefined;
  /** When the time of the run of the masking that is in progress is up. */
  masking_due_at: number | null;
}

/** How the data of a branch is masked, and how far that has come. */
export interface MaskingRow {
  readonly rules: readonly MaskingRule[];
  readonly state: string;
  /** Set while the first run waits for the data. */
  readonly start?: Pick<MaskingRun, "triggered_by" | "triggered_by_username"> | undefined;
  readonly status_message?: string | undefined;
  readonly created_at: string;
  readonly updated_at: string;
  readonly failed_at?: string | undefined;
  readonly last_run?: MaskingRun | undefined;
}

/** The latest run of the masking. */
interface MaskingRun {
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly triggered_by?: string;
  readonly triggered_by_username?: string;
  readonly masked_columns?: number;
}

/** A moment in the history of a branch: before a log position, or after the commits up to a time with microseconds. */
export type Moment = { readonly lsn: string } | { readonly time: string };

/** What the data of a branch or a snapshot is built from. */
export type DataOrigin =
  | { readonly kind: "empty" }
  | { readonly kind: "snapshot"; readonly id: string }
  | {
      readonly kind: "branch";
      readonly id: string;
      /** Default: the end of the history. */
      readonly moment?: Moment | undefined;
      readonly isSchemaOnly?: boolean | undefined;
      /** The branch that keeps the data which is replaced. */
      readonly preserved_as?: string | undefined;
    };

export interface EndpointRow extends Deletable, Sizing {
  id: string;
  project_id: string;
  branch_id: string;
  name?: string | undefined;
  type: "read_write" | "read_only";
  host: string;
  proxy_host: string;
  region_id: string;
  provisioner: string;
  settings: z.infer<typeof endpointSettings>;
  pooler_enabled: boolean;
  pooler_mode: string;
  disabled: boolean;
  passwordless_access: boolean;
  current_state: "init" | "active" | "idle";
  pending_state?: "active" | "idle" | undefined;
  creation_source: string;
  created_at: string;
  updated_at: string;
  last_active?: string | undefined;
  started_at?: string | undefined;
  suspended_at?: string | undefined;
  /** When it is suspended because it is inactive. */
  idle_at: number | null;
}

export interface RoleRow extends Deletable {
  project_id: string;
  branch_id: string;
  name: string;
  /** Undefined if the project does not store passwords, and on roles that cannot log in. */
  password?: string | undefined;
  /** What Postgres checks the password with. It is known even if the password is not stored. */
  verifier?: string | undefined;
  /** Replaces the password when this operation has succeeded. */
  next_password?: { value?: string | undefined; verifier?: string | undefined; operation_id: string } | undefined;
  /** The role in Postgres, as the platform has last seen it; undefined before it is created there. */
  catalog?: { oid: number; name: string; login: boolean; verifier?: string | undefined } | undefined;
  protected: boolean;
  authentication_method: "password" | "oauth" | "no_login";
  /** Whether it has only the rights that are granted to it, as the roles that tokens use. Default: those of `neon_superuser`. */
  restricted?: true | undefined;
  created_at: string;
  updated_at: string;
}

export interface DatabaseRow extends Deletable {
  id: number;
  project_id: string;
  branch_id: string;
  name: string;
  owner_name: string;
  /** The database in Postgres, as the platform has last seen it; undefined before it is created there. */
  catalog?: { oid: number; name: string; owner: string } | undefined;
  /** A copy of the database on another branch has none. */
  data_api?: DataApiRow | undefined;
  created_at: string;
  updated_at: string;
}

/** The REST interface of a database, which is deleted with it. */
export interface DataApiRow extends Omit<DataApiCreate, "settings"> {
  readonly settings: DataApiSettings;
  /** Whether the default grants are made in Postgres, if they were asked for. */
  readonly grants?: "pending" | "made" | undefined;
}

export interface SnapshotRow extends Deletable {
  id: string;
  project_id: string;
  source_branch_id: string;
  name: string;
  /** Another unique name, which never changes. */
  slug: string;
  lsn?: string | undefined;
  timestamp?: string | undefined;
  created_at: string;
  expires_at?: string | undefined;
  /** Whether it was requested, not taken by a backup schedule. */
  manual: boolean;
  full_size?: number | undefined;
  /** The operation that takes the snapshot, until that has succeeded. */
  creation_id: string | null;
  /** What its data is taken from. */
  origin: DataOrigin;
  roles: readonly RoleRow[];
  databases: readonly Pick<DatabaseRow, "name" | "owner_name" | "catalog">[];
  /** What its data still has, although it was deleted. */
  deletions: WaitingDeletions;
}

/** Deleted roles and databases that the data of a branch or snapshot still has. */
export interface WaitingDeletions {
  readonly roles: readonly RoleRow[];
  readonly databases: readonly DatabaseRow[];
}

export interface BackupScheduleRow {
  project_id: string;
  branch_id: string;
  schedule: readonly BackupRow[];
  /** Up to when its snapshots have been taken. */
  done_at: number;
  /** When the next one is due. */
  next_at: number;
}

export type BackupRow = BackupScheduleSet["schedule"][number];

/** A URL whose keys verify the tokens of clients. Without a branch, it applies to all branches. */
export interface JwksRow extends Omit<JwksUrlCreate, "skip_role_creation"> {
  id: string;
  project_id: string;
  created_at: string;
  updated_at: string;
}

/** A bucket of a branch. A child has a copy of its own. */
export interface BucketRow extends Required<BucketCreate> {
  project_id: string;
  branch_id: string;
  created_at: string;
}

/** What authenticates the client of a credential. Encrypted in the file. */
export interface CredentialSecrets {
  api_token: string;
  s3_secret_access_key: string;
}

/** A credential for services of a branch. */
export interface CredentialRow extends CredentialCreate, CredentialSecrets {
  token_id: string;
  project_id: string;
  branch_id: string;
  created_at: string;
  revoked_at: string | null;
}

/** The Neon Auth integration of a branch, with its whole configuration. */
export interface NeonAuthRow {
  project_id: string;
  branch_id: string;
  auth_provider: AuthProvider;
  auth_provider_project_id: string;
  db_name: string;
  base_url: string;
  created_at: string;
  /** Default: the name of the project. */
  name?: string | undefined;
  allow_localhost: boolean;
  email_and_password: Complete<EmailAndPasswordUpdate>;
  /** Its password is encrypted in the file. */
  email_provider: EmailProviderUpdate;
  organization: Complete<z.infer<typeof organizationPluginUpdate>>;
  magic_link: Complete<z.infer<typeof magicLinkPluginUpdate>>;
  phone_number: Complete<z.infer<typeof phoneNumberPluginUpdate>>;
  webhook: WebhookConfig;
  oauth_providers: readonly OauthProviderRow[];
  domains: readonly { readonly domain: string; readonly auth_provider: string }[];
}

/** Its secret is encrypted in the file. */
export interface OauthProviderRow extends OauthProviderCreate {
  type: "standard" | "shared";
}

/** A user of an application, who signs in with Neon Auth. */
export interface NeonAuthUserRow {
  id: string;
  project_id: string;
  branch_id: string;
  /** In lower case. */
  email: string;
  name?: string | undefined;
  roles: readonly string[];
}

/** Deleted rows are kept until the deletion can no longer fail or be recovered from. */
export interface Deletable {
  /** Clients cannot see a deleted object. */
  deleted_at: string | null;
  /** The operation that carries out the deletion. If it fails, the object becomes visible again. */
  deletion_id: string | null;
}

export interface OperationRow {
  id: string;
  project_id: string;
  branch_id?: string | undefined;
  endpoint_id?: string | undefined;
  action: string;
  status: string;
  error?: string | undefined;
  failures_count: number;
  retry_at?: string | undefined;
  created_at: string;
  updated_at: string;
  /** The statuses that follow. */
  steps: OperationStep[];
  /** When the status ends; `null` while it is queued, or held until the faults are deleted. */
  due_at: number | null;
  started_at: number | null;
  total_duration_ms: number;
  ended: boolean;
  fault: FaultEnd | null;
  /** Whether its work in Postgres is still to be done, undone when its time was up, or done; undefined if it has none. */
  work?: "pending" | "awaited" | "done" | undefined;
  /** Why its work has failed. */
  work_error?: string | undefined;
}

/** Files of an object that is gone. They are removed after the transaction that has removed the object. */
export interface RemovalRow {
  /** The folder, relative to that of Postgres. */
  id: string;
}

/** A status of an operation and how long it lasts; `null` means until the faults are deleted. */
interface OperationStep {
  status: string;
  milliseconds: number | null;
}
