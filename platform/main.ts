#!/usr/bin/env node
import { Command } from "commander";

import { type PlatformOptions, startPlatform } from "./index";
import { duration } from "./model/operation-time";

interface Flags {
  port: string;
  host: string;
  data?: string;
  operationTime: string;
  seed?: string;
  latency: string;
  requestTimeout: string;
  rateLimit: boolean;
  computeLimit: boolean;
  background: boolean;
}

const program = new Command("neon-platform")
  .description("A local platform that speaks the API of the real one. When ready it prints one JSON line.")
  .option("--port <port>", "port to listen on; 0 is any free one", "0")
  .option("--host <address>", "loopback address to listen on", "127.0.0.1")
  .option("--data <folder>", "folder to keep everything in (default: in memory)")
  .option("--operation-time <times>", "200ms, a range 200ms-5s, or a list start_compute=2s,create_branch=1s", "1s")
  .option("--seed <text>", "makes the times drawn from ranges the same in every run")
  .option("--latency <duration>", "holds every answer back", "0")
  .option("--request-timeout <duration>", "closes connections whose request takes longer to arrive", "60s")
  .option("--rate-limit", "refuses requests beyond the real platform's rate limits", false)
  .option("--compute-limit", "refuses to start more computes in a project than the real platform", false)
  .option("--background", "checks availability and suspends inactive computes", false)
  .allowExcessArguments(false);

async function main(): Promise<void> {
  const { port, latency, requestTimeout, ...flags } = program.parse().opts<Flags>();
  const options: PlatformOptions = {
    ...flags,
    port: portOf(port),
    latencyMs: duration(latency),
    requestTimeoutMs: duration(requestTimeout),
  };
  const platform = await startPlatform(options);
  const { apiUrl, consoleUrl, apiKey } = platform;
  process.stdout.write(`${JSON.stringify({ apiUrl, consoleUrl, apiKey })}\n`);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      void platform.close().then(() => process.exit(0), fail);
    });
  }
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new RangeError(`--port "${text}" is not a port; use 0 to 65535`);
  return port;
}

function fail(error: unknown): never {
  console.error(`neon-platform: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

main().catch(fail);
