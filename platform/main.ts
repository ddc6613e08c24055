#!/usr/bin/env node
import { readFileSync } from "node:fs";

import { Command, Option } from "commander";

import { addCommands } from "./commands/index";
import type { PlatformOptions } from "./index";
import { plans } from "./model/accounts/limits";
import { duration } from "./model/operations/operation-time";

const durationOption = (flags: string, description: string, usual: string): Option =>
  new Option(flags, description).argParser(duration).default(duration(usual), usual);

const program = new Command("neon-platform")
  .description(
    "Run a local server with Neon's API. When it is ready, it prints its URLs and an API key as one line of JSON.",
  )
  .version(versionOf("neon-platform/package.json"), "--version", "print the version")
  .option("--port <port>", "port to listen on; 0 means any free port", parsePort("--port"), 0)
  .option("--host <address>", "loopback address to listen on", "127.0.0.1")
  .option("--data <folder>", "store all data in this folder (default: in memory)")
  .option("--operation-time <times>", "duration of operations: 200ms, 200ms-5s or 500ms,start_compute=2s", "1s")
  .option("--seed <text>", "seed of the random operation times")
  .addOption(durationOption("--latency <duration>", "delay every response of the API", "0"))
  .addOption(durationOption("--request-timeout <duration>", "reject requests that take longer to arrive", "60s"))
  .option("--postgres <folder>", "run the databases with the Postgres in this folder (default: an installed one)")
  .option("--no-postgres", "do not run Postgres: nothing listens at the hosts of computes")
  .option(
    "--database-port <port>",
    "let all computes share this port of 127.0.0.1 (default: each has an address of its own)",
    parsePort("--database-port"),
  )
  .option("--rate-limit", "enforce the rate limits of the real platform", false)
  .addOption(
    new Option("--plan <plan>", "enforce the limits of a plan of the real platform").choices(plans).default("scale"),
  )
  .option("--compute-limit", "enforce the real platform's limit of active computes per project", false)
  .option(
    "--organization-accounts",
    "let projects belong to organizations only, as in new accounts, which allow HIPAA projects",
    false,
  )
  .option("--verify-jwks", "reject JWKS URLs that serve no key set", false)
  .option("--background", "run availability checks and suspend inactive computes", false)
  // Options after a subcommand belong to the subcommand, options before it to the start.
  .enablePositionalOptions()
  .helpCommand(false)
  // An unset variable of the shell must not mean the present folder.
  .hook("preAction", (_, command) => {
    if (command.opts<{ data?: string }>().data === "") throw new RangeError("--data needs the path of a folder");
  });
addCommands(program);

type Flags = PlatformOptions & { readonly latency: number; readonly requestTimeout: number };

/** Runs the platform. */
async function start({ latency, requestTimeout, ...options }: Flags): Promise<void> {
  // Loaded here, because the subcommands need none of it.
  const { startPlatform } = await import("./index.js");
  const { postgres: found = true } = options;
  const platform = await startPlatform({
    ...options,
    postgres: found,
    latencyMs: latency,
    requestTimeoutMs: requestTimeout,
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      void platform.close().then(() => process.exit(0), fail);
    });
  }
  // From now on, a reader of the line may send a signal.
  const { apiUrl, consoleUrl, apiKey, postgres, caFile } = platform;
  process.stdout.write(`${JSON.stringify({ apiUrl, consoleUrl, apiKey, postgres, caFile })}\n`);
}

function versionOf(manifest: string): string {
  return (JSON.parse(readFileSync(require.resolve(manifest), "utf8")) as { readonly version: string }).version;
}

function parsePort(option: string): (text: string) => number {
  return (text) => {
    const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
    if (!(port <= 65_535)) throw new RangeError(`${option} "${text}" is not a port; use a number from 0 to 65535`);
    return port;
  };
}

function fail(error: unknown): never {
  console.error(`neon-platform: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

/** Without a word, the program is the platform. A word is a subcommand: with an action of its own, commander would not suggest one. */
async function main(): Promise<void> {
  if (program.parseOptions(process.argv.slice(2)).operands.length === 0) program.action(start);
  await program.parseAsync();
}

Promise.resolve().then(main).catch(fail);
