import type { Route } from "../route";
import { apiKeyRoutes } from "./api-key";
import { branchRoutes } from "./branch";
import { connectionUriRoutes } from "./connection-uri";
import { databaseRoutes } from "./database";
import { endpointRoutes } from "./endpoint";
import { operationRoutes } from "./operation";
import { projectRoutes } from "./project";
import { regionRoutes } from "./region";
import { roleRoutes } from "./role";
import { userRoutes } from "./user";

/** Every route of the API; where two fit, the earlier one answers. */
export const routes: readonly Route[] = [
  ...userRoutes,
  ...regionRoutes,
  ...apiKeyRoutes,
  ...projectRoutes,
  ...connectionUriRoutes,
  ...operationRoutes,
  ...branchRoutes,
  ...endpointRoutes,
  ...roleRoutes,
  ...databaseRoutes,
];
