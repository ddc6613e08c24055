import { apiKeyPaths } from "../model/accounts/api-key";
import { invitationPaths } from "../model/accounts/invitation";
import { spendingLimitPaths } from "../model/accounts/spending-limit";
import { advisorPaths } from "../model/branches/advisor";
import { aiGatewayPaths } from "../model/branches/ai-gateway";
import { backupSchedulePaths } from "../model/branches/backup-schedule";
import { bucketPaths } from "../model/branches/bucket";
import { bucketObjectPaths } from "../model/branches/bucket-object";
import { connectionUriPaths } from "../model/branches/connection-uri";
import { credentialPaths } from "../model/branches/credential";
import { customDomainPaths } from "../model/branches/custom-domain";
import { dataApiPaths } from "../model/branches/data-api";
import { databasePaths } from "../model/branches/database";
import { functionPaths } from "../model/branches/function";
import { jwksPaths } from "../model/branches/jwks-url";
import { logPaths } from "../model/branches/log-query";
import { maskingPaths } from "../model/branches/masking";
import { neonAuthPaths } from "../model/branches/neon-auth";
import { neonAuthConfigurationPaths } from "../model/branches/neon-auth-configuration";
import { oauthClientPaths } from "../model/branches/neon-auth-oauth-client";
import { oauthProviderPaths } from "../model/branches/neon-auth-oauth-provider";
import { trustedDomainPaths } from "../model/branches/neon-auth-trusted-domain";
import { neonAuthUserPaths } from "../model/branches/neon-auth-user";
import { realtimePaths } from "../model/branches/realtime";
import { rolePaths } from "../model/branches/role";
import { snapshotPaths } from "../model/branches/snapshot";
import { triggerPaths } from "../model/branches/trigger";
import { operationPaths } from "../model/operations/operation";
import { projectMemberPaths } from "../model/projects/project-member";
import { permissionPaths } from "../model/projects/project-permission";
import { regionPaths } from "../model/projects/region";
import { transferPaths } from "../model/projects/transfer";
import { vpcEndpointPaths } from "../model/projects/vpc-endpoint";
import { type Route, routesOf } from "../model/routing/route";
import { branchPaths } from "./branch";
import { consumptionPaths } from "./consumption";
import { endpointPaths } from "./endpoint";
import { organizationPaths } from "./organization";
import { projectPaths } from "./project";
import { userPaths } from "./user";

/** All routes of the API. If two match a path, the first one is used. */
export const routes: readonly Route[] = [
  userPaths,
  regionPaths,
  apiKeyPaths,
  organizationPaths,
  invitationPaths,
  spendingLimitPaths,
  consumptionPaths,
  projectPaths,
  connectionUriPaths,
  operationPaths,
  branchPaths,
  maskingPaths,
  endpointPaths,
  rolePaths,
  databasePaths,
  dataApiPaths,
  bucketPaths,
  bucketObjectPaths,
  functionPaths,
  triggerPaths,
  customDomainPaths,
  credentialPaths,
  aiGatewayPaths,
  logPaths,
  snapshotPaths,
  backupSchedulePaths,
  jwksPaths,
  permissionPaths,
  projectMemberPaths,
  advisorPaths,
  transferPaths,
  vpcEndpointPaths,
  neonAuthPaths,
  neonAuthConfigurationPaths,
  oauthProviderPaths,
  oauthClientPaths,
  trustedDomainPaths,
  neonAuthUserPaths,
  realtimePaths,
].flatMap(routesOf);
