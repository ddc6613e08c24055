import type { LocalRoute } from "../http/local-route";
import { routesOf } from "../http/route";
import { localAccountPaths } from "./local-accounts";
import { faultPaths } from "./local-faults";
import { requestLogPaths } from "./local-requests";
import { statusPaths } from "./local-status";

/** All routes below `/local`. */
export const localRoutes: readonly LocalRoute[] = [faultPaths, requestLogPaths, localAccountPaths, statusPaths].flatMap(
  routesOf,
);
