import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../failure.mjs";
import { built, installed, root } from "../paths.mjs";
import { aside } from "../progress.mjs";
import { run } from "../run.mjs";

/** The folders whose imports follow the arrows in `.dependency-cruiser.cjs`. */
const importedFolders = ["api", "provider", "sdk", "platform", "examples", "tools"];

/** Only what has changed is checked, as in the next one. */
const cached = ["--cache", "--cache-strategy", "content"];

/** The first part of `npm run lint`. Needs the build. */
export async function lint() {
  await check("lint", () => [
    installed("eslint", "bin", "eslint.js"),
    ...cached,
    "--cache-location",
    eslintCache(),
    ".",
  ]);
}

/** The second part of `npm run lint`. */
export async function checkFormat() {
  await check("format", () => [installed("prettier", "bin", "prettier.cjs"), "--check", ...cached, "."]);
}

/** The third part of `npm run lint`. */
export async function checkImports() {
  const program = installed("dependency-cruiser", "bin", "dependency-cruise.mjs");
  await check("imports", () => [program, ...importedFolders, "--config"]);
}

/**
 * @param {string} title
 * @param {() => string[]} args
 */
async function check(title, args) {
  await aside(title, async () => {
    const { code, output } = await run(process.execPath, args(), { cwd: root });
    if (code !== 0) throw new Failure("`npm run lint` fails.", output);
  });
}

/**
 * ESLint's cache knows the content of each file, but what the rules find depends on the types of other files, too. So each
 * set of types has a cache of its own, and the one of other types is removed.
 *
 * @returns {string} Its path.
 */
function eslintCache() {
  const hash = createHash("sha256");
  for (const file of [...declarations(), join(root, "package-lock.json"), join(root, "tsconfig.json")]) {
    hash.update(file).update(readFileSync(file));
  }
  const folder = installed(".cache", "eslint");
  const name = hash.digest("hex").slice(0, 16);
  const others = existsSync(folder) ? readdirSync(folder).filter((other) => other !== name) : [];
  for (const other of others) rmSync(join(folder, other));
  return join(folder, name);
}

/** The types of every source, as the build has written them. */
function declarations() {
  const names = readdirSync(built(), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".d.ts"))
    .sort()
    .map((name) => built(name));
}
