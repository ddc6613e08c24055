import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../base/failure.mjs";
import { root } from "../base/paths.mjs";
import { run } from "../base/run.mjs";

/** The newest version that runs on Node 20. */
const stryker = "@stryker-mutator/core@9.6.1";
/** Added to one and a half times what the tests take without a mutation: only an endless loop or a busy machine takes longer. */
const patienceMs = 30_000;

/** @type {Readonly<Record<string, Mutant["outcome"] | undefined>>} */
const outcomes = { Killed: "killed", Timeout: "timed out", Survived: "survived" };

/**
 * @typedef {object} Mutant
 * @property {number} line
 * @property {number} column
 * @property {string} mutator
 * @property {string} replacement
 * @property {"killed" | "survived" | "timed out"} outcome Whether a test failed. On a busy machine, one that timed out may survive.
 */

/**
 * Runs the tests once for each mutant of a file, in a copy of the repository.
 *
 * @param {string} source From the repository's root, with or without a range of lines: `api/core/backoff.ts:10-20`.
 * @param {string[]} tests
 * @returns {Promise<Mutant[]>}
 */
export async function mutate(source, tests) {
  const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-mutation-"));
  const result = join(folder, "result.json");
  const config = join(folder, "stryker.json");
  const file = source.replace(/:.*/, "");
  const compiled = tests.map((test) => `dist/${test.replace(/\.ts$/, ".js")}`);
  const options = {
    testRunner: "command",
    plugins: [],
    mutate: [source],
    disableTypeChecks: false,
    buildCommand: `node tools/mutation/transpile.mjs ${file}`,
    commandRunner: { command: `node node_modules/mocha/bin/mocha.js --bail ${compiled.join(" ")}` },
    concurrency: availableParallelism(),
    timeoutMS: patienceMs,
    // Stryker would adapt it, for which it needs a compiler of its own.
    tsconfigFile: "none",
    ignorePatterns: [".state"],
    tempDirName: "dist/.mutation",
    cleanTempDir: "always",
    allowConsoleColors: false,
    reporters: ["json"],
    jsonReporter: { fileName: result },
  };
  writeFileSync(config, JSON.stringify(options));
  try {
    const args = ["exec", "--yes", `--package=${stryker}`, "--", "stryker", "run", config];
    const { output } = await run("npm", args, { cwd: root, env: { ...process.env, NEON_CONTRACT: "" } });
    if (!existsSync(result)) throw new Failure(`${file} could not be mutated.`, output);
    /** @type {{ files: Record<string, { mutants: StrykerMutant[] } | undefined> }} */
    const { files } = JSON.parse(readFileSync(result, "utf8"));
    return (files[file]?.mutants ?? []).flatMap(({ location, mutatorName, replacement = "", status }) => {
      if (status === "Ignored") return [];
      const outcome = outcomes[status];
      if (outcome === undefined)
        throw new Failure(`${file}:${location.start.line}: Stryker reports ${status}.`, output);
      const { line, column } = location.start;
      const shown = replacement.replace(/\s+/g, " ").slice(0, 80);
      return [{ line, column, mutator: mutatorName, replacement: shown, outcome }];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @typedef {object} StrykerMutant
 * @property {{ start: { line: number, column: number } }} location
 * @property {string} mutatorName
 * @property {string} [replacement]
 * @property {string} status
 */
