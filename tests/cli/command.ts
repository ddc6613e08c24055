import { spawn } from "node:child_process";
import { join } from "node:path";

import type { TestPlatform } from "../support/platform";

/** What a run of the command came to. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `neon-pulumi` in a process of its own. */
export function neonPulumi(
  account: Pick<TestPlatform, "apiKey" | "apiUrl">,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const { PATH = "" } = process.env;
  const env = { PATH, NEON_API_KEY: account.apiKey, NEON_API_HOST: account.apiUrl, ...environment };
  const child = spawn(process.execPath, [join("dist", "cli", "main.js"), ...args], { env });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}
