import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { Failure } from "../base/failure.mjs";
import { built, compiler, installed, root } from "../base/paths.mjs";
import { step } from "../base/progress.mjs";
import { run } from "../base/run.mjs";
import { isInstalled } from "./install.mjs";

/** Builds the page of the console. */
const consolePage = join(root, "platform", "console", "build.mjs");
/** Replaces a file that the compiler writes. */
const nodeFetch = join(root, "tools", "node-fetch.mjs");

/** The compiler settings for everything and for the product alone, each with a file about the last run. */
const everything = { project: "tsconfig.json", info: "dist/.tsbuildinfo", flags: [] };
/** Compiles without type checks, because types are not installed for `npm start` and `npm pack`. `npm test` and `npm run build` check them. */
const product = { project: "tsconfig.product.json", info: "dist/.tsbuildinfo-product", flags: ["--noCheck"] };

/** Compiles changed sources to `dist`, and removes the output of deleted sources. */
export async function build() {
  // Each of the two settings would take the other one's output for its own.
  rmSync(join(root, product.info), { force: true });
  await compile(everything);
}

/** Compiles the code that the packages and the quickstart have, without tests. */
export async function buildProduct() {
  if (existsSync(join(root, everything.info)) && isInstalled(true)) await build();
  else await compile(product);
}

/** @typedef {{ project: string, info: string, flags: readonly string[] }} Settings */

/** @param {Settings} settings */
async function compile(settings) {
  // Later builds compile only what has changed.
  const usual = existsSync(join(root, settings.info)) ? undefined : "half a minute";
  await step("build", () => compileAll(settings), usual);
}

/** @param {Settings} settings */
async function compileAll({ project, info, flags }) {
  removeOrphans(built());
  const node = (/** @type {string[]} */ args) => run(process.execPath, args, { cwd: root });
  const args = [compiler, "-p", project, "--incremental", "--tsBuildInfoFile", info, ...flags];
  const results = await Promise.all([node(args), node([consolePage])]);
  const failed = [...results, await node([nodeFetch])].find(({ code }) => code !== 0);
  if (failed) throw new Failure("The build failed.", failed.output);
  linkPackage();
}

/**
 * Links this package so that the quickstart finds it by name. The quickstart is a separate package, as in a copy
 * elsewhere.
 */
function linkPackage() {
  const link = installed("neon-pulumi");
  if (!existsSync(link)) symlinkSync("..", link);
}

/**
 * Removes the output of deleted sources. Otherwise, a deleted test would still run.
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
