// Generated from public-v2-for-users.gen.yaml of @neondatabase/api-client 2.7.3, by `npm run document`. Do not edit.
import { z } from "zod";

import { email, flag, id, instant, listOf, mapOf, object, uri, wholeNumber } from "./values";

const apiKeyCreateRequest = object("ApiKeyCreateRequest", { key_name: z.string().max(64) });

const projectQuota = object("ProjectQuota", {
  active_time_seconds: z.int().min(0).optional(),
  compute_time_seconds: z.int().min(0).optional(),
  written_data_bytes: z.int().min(0).optional(),
  data_transfer_bytes: z.int().min(0).optional(),
  logical_size_bytes: z.int().min(0).optional(),
});

const allowedIps = object("AllowedIps", {
  ips: z.array(z.string()).optional(),
  protected_branches_only: z.boolean().optional(),
});

const maintenanceWindow = object("MaintenanceWindow", {
  weekdays: z.array(z.int()),
  start_time: z.string(),
  end_time: z.string(),
});

const projectAuditLogLevel = z.enum(["base", "extended", "full"]);

const preloadLibraries = object("PreloadLibraries", {
  use_defaults: z.boolean().optional(),
  enabled_libraries: z.array(z.string()).optional(),
});

const projectSettingsData = object("ProjectSettingsData", {
  quota: projectQuota.optional(),
  allowed_ips: allowedIps.optional(),
  enable_logical_replication: z.boolean().optional(),
  maintenance_window: maintenanceWindow.optional(),
  block_public_connections: z.boolean().optional(),
  block_vpc_connections: z.boolean().optional(),
  audit_log_level: projectAuditLogLevel.optional(),
  hipaa: z.boolean().optional(),
  preload_libraries: preloadLibraries.optional(),
});

const annotationValueData = mapOf(z.string(), 50);

const computeUnit = z.number().min(0.25);

const provisioner = z.string();

const pgSettingsData = mapOf(z.string());

const pgbouncerSettingsData = mapOf(z.string());

const suspendTimeoutSeconds = z.int().min(-1).max(604800);

const defaultEndpointSettings = object("DefaultEndpointSettings", {
  pg_settings: pgSettingsData.optional(),
  pgbouncer_settings: pgbouncerSettingsData.optional(),
  autoscaling_limit_min_cu: computeUnit.optional(),
  autoscaling_limit_max_cu: computeUnit.optional(),
  suspend_timeout_seconds: suspendTimeoutSeconds.optional(),
});

const pgVersion = z.int().min(14).max(18);

const projectCreateRequest = object("ProjectCreateRequest", {
  project: object("ProjectCreateRequest.project", {
    settings: projectSettingsData.optional(),
    name: z.string().min(1).max(256).optional(),
    branch: object("ProjectCreateRequest.project.branch", {
      name: z.string().min(1).max(256).optional(),
      role_name: z.string().optional(),
      database_name: z.string().optional(),
      annotations: annotationValueData.optional(),
    }).optional(),
    autoscaling_limit_min_cu: computeUnit.optional(),
    autoscaling_limit_max_cu: computeUnit.optional(),
    provisioner: provisioner.optional(),
    region_id: z.string().optional(),
    default_endpoint_settings: defaultEndpointSettings.optional(),
    pg_version: pgVersion.optional(),
    store_passwords: z.boolean().optional(),
    history_retention_seconds: z.int32().min(0).max(2592000).optional(),
    org_id: id.optional(),
  }),
});

const projectUpdateRequest = object("ProjectUpdateRequest", {
  project: object("ProjectUpdateRequest.project", {
    settings: projectSettingsData.optional(),
    name: z.string().min(1).max(256).optional(),
    default_endpoint_settings: defaultEndpointSettings.optional(),
    history_retention_seconds: z.int32().min(0).max(2592000).optional(),
  }),
});

const grantPermissionToProjectRequest = object("GrantPermissionToProjectRequest", { email: email.min(1).max(256) });

const addProjectJWKSRequest = object("AddProjectJWKSRequest", {
  jwks_url: z.string(),
  provider_name: z.string(),
  branch_id: id.optional(),
  jwt_audience: z.string().optional(),
  role_names: z.array(z.string()).min(0).max(10).optional(),
  skip_role_creation: z.boolean().optional(),
});

