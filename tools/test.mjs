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

/**
 * The folders of tests, in the order in which their files begin: those first whose files take longest, so that none of
 * these is waited for alone at the end.
 *
 * @type {readonly { name: string, needsCli?: true }[]}
 */
const folders = [
  { name: "tests/programs", needsCli: true },
  { name: "tests/vendor", needsCli: true },
  { name: "tests/package", needsCli: true },
  { name: "tests/reliability" },
  { name: "tests/plugin" },
  { name: "tests/provider" },
  { name: "tests/bench", needsCli: true },
  { name: "tests/tools" },
  { name: "tests/platform" },
  { name: "tests/contract" },
  { name: "tests/sdk" },
  { name: "tests/specification" },
  { name: "tests/api" },
];

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

/** Runs all test files; without the CLI, those that need none. */
async function tests() {
  let environment = env;
  let hasCli = false;
  if (!fast) {
    await phase(async () => {
      await keepingGoCaches(async () => {
        const cli = await findCli();
        environment = withCli(cli, env);
        await prepareLanguages(cli.folder);
      });
      hasCli = true;
    });
  }
  const files = folders
    .filter(({ needsCli }) => hasCli || !needsCli)
    .flatMap(({ name }) => longestFirst(testFiles(name)));
  if (files.length === 0) return;
  say(`\ntests: ${files.length} files`);
  const start = performance.now();
  const counts = await mocha(files, toMocha, environment);
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
  say(`${counts.failed > 0 ? "✘" : "✔"} tests (${((performance.now() - start) / 1000).toFixed(1)} s)\n`);
}
