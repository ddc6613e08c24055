import type { Command } from "commander";
import { createInterface } from "node:readline/promises";

import { emptyDataFolder, withStoppedPlatform } from "./data-folder";

/** `neon-platform reset` */
export function addResetCommand(program: Command): void {
  program
    .command("reset")
    .description("delete all data of a stopped platform, with its API keys and certificates")
    .requiredOption("--data <folder>", "the data folder")
    .option("--yes", "do not ask")
    .action(async ({ data, yes }: { readonly data: string; readonly yes?: true }) => {
      // Check first, so that nobody is asked about something impossible.
      await withStoppedPlatform(data, () => Promise.resolve());
      if (!yes && !(await confirm(`Delete all data in ${data}?`))) throw new Error("nothing was deleted");
      await emptyDataFolder(data);
    });
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error(`${question} There is no terminal for the answer; confirm with --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
