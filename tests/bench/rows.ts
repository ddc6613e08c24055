import type { Row } from "./row";
import { localDatabases } from "./rows/databases";
import { plugin } from "./rows/doors";
import { unchangedFiles, upload } from "./rows/files";
import { functions } from "./rows/functions";
import { growth } from "./rows/growth";
import { longOperation } from "./rows/long-operation";
import { overhead } from "./rows/overhead";
import { localPlatform } from "./rows/platform";
import { manyProjects, noTime, parallelChildren, rateLimit } from "./rows/programs";
import { refresh, refreshServices, state, unchanged } from "./rows/refresh";
import { importCost, providerProcess } from "./rows/start";
import { takeovers } from "./rows/takeover";
import { waiting, waitingSeen } from "./rows/waiting";

/** All rows, in the order of the page. */
export const rows: readonly Row[] = [
  waiting,
  waitingSeen,
  overhead,
  longOperation,
  refresh,
  refreshServices,
  unchanged,
  unchangedFiles,
  upload,
  takeovers,
  parallelChildren,
  manyProjects,
  rateLimit,
  noTime,
  state,
  providerProcess,
  plugin,
  importCost,
  localPlatform,
  localDatabases,
  functions,
  growth,
];
