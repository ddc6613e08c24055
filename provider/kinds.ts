import type { AnyKind, Kind } from "./kind/kind";
import { apiKey, organizationApiKey, projectApiKey } from "./resources/api-key";
import { backupSchedule } from "./resources/backup-schedule";
import { branch } from "./resources/branch";
import { bucket } from "./resources/bucket";
import { bucketObject } from "./resources/bucket-object";
import { credential } from "./resources/credential";
import { customDomain } from "./resources/custom-domain";
import { dataApi } from "./resources/data-api";
import { database } from "./resources/database";
import { endpoint } from "./resources/endpoint";
import { branchFunction } from "./resources/function";
import { jwksUrl } from "./resources/jwks-url";
import { migration } from "./resources/migration";
import { organizationMember } from "./resources/organization-member";
import { neonAuth } from "./resources/neon-auth";
import { neonAuthOauthClient } from "./resources/neon-auth-oauth-client";
import { neonAuthOauthProvider } from "./resources/neon-auth-oauth-provider";
import { neonAuthTrustedDomain } from "./resources/neon-auth-trusted-domain";
import { project } from "./resources/project";
import { projectMemberRole } from "./resources/project-member-role";
import { projectPermission } from "./resources/project-permission";
import { realtime } from "./resources/realtime";
import { role } from "./resources/role";
import { snapshot } from "./resources/snapshot";
import { spendingLimit } from "./resources/spending-limit";
import { trigger } from "./resources/trigger";
import { vpcEndpointAssignment } from "./resources/vpc-endpoint-assignment";
import { vpcEndpointRestriction } from "./resources/vpc-endpoint-restriction";

/** All kinds, by their names in type tokens. */
export const kinds = {
  Project: any(project),
  Branch: any(branch),
  Endpoint: any(endpoint),
  Role: any(role),
  Database: any(database),
  DataApi: any(dataApi),
  Credential: any(credential),
  Bucket: any(bucket),
  BucketObject: any(bucketObject),
  Function: any(branchFunction),
  ApiKey: any(apiKey),
  OrganizationApiKey: any(organizationApiKey),
  ProjectApiKey: any(projectApiKey),
  ProjectPermission: any(projectPermission),
  JwksUrl: any(jwksUrl),
  Snapshot: any(snapshot),
  BackupSchedule: any(backupSchedule),
  VpcEndpointAssignment: any(vpcEndpointAssignment),
  VpcEndpointRestriction: any(vpcEndpointRestriction),
  OrganizationMember: any(organizationMember),
  ProjectMemberRole: any(projectMemberRole),
  SpendingLimit: any(spendingLimit),
  NeonAuth: any(neonAuth),
  NeonAuthOauthProvider: any(neonAuthOauthProvider),
  NeonAuthOauthClient: any(neonAuthOauthClient),
  NeonAuthTrustedDomain: any(neonAuthTrustedDomain),
  Trigger: any(trigger),
  CustomDomain: any(customDomain),
  Realtime: any(realtime),
};

/**
 * All kinds that the dynamic provider serves. A migration is no object of the platform, so the plugin's schema, the
 * import and the reference do not have it ([0027](../docs/internals/decisions/0027-migrations.md)).
 */
export const dynamicKinds = { ...kinds, Migration: any(migration) };

function any<Inputs, Outputs>(kind: Kind<Inputs, Outputs>): AnyKind {
  return kind as unknown as AnyKind;
}