const dataAPISettings = object("DataAPISettings", {
  db_aggregates_enabled: z.boolean().optional(),
  db_anon_role: z.string().optional(),
  db_extra_search_path: z.string().optional(),
  db_max_rows: z.int().optional(),
  db_schemas: z.array(z.string()).optional(),
  jwt_role_claim_key: z.string().optional(),
  jwt_cache_max_lifetime: z.int().optional(),
  openapi_mode: z.string().optional(),
  server_cors_allowed_origins: z.string().optional(),
  server_timing_enabled: z.boolean().optional(),
});

const dataAPICreateRequest = object("DataAPICreateRequest", {
  auth_provider: z.enum(["neon_auth", "external"]).optional(),
  jwks_url: uri.optional(),
  provider_name: z.string().optional(),
  jwt_audience: z.string().optional(),
  add_default_grants: z.boolean().optional(),
  skip_auth_schema: z.boolean().optional(),
  settings: dataAPISettings.optional(),
});

const dataAPIUpdateRequest = object("DataAPIUpdateRequest", { settings: dataAPISettings.optional() });

const neonAuthSupportedAuthProvider = z.enum(["mock", "stack", "better_auth"]);

const enableNeonAuthIntegrationRequest = object("EnableNeonAuthIntegrationRequest", {
  auth_provider: neonAuthSupportedAuthProvider,
  database_name: z.string().optional(),
});

const neonAuthAddDomainToRedirectURIWhitelistRequest = object("NeonAuthAddDomainToRedirectURIWhitelistRequest", {
  domain: uri,
  auth_provider: neonAuthSupportedAuthProvider,
});

const neonAuthDeleteDomainFromRedirectURIWhitelistItem = object("NeonAuthDeleteDomainFromRedirectURIWhitelistItem", {
  domain: uri,
});

const neonAuthDeleteDomainFromRedirectURIWhitelistRequest = object(
  "NeonAuthDeleteDomainFromRedirectURIWhitelistRequest",
  { auth_provider: neonAuthSupportedAuthProvider, domains: z.array(neonAuthDeleteDomainFromRedirectURIWhitelistItem) },
);

const createBranchNeonAuthNewUserRequest = object("CreateBranchNeonAuthNewUserRequest", {
  email: email.min(1).max(256),
  name: z.string().min(1).max(255).optional(),
});

const updateNeonAuthUserRoleRequest = object("UpdateNeonAuthUserRoleRequest", { roles: z.array(z.string()).min(1) });

const neonAuthOauthProviderId = z.enum(["google", "github", "microsoft", "vercel"]);

const neonAuthAddOAuthProviderRequest = object("NeonAuthAddOAuthProviderRequest", {
  id: neonAuthOauthProviderId,
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  microsoft_tenant_id: z.string().optional(),
});

const neonAuthUpdateOAuthProviderRequest = object("NeonAuthUpdateOAuthProviderRequest", {
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  microsoft_tenant_id: z.string().optional(),
});

const standardEmailServer = object("StandardEmailServer", {
  host: z.string(),
  port: z.int(),
  username: z.string(),
  password: z.string(),
  sender_email: z.string(),
  sender_name: z.string(),
});

const sendNeonAuthTestEmailRequest = object("SendNeonAuthTestEmailRequest", {
  ...standardEmailServer.shape,
  recipient_email: email.min(1).max(256),
});

const neonAuthEmailVerificationMethod = z.enum(["link", "otp"]);

const neonAuthEmailAndPasswordConfigUpdate = object("NeonAuthEmailAndPasswordConfigUpdate", {
  enabled: z.boolean().optional(),
  email_verification_method: neonAuthEmailVerificationMethod.optional(),
  require_email_verification: z.boolean().optional(),
  auto_sign_in_after_verification: z.boolean().optional(),
  send_verification_email_on_sign_up: z.boolean().optional(),
  send_verification_email_on_sign_in: z.boolean().optional(),
  disable_sign_up: z.boolean().optional(),
});

const sharedEmailServer = object("SharedEmailServer", {
  sender_email: z.string().optional(),
  sender_name: z.string().optional(),
});

const neonAuthEmailServerConfig = z.discriminatedUnion("type", [
  standardEmailServer.extend({ type: z.literal("standard") }),
  sharedEmailServer.extend({ type: z.literal("shared") }),
]);

const updateNeonAuthAllowLocalhostRequest = object("UpdateNeonAuthAllowLocalhostRequest", {
  allow_localhost: z.boolean(),
});

