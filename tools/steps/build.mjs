import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Failure } from "../failure.mjs";
import { built, installed, root } from "../paths.mjs";
import { step } from "../progress.mjs";
import { run } from "../run.mjs";

/** What the compiler knows of its last run, of everything and of the product alone. */
const everything = { project: "tsconfig.json", info: "dist/.tsbuildinfo" };
const product = { project: "tsconfig.product.json", info: "dist/.tsbuildinfo-product" };

/** Is written after each build. */
const stamp = built(".product");

/** What the product is compiled from. */
const sources = ["api", "provider", "sdk", "platform", "package-lock.json", "tsconfig.json", "tsconfig.product.json"];

/** Compiles the sources to `dist`; only what has changed, and nothing of a source that is gone stays. */
export async function build() {
  await step("build", buildChanged);
}

/** Compiles all sources: the compiler writes the members of a type in another order if it compiles only some files. */
export async function buildAll() {
  await step("build", async () => {
    rmSync(join(root, everything.info), { force: true });
    await buildChanged();
  });
}

async function buildChanged() {
  // Each of the two takes for its own what the other one has compiled.
  rmSync(join(root, product.info), { force: true });
  await compile(everything, []);
}

/**
 * Compiles what the quickstart runs, unless nothing has changed: no tests, and without checking types, which `npm test` and
 * `npm run build` do.
 */
export async function buildProduct() {
  if (isCurrent()) return;
  if (existsSync(join(root, everything.info))) await build();
  else await step("build", () => compile(product, ["--noCheck"]));
}

/**
 * @param {typeof everything} what
 * @param {readonly string[]} flags
 */
async function compile({ project, info }, flags) {
  removeOrphans(built());
  const compiler = installed("typescript", "bin", "tsc");
  const args = [compiler, "-p", project, "--incremental", "--tsBuildInfoFile", info, ...flags];
  const began = new Date();
  const { code, output } = await run(process.execPath, args, { cwd: root });
  if (code !== 0) throw new Failure("The build failed; `npm run build` shows the same errors.", output);
  writeFileSync(stamp, began.toISOString());
}

/** Whether no source has changed since the last build began. A folder changes when a file in it is added or removed. */
function isCurrent() {
  if (!existsSync(stamp)) return false;
  const began = Date.parse(readFileSync(stamp, "utf8"));
  return sources.every((source) => newestIn(join(root, source)) < began);
}

/**
 * @param {string} path
 * @returns {number}
 */
function newestIn(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  const names = readdirSync(path).filter((name) => !["dist", "node_modules", "tests"].includes(name));
  return Math.max(status.mtimeMs, ...names.map((name) => newestIn(join(path, name))));
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
