import type { Command } from "commander";

import { stopPlatform } from "./background";
import { withData } from "./data-folder";

/** `neon-platform stop` */
export function addStopCommand(program: Command): void {
  withData(program.command("stop"))
    .description("stop the platform that runs on a data folder; its data stays")
    .action(async ({ data }: { readonly data: string }) => {
      await stopPlatform(data);
      process.stdout.write(`The platform on ${data} has stopped. Its data stays.\n`);
    });
}
