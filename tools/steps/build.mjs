import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { Failure } from "../failure.mjs";
import { built, installed, root } from "../paths.mjs";
import { step } from "../progress.mjs";
import { run } from "../run.mjs";

/** Compiles the sources to `dist`; only what has changed, and nothing of a source that is gone stays. */
export async function build() {
  await step("build", async () => {
    removeOrphans(built());
    const compiler = installed("typescript", "bin", "tsc");
    const args = [compiler, "-p", "tsconfig.json", "--incremental", "--tsBuildInfoFile", "dist/.tsbuildinfo"];
    const { code, output } = await run(process.execPath, args, { cwd: root });
    if (code !== 0) throw new Failure("The build failed; `npm run build` shows the same errors.", output);
  });
}

/**
 * Removes what was compiled from a source that is gone: a test would run on for ever.
 *
 * @param {string} folder
 */
function removeOrphans(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      removeOrphans(path);
      continue;
    }
    const source = /^(.*?)(\.d\.ts|\.js)$/.exec(relative(built(), path))?.[1];
    if (source !== undefined && !existsSync(join(root, `${source}.ts`))) rmSync(path);
  }
}
