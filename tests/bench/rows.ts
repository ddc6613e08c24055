import type { Row } from "./row";
import { localDatabases } from "./rows/databases";
import { functions } from "./rows/functions";
import { importCost, plugin, providerProcess, upload } from "./rows/process";
import { growth, manyProjects, rateLimit } from "./rows/programs";
import { overhead, waiting, waitingSeen } from "./rows/waiting";

/** All rows, in the order of the page. */
export const rows: readonly Row[] = [
  waiting,
  waitingSeen,
  overhead,
  manyProjects,
  rateLimit,
  growth,
  providerProcess,
  plugin,
  upload,
  importCost,
  localDatabases,
  functions,
];
