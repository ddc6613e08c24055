import type { Route } from "../http/route";
import { apiKeyRoutes } from "./api-key";
import { backupScheduleRoutes } from "./backup-schedule";
import { branchRoutes } from "./branch";
import { connectionUriRoutes } from "./connection-uri";
import { databaseRoutes } from "./database";
import { endpointRoutes } from "./endpoint";
import { jwksRoutes } from "./jwks-url";
import { operationRoutes } from "./operation";
import { organizationRoutes } from "./organization";
import { projectRoutes } from "./project";
import { permissionRoutes } from "./project-permission";
import { regionRoutes } from "./region";
import { roleRoutes } from "./role";
import { snapshotRoutes } from "./snapshot";
import { transferRoutes } from "./transfer";
import { userRoutes } from "./user";
import { vpcEndpointRoutes } from "./vpc-endpoint";

/** All routes of the API. If two match a path, the first one is used. */
export const routes: readonly Route[] = [
  ...userRoutes,
  ...regionRoutes,
  ...apiKeyRoutes,
  ...organizationRoutes,
  ...projectRoutes,
  ...connectionUriRoutes,
  ...operationRoutes,
  ...branchRoutes,
  ...endpointRoutes,
  ...roleRoutes,
  ...databaseRoutes,
  ...snapshotRoutes,
  ...backupScheduleRoutes,
  ...jwksRoutes,
  ...permissionRoutes,
  ...transferRoutes,
  ...vpcEndpointRoutes,
];
