#!/usr/bin/env node
/** The command `neon-pulumi`. */
import { messageOf } from "../api/core/errors";
import { terraformMapping } from "../provider/pulumi/terraform";
import { parseArguments, usage } from "./arguments";
import { runImport } from "./import";

/** Runs the command with these arguments, and returns its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const console = {
    print: (line: string) => process.stdout.write(`${line}\n`),
    note: (line: string) => process.stderr.write(`${line}\n`),
  };
  // A reader of the output, such as `head`, may stop reading.
  process.stdout.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  try {
    const parsed = parseArguments(args);
    if ("import" in parsed) return await runImport(parsed.import, process, console);
    // oxlint-disable-next-line typescript/no-require-imports -- a part of a bundle, too
    const { version } = require("../../package.json") as { readonly version: string };
    const texts = {
      help: () => usage,
      version: () => `${version}\n`,
      mapping: () => `${JSON.stringify(terraformMapping(version), undefined, 2)}\n`,
    };
    process.stdout.write(texts[parsed.text]());
    return 0;
  } catch (error) {
    console.note(`neon-pulumi: ${messageOf(error)}`);
    return 2;
  }
}

if (require.main === module) {
  void main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
}
