import type { Command } from "commander";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { certificateFileName } from "../proxy/certificate-authority";
import { type BackgroundPlatform, ensurePlatform, runFolderOf } from "./background";
import { withData } from "./data-folder";
import { runProgram } from "./program";

/** `neon-platform run` */
export function addRunCommand(program: Command): void {
  withData(program.command("run"))
    .description("run a command against a platform, which is started if there is none: `run -- pulumi up`")
    .argument("<command...>", "command with its arguments, after `--`")
    .showHelpAfterError("for example: neon-platform run -- pulumi up")
    .action(async ([program, ...args]: readonly [string, ...string[]], { data }: { readonly data: string }) => {
      const folder = resolve(data);
      const platform = await ensurePlatform(folder);
      note(`local platform ${platform.isNew ? "started" : "runs"} on ${data}`);
      const options = { env: environmentOf(platform, folder), shell: process.platform === "win32" };
      process.exitCode = await runProgram(program, args, options, `there is no program "${program}" on the PATH`);
      note(`console: ${platform.consoleUrl}`);
      note(`the platform runs on; stop it with \`npx --no -- neon-platform stop --data ${data}\``);
    });
}

/** Keeps the output of the command apart. */
function note(text: string): void {
  process.stderr.write(`neon-platform: ${text}\n`);
}

/** The variables that lead the provider, Neon's tools, Postgres clients and Pulumi to a platform. */
function environmentOf({ apiUrl, apiKey }: BackgroundPlatform, data: string): NodeJS.ProcessEnv {
  // An organization of the user's account does not exist on the platform.
  const { NEON_ORG_ID: _, ...inherited } = process.env;
  const certificate = join(data, certificateFileName);
  return {
    ...(existsSync(certificate) && { NODE_EXTRA_CA_CERTS: certificate, PGSSLROOTCERT: certificate }),
    ...(inherited["PULUMI_BACKEND_URL"] === undefined && ownBackend(data)),
    ...inherited,
    NEON_API_HOST: apiUrl,
    NEON_API_KEY: apiKey,
  };
}

/** A backend of Pulumi beside the data, so that a stack of the user's account is never applied to a platform. */
function ownBackend(data: string): NodeJS.ProcessEnv {
  const folder = runFolderOf(data);
  const backend = join(folder, "pulumi");
  const passphrase = join(folder, "passphrase");
  mkdirSync(backend, { recursive: true, mode: 0o700 });
  if (!existsSync(passphrase)) writeFileSync(passphrase, randomBytes(24).toString("base64url"), { mode: 0o600 });
  return { PULUMI_BACKEND_URL: pathToFileURL(backend).href, PULUMI_CONFIG_PASSPHRASE_FILE: passphrase };
}
