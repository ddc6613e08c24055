import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Failure } from "../base/failure.mjs";
import { built, installed, root } from "../base/paths.mjs";
import { run } from "../base/run.mjs";

/**
 * Number of test files that run in addition to one per core, because about this many wait for timers or I/O at any
 * time.
 */
const waiting = 4;

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * The built test files of a folder, which is named as in the sources.
 *
 * @param {string} folder
 */
export function testFiles(folder) {
  const path = built(folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.js"))
    .sort()
    .map((name) => relative(root, join(path, name)));
}

/**
 * Sorts files by expected duration, the longest first. Within a folder, the size is a fair guess.
 *
 * @param {string[]} files
 */
export function longestFirst(files) {
  /** @param {string} file */
  const size = (file) => statSync(join(root, file)).size;
  return files.toSorted((one, other) => size(other) - size(one));
}

/**
 * Runs test files side by side, in a few processes. Files that run in the same process share loaded modules.
 *
 * @param {string[]} files
 * @param {string[]} args More arguments for Mocha.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Counts>}
 */
export async function mocha(files, args, env) {
  const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-tests-"));
  const counts = join(folder, "counts.json");
  try {
    const { code } = await run(
      process.execPath,
      [
        installed("mocha", "bin", "mocha.js"),
        "--parallel",
        "--jobs",
        String(availableParallelism() + waiting),
        ...args,
        ...files,
      ],
      { cwd: root, env: { ...env, NEON_TEST_COUNTS: counts }, show: true },
    );
    if (!existsSync(counts)) throw new Failure(`Mocha ended early, with exit code ${code}; what it says is above.`);
    /** @type {Counts} */
    const counted = JSON.parse(readFileSync(counts, "utf8"));
    // Mocha failed outside of tests, for example because of a forbidden `only` or a file that cannot be loaded.
    if (code !== 0 && counted.failed === 0) counted.failed = 1;
    return counted;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
