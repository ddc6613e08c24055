import type { KindName } from "../../../provider/frozen-entry";
import type { Values } from "../provider-server";
import type { Sample } from "../sample";
import { apiKey, organizationApiKey, projectApiKey } from "./api-key";
import { backupSchedule } from "./backup-schedule";
import { branch, maskedBranch, restoredBranch } from "./branch";
import { bucket } from "./bucket";
import { bucketObject } from "./bucket-object";
import { credential } from "./credential";
import { customDomain } from "./custom-domain";
import { dataApi } from "./data-api";
import { database } from "./database";
import { endpoint, readReplica } from "./endpoint";
import { branchFunction } from "./function";
import { jwksUrl } from "./jwks-url";
import { organizationMember } from "./organization-member";
import { neonAuth } from "./neon-auth";
import { neonAuthOauthProvider } from "./neon-auth-oauth-provider";
import { neonAuthTrustedDomain } from "./neon-auth-trusted-domain";
import { project } from "./project";
import { projectMemberRole } from "./project-member-role";
import { projectPermission } from "./project-permission";
import { role } from "./role";
import { snapshot } from "./snapshot";
import { spendingLimit } from "./spending-limit";
import { trigger, uploadTrigger } from "./trigger";
import { vpcEndpointAssignment } from "./vpc-endpoint-assignment";
import { vpcEndpointRestriction } from "./vpc-endpoint-restriction";

/** A sample of every kind: the compiler asks for those that are missing. */
export const samples: Readonly<Record<KindName, Sample>> = {
  ApiKey: apiKey,
  Project: project,
  Branch: branch,
  Endpoint: endpoint,
  Role: role,
  Database: database,
  DataApi: dataApi,
  Credential: credential,
  Bucket: bucket,
  BucketObject: bucketObject,
  Function: branchFunction,
  JwksUrl: jwksUrl,
  Snapshot: snapshot,
  BackupSchedule: backupSchedule,
  OrganizationApiKey: organizationApiKey,
  ProjectApiKey: projectApiKey,
  OrganizationMember: organizationMember,
  ProjectMemberRole: projectMemberRole,
  ProjectPermission: projectPermission,
  SpendingLimit: spendingLimit,
  VpcEndpointAssignment: vpcEndpointAssignment,
  VpcEndpointRestriction: vpcEndpointRestriction,
  NeonAuth: neonAuth,
  NeonAuthOauthProvider: neonAuthOauthProvider,
  NeonAuthTrustedDomain: neonAuthTrustedDomain,
  Trigger: trigger,
  CustomDomain: customDomain,
};

/** Those, and more samples of kinds whose objects are created in several ways. */
export const everySample: readonly Sample[] = [...Object.values(samples), maskedBranch, restoredBranch, uploadTrigger];

/** One of each kind, and of those whose objects are told apart in two ways: what can be there already. */
export const thereAlready: readonly Sample[] = [...Object.values(samples), readReplica];

/** The path of the object of a resource. */
export function pathOf({ kind, outputs }: { readonly kind: KindName; readonly outputs: Values }): string {
  const { path } = samples[kind].facts;
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(outputs[name])));
}
