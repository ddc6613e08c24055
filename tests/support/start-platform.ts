/**
 * Starts a platform with the options in its argument, and says where it is as `neon-platform` does.
 */
import { type PlatformOptions, startPlatform } from "../../platform/index";

async function main(): Promise<void> {
  const platform = await startPlatform(JSON.parse(process.argv[2] ?? "{}") as PlatformOptions);
  process.once("SIGTERM", () => void platform.close().then(() => process.exit(0)));
  const { apiUrl, consoleUrl, apiKey, postgres, caFile } = platform;
  process.stdout.write(`${JSON.stringify({ apiUrl, consoleUrl, apiKey, postgres, caFile })}\n`);
}

void main();
