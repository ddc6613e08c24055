import { join } from "node:path";

import { type Ended, runToEnd } from "../support/ended";
import type { TestPlatform } from "../support/platform";

/** Runs `neon-pulumi` in a process of its own. */
export function neonPulumi(
  account: Pick<TestPlatform, "apiKey" | "apiUrl">,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { PATH = "" } = process.env;
  const env = { PATH, NEON_API_KEY: account.apiKey, NEON_API_HOST: account.apiUrl, ...environment };
  return runToEnd(process.execPath, [join("dist", "cli", "main.js"), ...args], { env });
}