const neonAuthOrganizationConfigUpdate = object("NeonAuthOrganizationConfigUpdate", {
  enabled: z.boolean().optional(),
  organization_limit: z.int32().min(1).optional(),
  membership_limit: z.int32().min(1).optional(),
  creator_role: z.enum(["admin", "owner"]).optional(),
  send_invitation_email: z.boolean().optional(),
});

const neonAuthConfigUpdate = object("NeonAuthConfigUpdate", { name: z.string().min(1).max(256) });

const neonAuthMagicLinkConfigUpdate = object("NeonAuthMagicLinkConfigUpdate", {
  enabled: z.boolean().optional(),
  expires_in: z.int32().min(5).max(1440).optional(),
  disable_sign_up: z.boolean().optional(),
});

const neonAuthPhoneNumberConfigUpdate = object("NeonAuthPhoneNumberConfigUpdate", {
  enabled: z.boolean().optional(),
  otp_expires_in: z.int().min(60).max(600).optional(),
});

const neonAuthWebhookConfig = object("NeonAuthWebhookConfig", {
  enabled: z.boolean(),
  webhook_url: z.string().optional(),
  enabled_events: z
    .array(
      z.enum([
        "user.before_create",
        "user.created",
        "send.otp",
        "send.magic_link",
        "organization.invitation.created",
        "organization.invitation.accepted",
        "phone_number.verified",
      ]),
    )
    .optional(),
  timeout_seconds: z.int().min(1).max(10).optional(),
});

const endpointType = z.enum(["read_only", "read_write"]);

const endpointSettingsData = object("EndpointSettingsData", {
  pg_settings: pgSettingsData.optional(),
  pgbouncer_settings: pgbouncerSettingsData.optional(),
  preload_libraries: preloadLibraries.optional(),
});

const branchCreateRequestEndpointOptions = object("BranchCreateRequestEndpointOptions", {
  type: endpointType,
  settings: endpointSettingsData.optional(),
  autoscaling_limit_min_cu: computeUnit.optional(),
  autoscaling_limit_max_cu: computeUnit.optional(),
  provisioner: provisioner.optional(),
  suspend_timeout_seconds: suspendTimeoutSeconds.optional(),
});

const branchCreateRequest = object("BranchCreateRequest", {
  endpoints: z.array(branchCreateRequestEndpointOptions).optional(),
  branch: object("BranchCreateRequest.branch", {
    parent_id: id.optional(),
    name: z.string().min(1).max(256).optional(),
    parent_lsn: z.string().optional(),
    parent_timestamp: instant.optional(),
    protected: z.boolean().optional(),
    archived: z.boolean().optional(),
    init_source: z.string().optional(),
    expires_at: instant.optional(),
  }).optional(),
});

const annotationCreateValueRequest = object("AnnotationCreateValueRequest", {
  annotation_value: annotationValueData.optional(),
});

const maskingRule = object("MaskingRule", {
  database_name: z.string(),
  schema_name: z.string(),
  table_name: z.string(),
  column_name: z.string(),
  masking_function: z.string().optional(),
  masking_value: z.string().optional(),
});

const branchAnonymizedCreateRequest = object("BranchAnonymizedCreateRequest", {
  ...annotationCreateValueRequest.shape,
  branch_create: branchCreateRequest.optional(),
  masking_rules: z.array(maskingRule).optional(),
  start_anonymization: z.boolean().optional(),
});

const branchUpdateRequest = object("BranchUpdateRequest", {
  branch: object("BranchUpdateRequest.branch", {
    name: z.string().min(1).max(256).optional(),
    protected: z.boolean().optional(),
    expires_at: instant.nullable().optional(),
  }),
});

const branchRestoreRequest = object("BranchRestoreRequest", {
  source_branch_id: id,
  source_lsn: z.string().optional(),
  source_timestamp: instant.optional(),
  preserve_under_name: z.string().optional(),
});

const maskingRulesUpdateRequest = object("MaskingRulesUpdateRequest", { masking_rules: z.array(maskingRule) });

const databaseCreateRequest = object("DatabaseCreateRequest", {
  database: object("DatabaseCreateRequest.database", { name: z.string(), owner_name: z.string() }),
});

const databaseUpdateRequest = object("DatabaseUpdateRequest", {
  database: object("DatabaseUpdateRequest.database", {
    name: z.string().optional(),
    owner_name: z.string().optional(),
  }),
});

