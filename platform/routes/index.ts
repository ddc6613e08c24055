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

/** Every route of the API; where two fit, the earlier one answers. */
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
