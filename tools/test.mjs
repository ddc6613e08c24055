// `npm test`: installs, builds, checks and runs all tests, and prints one line of counts. `--fast` omits lint and the tests that need the CLI.
import { findCli, withCli } from "./cli/find.mjs";
import { Interrupted } from "./base/failure.mjs";
import { keepingGoCaches } from "./cli/go.mjs";
import { main } from "./base/main.mjs";
import { report, say } from "./base/progress.mjs";
import { build } from "./steps/build.mjs";
import { install } from "./steps/install.mjs";
import { prepareLanguages } from "./steps/languages.mjs";
import { checkFormat, checkImports, lint } from "./steps/lint.mjs";
import { longestFirst, mocha, testFiles } from "./steps/mocha.mjs";
import { checkTypes } from "./steps/types.mjs";

/** They need only the built sources. */
const fastFolders = [
  "tests/tools",
  "tests/api",
  "tests/specification",
  "tests/contract",
  "platform/tests",
  "tests/provider",
  "tests/plugin",
  "tests/sdk",
  "tests/reliability",
];
/** They pack and install the package, run the vendor's commands, and run programs with the real CLI. */
const slowFolders = ["tests/package", "tests/vendor", "tests/programs", "tests/bench"];

const args = process.argv.slice(2);
const fast = args.includes("--fast");
const toMocha = args.filter((arg) => arg !== "--fast");

/** Only `npm run test:contract` may use a real account, whatever the shell has set. */
const env = /** @type {NodeJS.ProcessEnv} */ ({ ...process.env, NEON_CONTRACT: "" });

const began = performance.now();
const total = { passed: 0, failed: 0, skipped: 0 };

await main(async () => {
  await phase(async () => {
    await install();
    // One core would be idle during the build, and one while the last tests run.
    const checks = fast ? [] : [checkFormat, checkImports, checkTypes].map(started);
    await phase(async () => {
      await build();
      if (!fast) checks.push(started(lint));
      await phase(tests);
    });
    for (const check of checks) await phase(check);
  });
  say(`\nfinished after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const { passed, failed, skipped } = total;
  say(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed > 0 ? 1 : 0;
});

/**
 * Starts something.
 *
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>} Waits for it.
 */
function started(work) {
  const running = work();
  // Its error is for those who wait.
  running.catch(() => undefined);
  return () => running;
}

/**
 * Runs a part of the tests. A part that cannot run counts as one failure; the parts after it still run.
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

/** Runs all test files, the fast ones first, with no pause before those that need the CLI. */
async function tests() {
  const files = longestFirst(testFiles(fastFolders));
  let environment = env;
  if (!fast) {
    await phase(async () => {
      await keepingGoCaches(async () => {
        const cli = await findCli();
        environment = withCli(cli, env);
        await prepareLanguages(cli.folder);
      });
      files.push(...longestFirst(testFiles(slowFolders)));
    });
  }
  if (files.length === 0) return;
  say(`\ntests: ${files.length} files`);
  const start = performance.now();
  const counts = await mocha(files, toMocha, environment);
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
  say(`${counts.failed > 0 ? "✘" : "✔"} tests (${((performance.now() - start) / 1000).toFixed(1)} s)\n`);
}