const roleCreateRequest = object("RoleCreateRequest", {
  role: object("RoleCreateRequest.role", { name: z.string(), no_login: z.boolean().optional() }),
});

const vPCEndpointAssignment = object("VPCEndpointAssignment", { label: z.string() });

const endpointPoolerMode = z.enum(["transaction"]);

const endpointCreateRequest = object("EndpointCreateRequest", {
  endpoint: object("EndpointCreateRequest.endpoint", {
    branch_id: id,
    region_id: z.string().optional(),
    type: endpointType,
    settings: endpointSettingsData.optional(),
    autoscaling_limit_min_cu: computeUnit.optional(),
    autoscaling_limit_max_cu: computeUnit.optional(),
    provisioner: provisioner.optional(),
    pooler_enabled: z.boolean().optional(),
    pooler_mode: endpointPoolerMode.optional(),
    disabled: z.boolean().optional(),
    passwordless_access: z.boolean().optional(),
    suspend_timeout_seconds: suspendTimeoutSeconds.optional(),
    name: z.string().min(1).max(64).optional(),
  }),
});

const endpointUpdateRequest = object("EndpointUpdateRequest", {
  endpoint: object("EndpointUpdateRequest.endpoint", {
    branch_id: id.optional(),
    autoscaling_limit_min_cu: computeUnit.optional(),
    autoscaling_limit_max_cu: computeUnit.optional(),
    provisioner: provisioner.optional(),
    settings: endpointSettingsData.optional(),
    pooler_enabled: z.boolean().optional(),
    pooler_mode: endpointPoolerMode.optional(),
    disabled: z.boolean().optional(),
    passwordless_access: z.boolean().optional(),
    suspend_timeout_seconds: suspendTimeoutSeconds.optional(),
    name: z.string().min(1).max(64).optional(),
  }),
});

const orgApiKeyCreateRequest = object("OrgApiKeyCreateRequest", {
  ...apiKeyCreateRequest.shape,
  project_id: id.optional(),
});

const spendingLimitUpdateRequest = object("SpendingLimitUpdateRequest", { spending_limit_cents: z.int().min(1) });

const memberRole = z.enum(["admin", "member", "editor", "viewer", "collaborator"]);

const organizationMemberUpdateRequest = object("OrganizationMemberUpdateRequest", { role: memberRole });

const organizationInviteCreateRequest = object("OrganizationInviteCreateRequest", {
  email: email.min(1).max(256),
  role: memberRole,
});

const organizationInvitesCreateRequest = object("OrganizationInvitesCreateRequest", {
  invitations: z.array(organizationInviteCreateRequest),
});

const transferProjectsToOrganizationRequest = object("TransferProjectsToOrganizationRequest", {
  destination_org_id: id,
  project_ids: z.array(id).min(1).max(400),
});

const snapshotUpdateRequest = object("SnapshotUpdateRequest", {
  snapshot: object("SnapshotUpdateRequest.snapshot", { name: z.string().optional() }),
});

const backupScheduleItem = object("BackupScheduleItem", {
  frequency: z.string(),
  hour: z.int().min(0).max(23).optional(),
  day: z.int().min(1).max(31).optional(),
  month: z.int().min(1).max(12).optional(),
  retention_seconds: z.int().min(3600).optional(),
});

const backupSchedule = object("BackupSchedule", { schedule: z.array(backupScheduleItem) });

const bucketCreateRequest = object("BucketCreateRequest", {
  name: z.string().min(1).max(255),
  access_level: z.enum(["private", "public_read"]).optional(),
});

const presignRequest = object("PresignRequest", {
  operation: z.enum(["upload", "download"]),
  content_type: z.string().optional(),
  expires_in_seconds: z.int().min(1).max(604800).optional(),
});

const credentialScope = z.enum(["storage:read", "storage:write", "ai_gateway:invoke", "functions:invoke"]);

const createCredentialRequest = object("CreateCredentialRequest", {
  name: z.string().max(256).optional(),
  scopes: z.array(credentialScope).min(1).max(16),
  principal_type: z.enum(["user"]),
});

const neonFunctionUpdateRequest = object("NeonFunctionUpdateRequest", { name: z.string().min(1).max(256).nullable() });

/** GET /projects/{project_id}/advisors */
export const getProjectAdvisorSecurityIssues = {
  query: object("getProjectAdvisorSecurityIssues", {
    branch_id: id.optional(),
    database_name: z.string().optional(),
    category: z.enum(["SECURITY", "PERFORMANCE"]).optional(),
    min_severity: z.enum(["INFO", "WARN", "ERROR"]).optional(),
  }),
} as const;

