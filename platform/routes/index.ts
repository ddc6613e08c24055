import { type Route, routesOf } from "../http/route";
import { aiGatewayPaths } from "./ai-gateway";
import { apiKeyPaths } from "./api-key";
import { advisorPaths } from "./advisor";
import { backupSchedulePaths } from "./backup-schedule";
import { branchPaths } from "./branch";
import { bucketPaths } from "./bucket";
import { connectionUriPaths } from "./connection-uri";
import { credentialPaths } from "./credential";
import { dataApiPaths } from "./data-api";
import { consumptionPaths } from "./consumption";
import { customDomainPaths } from "./custom-domain";
import { databasePaths } from "./database";
import { endpointPaths } from "./endpoint";
import { functionPaths } from "./function";
import { jwksPaths } from "./jwks-url";
import { logPaths } from "./logs";
import { maskingPaths } from "./masking";
import { neonAuthPaths } from "./neon-auth";
import { operationPaths } from "./operation";
import { invitationPaths } from "./organization-invitation";
import { organizationPaths } from "./organization";
import { projectPaths } from "./project";
import { projectMemberPaths } from "./project-member";
import { permissionPaths } from "./project-permission";
import { regionPaths } from "./region";
import { rolePaths } from "./role";
import { snapshotPaths } from "./snapshot";
import { spendingLimitPaths } from "./spending-limit";
import { transferPaths } from "./transfer";
import { triggerPaths } from "./trigger";
import { userPaths } from "./user";
import { vpcEndpointPaths } from "./vpc-endpoint";

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
].flatMap(routesOf);
