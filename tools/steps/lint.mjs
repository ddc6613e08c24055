import { Failure } from "../base/failure.mjs";
import { installed, root } from "../base/paths.mjs";
import { aside } from "../base/progress.mjs";
import { run } from "../base/run.mjs";

/** The folders whose imports follow the arrows in `.dependency-cruiser.cjs`. */
const importedFolders = ["api", "bundle", "provider", "cli", "sdk", "platform", "examples", "tools"];

/** The first part of `npm run lint`. */
export async function lint() {
  await check("lint", installed("oxlint", "bin", "oxlint"), "--deny-warnings", "--report-unused-disable-directives");
}

/** The second part of `npm run lint`. */
export async function checkFormat() {
  const cached = ["--cache", "--cache-strategy", "content"];
  await check("format", installed("prettier", "bin", "prettier.cjs"), "--check", ...cached, ".");
}

/** The third part of `npm run lint`. */
export async function checkImports() {
  const program = installed("dependency-cruiser", "bin", "dependency-cruise.mjs");
  await check("imports", program, ...importedFolders, "--config");
}

/**
 * @param {string} title
 * @param {...string} args
 */
async function check(title, ...args) {
  await aside(title, async () => {
    const { code, output } = await run(process.execPath, args, { cwd: root });
    if (code !== 0) throw new Failure("`npm run lint` fails.", output);
  });
}