/** POST /api_keys */
export const createApiKey = { operationId: "createApiKey", body: apiKeyCreateRequest } as const;

/** GET /projects */
export const listProjects = {
  query: object("listProjects", {
    cursor: z.string().optional(),
    limit: wholeNumber(1, 400).default(10),
    search: z.string().optional(),
    org_id: id.optional(),
    timeout: wholeNumber(100, 30000).optional(),
    recoverable: flag.default(false),
  }),
} as const;

/** POST /projects */
export const createProject = { operationId: "createProject", body: projectCreateRequest } as const;

/** GET /projects/shared */
export const listSharedProjects = {
  query: object("listSharedProjects", {
    cursor: z.string().optional(),
    limit: wholeNumber(1, 400).default(10),
    search: z.string().optional(),
    timeout: wholeNumber(100, 30000).optional(),
  }),
} as const;

/** PATCH /projects/{project_id} */
export const updateProject = { operationId: "updateProject", body: projectUpdateRequest } as const;

/** GET /projects/{project_id}/operations */
export const listProjectOperations = {
  query: object("listProjectOperations", { cursor: z.string().optional(), limit: wholeNumber(1, 1000).optional() }),
} as const;

/** POST /projects/{project_id}/permissions */
export const grantPermissionToProject = {
  operationId: "grantPermissionToProject",
  body: grantPermissionToProjectRequest,
} as const;

/** POST /projects/{project_id}/transfer_requests */
export const createProjectTransferRequest = {
  operationId: "createProjectTransferRequest",
  body: object("createProjectTransferRequest", { ttl_seconds: z.int().optional() }),
  isBodyOptional: true,
} as const;

/** PUT /projects/{project_id}/transfer_requests/{request_id} */
export const acceptProjectTransferRequest = {
  operationId: "acceptProjectTransferRequest",
  body: object("acceptProjectTransferRequest", { org_id: id.optional() }),
  isBodyOptional: true,
} as const;

/** POST /projects/{project_id}/jwks */
export const addProjectJWKS = { operationId: "addProjectJWKS", body: addProjectJWKSRequest } as const;

