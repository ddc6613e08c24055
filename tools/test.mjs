// `npm test`: from nothing to one line that says how many tests passed. `--fast` leaves out what needs the CLI.
import { findCli, withCli } from "./cli/find.mjs";
import { Interrupted } from "./failure.mjs";
import { main } from "./main.mjs";
import { report, say } from "./progress.mjs";
import { build } from "./steps/build.mjs";
import { install } from "./steps/install.mjs";
import { lint } from "./steps/lint.mjs";
import { longestFirst, mocha, testFiles } from "./steps/mocha.mjs";
import { checkTypes } from "./steps/types.mjs";

/** Need nothing but the built sources. */
const fastFolders = [
  "tests/tools",
  "tests/api",
  "tests/specification",
  "tests/contract",
  "platform/tests",
  "tests/provider",
  "tests/sdk",
  "tests/reliability",
];
/** Pack and install the package, run the vendor's commands, run programs with the real CLI. */
const slowFolders = ["tests/package", "tests/vendor", "tests/programs"];
/** Measure time, so that nothing else may run beside them. */
const measuredFolders = ["tests/measured"];

const args = process.argv.slice(2);
const fast = args.includes("--fast");
const toMocha = args.filter((arg) => arg !== "--fast");

/** Whatever the shell has set, only `npm run test:contract` may reach a real account. */
const env = /** @type {NodeJS.ProcessEnv} */ ({ ...process.env, NEON_CONTRACT: "" });

const began = performance.now();
const total = { passed: 0, failed: 0, skipped: 0 };

await main(async () => {
  await phase(async () => {
    await install();
    await build();
    if (!fast) {
      await phase(lint);
      await phase(checkTypes);
    }
    await phase(() => tests("fast tests", testFiles(fastFolders), env));
    if (fast) return;
    await phase(() => tests("measured tests", testFiles(measuredFolders), env));
    await phase(async () => {
      const files = longestFirst(testFiles(slowFolders));
      if (files.length === 0) return;
      const cli = await findCli();
      await tests("slow tests", files, withCli(cli, env));
    });
  });
  say(`\nfinished after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const { passed, failed, skipped } = total;
  say(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed > 0 ? 1 : 0;
});

/**
 * Runs a part of the whole. One that cannot be carried out counts as one failure; the parts after it run all the same.
 *
 * @param {() => Promise<void>} work
 */
async function phase(work) {
  try {
    await work();
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    report(error);
    total.failed += 1;
  }
}

/**
 * @param {string} title
 * @param {string[]} files
 * @param {NodeJS.ProcessEnv} env
 */
async function tests(title, files, env) {
  if (files.length === 0) return;
  say(`\n${title}: ${files.length} files`);
  const start = performance.now();
  const counts = await mocha(files, toMocha, env);
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
  say(`${counts.failed > 0 ? "✘" : "✔"} ${title} (${((performance.now() - start) / 1000).toFixed(1)} s)\n`);
}
