import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";

import { runToEnd } from "./ended";

const cliPrograms = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/** The folder with the CLI's programs: the one that `npm test` found, or else one on PATH. */
export function cliFolder(): string {
  const given = process.env["NEON_PULUMI_CLI_DIR"];
  const folders = given === undefined ? (process.env["PATH"] ?? "").split(delimiter) : [given];
  const found = folders.find((folder) => folder !== "" && cliPrograms.every((name) => isProgram(join(folder, name))));
  if (found !== undefined) return found;
  throw new Error(
    `These tests run the Pulumi CLI, and ${cliPrograms.join(", ")} are not together in ${
      given ?? "any folder of PATH"
    }. \`npm test\` finds or builds them; to run single files, put their folder on PATH.`,
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** An environment for the CLI without the user's own Pulumi settings and account. */
export function cliEnvironment(cli: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PULUMI|NEON|npm)_/i.test(name));
  return {
    ...Object.fromEntries(kept),
    // The language host starts the first `node` on PATH, which must be the one that runs the tests.
    PATH: [cli, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
    PULUMI_SKIP_UPDATE_CHECK: "1",
  };
}

/**
 * A folder for PATH with a language host that gets the options of the project file, or none. The CLI passes them to its own host. The one that
 * this repository builds is older and takes them as flags.
 *
 * @param flags all flags; the host takes all of them or none
 */
export async function hostWithFlags(
  program: string,
  flags: Readonly<Record<string, string>>,
  around: string,
): Promise<readonly string[]> {
  const { stderr: usage } = await runToEnd(program, ["-h"]);
  if (!Object.keys(flags).every((name) => usage.includes(`-${name}`))) return [];
  const folder = join(around, "bin");
  const given = Object.entries(flags).map(([name, value]) => `-${name}="${value}"`);
  mkdirSync(folder);
  const text = `#!/bin/sh\nexec "${program}" ${given.join(" ")} "$@"\n`;
  writeFileSync(join(folder, basename(program)), text, { mode: 0o755 });
  return [folder];
}