/** POST /projects/{project_id}/branches/{branch_id}/data-api/{database_name} */
export const createProjectBranchDataAPI = {
  operationId: "createProjectBranchDataAPI",
  body: dataAPICreateRequest,
  isBodyOptional: true,
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/data-api/{database_name} */
export const updateProjectBranchDataAPI = {
  operationId: "updateProjectBranchDataAPI",
  body: dataAPIUpdateRequest,
  isBodyOptional: true,
} as const;

/** POST /projects/{project_id}/branches/{branch_id}/auth */
export const createNeonAuth = { operationId: "createNeonAuth", body: enableNeonAuthIntegrationRequest } as const;

/** DELETE /projects/{project_id}/branches/{branch_id}/auth */
export const disableNeonAuth = {
  operationId: "disableNeonAuth",
  body: object("disableNeonAuth", { delete_data: z.boolean().optional() }),
  isBodyOptional: true,
} as const;

/** POST /projects/{project_id}/branches/{branch_id}/auth/domains */
export const addBranchNeonAuthTrustedDomain = {
  operationId: "addBranchNeonAuthTrustedDomain",
  body: neonAuthAddDomainToRedirectURIWhitelistRequest,
} as const;

/** DELETE /projects/{project_id}/branches/{branch_id}/auth/domains */
export const deleteBranchNeonAuthTrustedDomain = {
  operationId: "deleteBranchNeonAuthTrustedDomain",
  body: neonAuthDeleteDomainFromRedirectURIWhitelistRequest,
} as const;

/** POST /projects/{project_id}/branches/{branch_id}/auth/users */
export const createBranchNeonAuthNewUser = {
  operationId: "createBranchNeonAuthNewUser",
  body: createBranchNeonAuthNewUserRequest,
} as const;

/** PUT /projects/{project_id}/branches/{branch_id}/auth/users/{auth_user_id}/role */
export const updateNeonAuthUserRole = {
  operationId: "updateNeonAuthUserRole",
  body: updateNeonAuthUserRoleRequest,
} as const;

/** POST /projects/{project_id}/branches/{branch_id}/auth/oauth_providers */
export const addBranchNeonAuthOauthProvider = {
  operationId: "addBranchNeonAuthOauthProvider",
  body: neonAuthAddOAuthProviderRequest,
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/auth/oauth_providers/{oauth_provider_id} */
export const updateBranchNeonAuthOauthProvider = {
  operationId: "updateBranchNeonAuthOauthProvider",
  body: neonAuthUpdateOAuthProviderRequest,
} as const;

/** POST /projects/{project_id}/branches/{branch_id}/auth/send_test_email */
export const sendNeonAuthTestEmail = {
  operationId: "sendNeonAuthTestEmail",
  body: sendNeonAuthTestEmailRequest,
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/auth/email_and_password */
export const updateNeonAuthEmailAndPasswordConfig = {
  operationId: "updateNeonAuthEmailAndPasswordConfig",
  body: neonAuthEmailAndPasswordConfigUpdate,
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/auth/email_provider */
export const updateNeonAuthEmailProvider = {
  operationId: "updateNeonAuthEmailProvider",
  body: neonAuthEmailServerConfig,
} as const;

/** GET /projects/{project_id}/connection_uri */
export const getConnectionURI = {
  query: object("getConnectionURI", {
    branch_id: id.optional(),
    endpoint_id: id.optional(),
    database_name: z.string(),
    role_name: z.string(),
    pooled: flag.optional(),
  }),
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/auth/allow_localhost */
export const updateNeonAuthAllowLocalhost = {
  operationId: "updateNeonAuthAllowLocalhost",
  body: updateNeonAuthAllowLocalhostRequest,
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/auth/plugins/organization */
export const updateNeonAuthOrganizationPlugin = {
  operationId: "updateNeonAuthOrganizationPlugin",
  body: neonAuthOrganizationConfigUpdate,
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/auth/config */
export const updateNeonAuthConfig = { operationId: "updateNeonAuthConfig", body: neonAuthConfigUpdate } as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/auth/plugins/magic-link */
export const updateNeonAuthMagicLinkPlugin = {
  operationId: "updateNeonAuthMagicLinkPlugin",
  body: neonAuthMagicLinkConfigUpdate,
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/auth/plugins/phone-number */
export const updateNeonAuthPhoneNumberPlugin = {
  operationId: "updateNeonAuthPhoneNumberPlugin",
  body: neonAuthPhoneNumberConfigUpdate,
} as const;

/** PUT /projects/{project_id}/branches/{branch_id}/auth/webhooks */
export const updateNeonAuthWebhookConfig = {
  operationId: "updateNeonAuthWebhookConfig",
  body: neonAuthWebhookConfig,
} as const;

/** GET /projects/{project_id}/branches */
export const listProjectBranches = {
  query: object("listProjectBranches", {
    search: z.string().optional(),
    sort_by: z.enum(["name", "created_at", "updated_at"]).default("updated_at"),
    cursor: z.string().optional(),
    sort_order: z.enum(["asc", "desc"]).default("desc"),
    limit: wholeNumber(1, 10000).optional(),
    include_deleted: flag.default(false),
  }),
} as const;

/** POST /projects/{project_id}/branches */
export const createProjectBranch = {
  operationId: "createProjectBranch",
  body: object("createProjectBranch", { ...branchCreateRequest.shape, ...annotationCreateValueRequest.shape }),
  isBodyOptional: true,
} as const;

/** POST /projects/{project_id}/branch_anonymized */
export const createProjectBranchAnonymized = {
  operationId: "createProjectBranchAnonymized",
  body: branchAnonymizedCreateRequest,
} as const;

/** GET /projects/{project_id}/branches/count */
export const countProjectBranches = {
  query: object("countProjectBranches", { search: z.string().optional() }),
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id} */
export const updateProjectBranch = { operationId: "updateProjectBranch", body: branchUpdateRequest } as const;

/** DELETE /projects/{project_id}/branches/{branch_id} */
export const deleteProjectBranch = {
  query: object("deleteProjectBranch", { hard_delete: flag.default(false) }),
} as const;

/** POST /projects/{project_id}/branches/{branch_id}/restore */
export const restoreProjectBranch = { operationId: "restoreProjectBranch", body: branchRestoreRequest } as const;

/** GET /projects/{project_id}/branches/{branch_id}/schema */
export const getProjectBranchSchema = {
  query: object("getProjectBranchSchema", {
    db_name: z.string(),
    lsn: z.string().optional(),
    timestamp: instant.optional(),
    format: z.string().optional(),
  }),
} as const;

/** GET /projects/{project_id}/branches/{branch_id}/compare_schema */
export const getProjectBranchSchemaComparison = {
  query: object("getProjectBranchSchemaComparison", {
    base_branch_id: id.optional(),
    db_name: z.string(),
    lsn: z.string().optional(),
    timestamp: instant.optional(),
    base_lsn: z.string().optional(),
    base_timestamp: instant.optional(),
  }),
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/masking_rules */
export const updateMaskingRules = { operationId: "updateMaskingRules", body: maskingRulesUpdateRequest } as const;

/** POST /projects/{project_id}/branches/{branch_id}/finalize_restore */
export const finalizeRestoreBranch = {
  operationId: "finalizeRestoreBranch",
  body: object("finalizeRestoreBranch", { name: z.string().optional() }),
  isBodyOptional: true,
} as const;

/** POST /projects/{project_id}/branches/{branch_id}/databases */
export const createProjectBranchDatabase = {
  operationId: "createProjectBranchDatabase",
  body: databaseCreateRequest,
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/databases/{database_name} */
export const updateProjectBranchDatabase = {
  operationId: "updateProjectBranchDatabase",
  body: databaseUpdateRequest,
} as const;

/** POST /projects/{project_id}/branches/{branch_id}/roles */
export const createProjectBranchRole = { operationId: "createProjectBranchRole", body: roleCreateRequest } as const;

/** POST /projects/{project_id}/vpc_endpoints/{vpc_endpoint_id} */
export const assignProjectVPCEndpoint = {
  operationId: "assignProjectVPCEndpoint",
  body: vPCEndpointAssignment,
} as const;

/** POST /projects/{project_id}/endpoints */
export const createProjectEndpoint = { operationId: "createProjectEndpoint", body: endpointCreateRequest } as const;

/** PATCH /projects/{project_id}/endpoints/{endpoint_id} */
export const updateProjectEndpoint = { operationId: "updateProjectEndpoint", body: endpointUpdateRequest } as const;

/** GET /consumption_history/projects */
export const getConsumptionHistoryPerProject = {
  query: object("getConsumptionHistoryPerProject", {
    cursor: z.string().optional(),
    limit: wholeNumber(1, 100).default(10),
    project_ids: listOf(z.string().regex(/^([a-z0-9-]{1,60}(,[a-z0-9-]{1,60}){0,99})?$/), 0, 100).optional(),
    from: instant,
    to: instant,
    granularity: z.enum(["hourly", "daily", "monthly"]),
    org_id: id.optional(),
    include_v1_metrics: flag.optional(),
    metrics: listOf(z.string(), 0).optional(),
  }),
} as const;

/** GET /consumption_history/v2/projects */
export const getConsumptionHistoryPerProjectV2 = {
  query: object("getConsumptionHistoryPerProjectV2", {
    cursor: z.string().optional(),
    limit: wholeNumber(1, 100).default(10),
    project_ids: listOf(z.string().regex(/^([a-z0-9-]{1,60}(,[a-z0-9-]{1,60}){0,99})?$/), 0, 100).optional(),
    from: instant,
    to: instant,
    granularity: z.enum(["hourly", "daily", "monthly"]),
    org_id: id,
    metrics: listOf(z.string(), 0),
  }),
} as const;

/** GET /consumption_history/v2/branches */
export const getConsumptionHistoryPerBranchV2 = {
  query: object("getConsumptionHistoryPerBranchV2", {
    cursor: z.string().optional(),
    limit: wholeNumber(1, 1000).default(100),
    project_ids: listOf(z.string().regex(/^([a-z0-9-]{1,60}(,[a-z0-9-]{1,60}){0,99})?$/), 1, 100),
    branch_ids: listOf(z.string().regex(/^([a-z0-9-]{1,60}(,[a-z0-9-]{1,60}){0,99})?$/), 0, 100).optional(),
    from: instant,
    to: instant,
    granularity: z.enum(["hourly", "daily", "monthly"]),
    org_id: id,
    metrics: listOf(z.string(), 0),
  }),
} as const;

/** POST /organizations/{org_id}/api_keys */
export const createOrgApiKey = { operationId: "createOrgApiKey", body: orgApiKeyCreateRequest } as const;

/** PUT /organizations/{org_id}/billing/spending_limit */
export const setOrganizationSpendingLimit = {
  operationId: "setOrganizationSpendingLimit",
  body: spendingLimitUpdateRequest,
} as const;

/** GET /organizations/{org_id}/members */
export const getOrganizationMembers = {
  query: object("getOrganizationMembers", {
    sort_by: z.enum(["email", "role", "joined_at"]).default("joined_at"),
    cursor: z.string().optional(),
    sort_order: z.enum(["asc", "desc"]).default("desc"),
    limit: wholeNumber(1, 500).optional(),
  }),
} as const;

/** PATCH /organizations/{org_id}/members/{member_id} */
export const updateOrganizationMember = {
  operationId: "updateOrganizationMember",
  body: organizationMemberUpdateRequest,
} as const;

/** POST /organizations/{org_id}/invitations */
export const createOrganizationInvitations = {
  operationId: "createOrganizationInvitations",
  body: organizationInvitesCreateRequest,
} as const;

/** POST /organizations/{source_org_id}/projects/transfer */
export const transferProjectsFromOrgToOrg = {
  operationId: "transferProjectsFromOrgToOrg",
  body: transferProjectsToOrganizationRequest,
} as const;

/** POST /organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id} */
export const assignOrganizationVPCEndpoint = {
  operationId: "assignOrganizationVPCEndpoint",
  body: vPCEndpointAssignment,
} as const;

/** GET /regions */
export const getActiveRegions = { query: object("getActiveRegions", { org_id: id.optional() }) } as const;

/** POST /users/me/projects/transfer */
export const transferProjectsFromUserToOrg = {
  operationId: "transferProjectsFromUserToOrg",
  body: transferProjectsToOrganizationRequest,
} as const;

/** POST /projects/{project_id}/branches/{branch_id}/snapshot */
export const createSnapshot = {
  query: object("createSnapshot", {
    lsn: z.string().optional(),
    timestamp: z.string().optional(),
    name: z.string().optional(),
    expires_at: z.string().optional(),
  }),
} as const;

/** PATCH /projects/{project_id}/snapshots/{snapshot_id} */
export const updateSnapshot = { operationId: "updateSnapshot", body: snapshotUpdateRequest } as const;

/** POST /projects/{project_id}/snapshots/{snapshot_id}/restore */
export const restoreSnapshot = {
  query: object("restoreSnapshot", { name: z.string().optional() }),
  operationId: "restoreSnapshot",
  body: object("restoreSnapshot", {
    name: z.string().optional(),
    target_branch_id: z.string().optional(),
    finalize_restore: z.boolean().optional(),
  }),
  isBodyOptional: true,
} as const;

/** PUT /projects/{project_id}/branches/{branch_id}/backup_schedule */
export const setSnapshotSchedule = { operationId: "setSnapshotSchedule", body: backupSchedule } as const;

/** POST /projects/{project_id}/branches/{branch_id}/buckets */
export const createProjectBranchBucket = {
  operationId: "createProjectBranchBucket",
  body: bucketCreateRequest,
} as const;

/** GET /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects */
export const listProjectBranchBucketObjects = {
  query: object("listProjectBranchBucketObjects", {
    prefix: z.string().optional(),
    delimiter: z.string().optional(),
    cursor: z.string().optional(),
    limit: wholeNumber(1, 1000).default(1000),
  }),
} as const;

/** DELETE /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects-by-prefix */
export const deleteProjectBranchBucketObjectsByPrefix = {
  query: object("deleteProjectBranchBucketObjectsByPrefix", { prefix: z.string().min(1).max(1024) }),
} as const;

/** POST /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{object_key}/presign */
export const presignProjectBranchBucketObject = {
  operationId: "presignProjectBranchBucketObject",
  body: presignRequest,
} as const;

/** POST /projects/{project_id}/branches/{branch_id}/credentials */
export const createCredential = { operationId: "createCredential", body: createCredentialRequest } as const;

/** GET /projects/{project_id}/branches/{branch_id}/functions */
export const listProjectBranchFunctions = {
  query: object("listProjectBranchFunctions", {
    cursor: z.string().optional(),
    limit: wholeNumber(1, 1000).optional(),
  }),
} as const;

/** PATCH /projects/{project_id}/branches/{branch_id}/functions/{slug} */
export const updateProjectBranchFunction = {
  operationId: "updateProjectBranchFunction",
  body: neonFunctionUpdateRequest,
} as const;
