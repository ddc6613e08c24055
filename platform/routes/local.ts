import type { LocalRoute } from "../http/local-route";
import { routesOf } from "../model/routing/route";
import { localAccountPaths } from "./local-accounts";
import { localDomainPaths } from "./local-custom-domains";
import { faultPaths } from "./local-faults";
import { keyPaths } from "./local-keys";
import { operationTimePaths } from "./local-operation-time";
import { requestLogPaths } from "./local-requests";
import { schemaPaths } from "./local-schema";
import { statusPaths } from "./local-status";
import { timelinePaths } from "./local-timeline";

/** All routes below `/local`. */
export const localRoutes: readonly LocalRoute[] = [
  faultPaths,
  operationTimePaths,
  requestLogPaths,
  localAccountPaths,
  keyPaths,
  statusPaths,
  schemaPaths,
  localDomainPaths,
  timelinePaths,
].flatMap(routesOf);
