// `npm run pulumi -- <command>`: the CLI in the quickstart's stack.
import { existsSync } from "node:fs";
import { findCli } from "./cli/find.mjs";
import { Failure } from "./base/failure.mjs";
import { main } from "./base/main.mjs";
import { keepOutputClean, step } from "./base/progress.mjs";
import { built } from "./base/paths.mjs";
import { ensurePlatform } from "./steps/platform.mjs";
import { ensureStack, hasStack, shown } from "./steps/stack.mjs";

await main(async () => {
  keepOutputClean();
  if (!hasStack() || !existsSync(built())) throw new Failure("There is no stack yet: run `npm start` first.");
  const cli = await findCli();
  const platform = await step("local platform", (note) => ensurePlatform(note));
  await ensureStack(cli, platform);
  return await shown(cli, process.argv.slice(2));
});
