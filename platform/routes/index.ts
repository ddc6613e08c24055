import { type Route, routesOf } from "../http/route";
import { apiKeyPaths } from "./api-key";
import { backupSchedulePaths } from "./backup-schedule";
import { branchPaths } from "./branch";
import { connectionUriPaths } from "./connection-uri";
import { databasePaths } from "./database";
import { endpointPaths } from "./endpoint";
import { jwksPaths } from "./jwks-url";
import { neonAuthPaths } from "./neon-auth";
import { operationPaths } from "./operation";
import { organizationPaths } from "./organization";
import { projectPaths } from "./project";
import { permissionPaths } from "./project-permission";
import { regionPaths } from "./region";
import { rolePaths } from "./role";
import { snapshotPaths } from "./snapshot";
import { transferPaths } from "./transfer";
import { userPaths } from "./user";
import { vpcEndpointPaths } from "./vpc-endpoint";

/** All routes of the API. If two match a path, the first one is used. */
export const routes: readonly Route[] = [
  userPaths,
  regionPaths,
  apiKeyPaths,
  organizationPaths,
  projectPaths,
  connectionUriPaths,
  operationPaths,
  branchPaths,
  endpointPaths,
  rolePaths,
  databasePaths,
  snapshotPaths,
  backupSchedulePaths,
  jwksPaths,
  permissionPaths,
  transferPaths,
  vpcEndpointPaths,
  neonAuthPaths,
].flatMap(routesOf);
