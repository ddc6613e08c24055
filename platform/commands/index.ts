import type { Command } from "commander";

import { addDoctorCommand } from "./doctor";
import { addExportCommand } from "./export";
import { addImportCommand } from "./import";
import { addLogsCommand } from "./logs";
import { addPsqlCommand } from "./psql";
import { addResetCommand } from "./reset";
import { addStatusCommand } from "./status";

/** Adds the subcommands of `neon-platform`. */
export function addCommands(program: Command): void {
  for (const add of [
    addStatusCommand,
    addPsqlCommand,
    addLogsCommand,
    addDoctorCommand,
    addExportCommand,
    addImportCommand,
    addResetCommand,
  ]) {
    add(program);
  }
}
