import type { Command } from "commander";

import { addDoctorCommand } from "./doctor";
import { addExportCommand } from "./export";
import { addImportCommand } from "./import";
import { addKeysCommand } from "./keys";
import { addLogsCommand } from "./logs";
import { addOpenCommand } from "./open";
import { addOperationsCommand } from "./operations";
import { addPsqlCommand } from "./psql";
import { addResetCommand } from "./reset";
import { addRunCommand } from "./run";
import { addStatusCommand } from "./status";
import { addStopCommand } from "./stop";
import { addTimelineCommand } from "./timeline";

/** Adds the subcommands of `neon-platform`. */
export function addCommands(program: Command): void {
  for (const add of [
    addRunCommand,
    addStopCommand,
    addStatusCommand,
    addPsqlCommand,
    addLogsCommand,
    addOperationsCommand,
    addTimelineCommand,
    addKeysCommand,
    addOpenCommand,
    addDoctorCommand,
    addExportCommand,
    addImportCommand,
    addResetCommand,
  ]) {
    add(program);
  }
}
