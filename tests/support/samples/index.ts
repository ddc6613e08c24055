import type { KindName } from "../../../provider/kinds";
import type { Sample } from "../sample";
import { apiKey, organizationApiKey, projectApiKey } from "./api-key";
import { backupSchedule } from "./backup-schedule";
import { branch } from "./branch";
import { database } from "./database";
import { endpoint } from "./endpoint";
import { jwksUrl } from "./jwks-url";
import { neonAuth } from "./neon-auth";
import { neonAuthOauthProvider } from "./neon-auth-oauth-provider";
import { neonAuthTrustedDomain } from "./neon-auth-trusted-domain";
import { project } from "./project";
import { projectPermission } from "./project-permission";
import { role } from "./role";
import { snapshot } from "./snapshot";
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
  JwksUrl: jwksUrl,
  Snapshot: snapshot,
  BackupSchedule: backupSchedule,
  OrganizationApiKey: organizationApiKey,
  ProjectApiKey: projectApiKey,
  ProjectPermission: projectPermission,
  VpcEndpointAssignment: vpcEndpointAssignment,
  VpcEndpointRestriction: vpcEndpointRestriction,
  NeonAuth: neonAuth,
  NeonAuthOauthProvider: neonAuthOauthProvider,
  NeonAuthTrustedDomain: neonAuthTrustedDomain,
};
