/**
 * The entry of this package that every resource's state names. It stands in users' state files for ever: it is never
 * renamed, and no kind is ever taken out of it.
 */
export const frozenEntry = "neon-pulumi/provider/v1";

/**
 * The name of a kind, in the text that leads to its provider and in type tokens: once released, it stays.
 *
 * A list rather than the keys of the table of kinds, so that the types of `sdk/` do not lead to the provider's code.
 */
export type KindName =
  | "Project"
  | "Branch"
  | "Endpoint"
  | "Role"
  | "Database"
  | "DataApi"
  | "Credential"
  | "Bucket"
  | "ApiKey"
  | "OrganizationApiKey"
  | "ProjectApiKey"
  | "ProjectPermission"
  | "JwksUrl"
  | "Snapshot"
  | "BackupSchedule"
  | "VpcEndpointAssignment"
  | "VpcEndpointRestriction"
  | "OrganizationMember"
  | "ProjectMemberRole"
  | "SpendingLimit"
  | "NeonAuth"
  | "NeonAuthOauthProvider"
  | "NeonAuthTrustedDomain";
