// `npm run site`: the site of the documents, with search, in .state/site; `npm run site -- preview` serves it. Installs its generator when it is first used: it has a
// lock file of its own, so that `npm ci` stays small.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./base/failure.mjs";
import { main } from "./base/main.mjs";
import { npm } from "./base/npm.mjs";
import { root } from "./base/paths.mjs";
import { say, step } from "./base/progress.mjs";
import { run } from "./base/run.mjs";

const folder = join(root, "tools", "site");
const generator = join(folder, "node_modules", "vitepress", "bin", "vitepress.js");

await main(async () => {
  await step("generator", async (note) => {
    if (existsSync(generator)) return note("installed");
    const { code, output } = await npm([
      "ci",
      "--prefix",
      folder,
      "--no-workspaces",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
    ]);
    if (code !== 0) throw new Failure("`npm ci` in tools/site failed.", output);
  });
  await step("site", async () => {
    const { code, output } = await run(process.execPath, [generator, "build", folder]);
    if (code !== 0) throw new Failure("The site was not written.", output);
  });
  if (!process.argv.includes("preview")) return say("`npm run site -- preview` serves it.");
  const { code } = await run(process.execPath, [generator, "preview", folder], { show: true });
  return code;
});
