// `npm test`: installs, builds, checks, and runs the tests of most changes. `--fast` runs the quick tests alone, without checks;
// `--all` runs all other tests. Each prints one line of counts.
import { join } from "node:path";
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
 * The folders and files whose tests are not quick, by the beginning of their names, and the command that runs them. All other tests
 * are quick: both `npm run test:fast` and `npm test` run them.
 */
const slow = {
  /** They take long: they run processes of their own, lead every kind through one situation, or try many orders of two calls. */
  test: [
    "tests/pulumi",
    "tests/plugin",
    "tests/provider/every-kind",
    "tests/provider/claims",
    "tests/provider/confirmed-read",
    "tests/provider/containers",
    "tests/provider/errors",
    "tests/provider/forecast",
    "tests/provider/kept-outputs",
    "tests/provider/migration-command",
    "tests/provider/plugin",
    "tests/provider/sent-creation",
    "tests/provider/unrecorded-change",
    "tests/cli/import",
    "tests/tools",
  ],
  /** They need what no change of a kind changes: languages, browsers, Postgres, package managers, kills, hours. */
  all: [
    "tests/programs",
    "tests/vendor",
    "tests/package",
    "tests/bench",
    "tests/reliability",
    "tests/platform/postgres",
    "tests/provider/migration.test",
    "tests/platform/processes",
    "tests/platform/console",
    "tests/platform/proxy",
  ],
};

/** How long the tests of each command usually take. */
const usual = { fast: "a minute and a half", test: "5 minutes", all: "a quarter of an hour" };

const args = process.argv.slice(2);
const command = args.includes("--fast") ? "fast" : args.includes("--all") ? "all" : "test";
const toMocha = args.filter((arg) => arg !== `--${command}`);

/** Only `npm run test:contract` may use a real account, whatever the shell has set. */
const env = /** @type {NodeJS.ProcessEnv} */ ({ ...process.env, NEON_CONTRACT: "" });

const began = performance.now();
const total = { passed: 0, failed: 0, skipped: 0 };

await main(async () => {
  await phase(async () => {
    await install();
    const isChecked = command === "test";
    // Run the checks in parallel, because one core would be idle during the build and one during the last tests.
    const checks = isChecked ? [checkFormat, checkImports, checkTypes].map(started) : [];
    await phase(async () => {
      await build();
      if (isChecked) checks.push(started(lint));
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
 * Starts a function without waiting for its end.
 *
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>} Waits for it.
 */
function started(work) {
  const running = work();
  // Errors are reported to those who wait.
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

/** The test files of the command, the longest first, so that no long one runs alone at the end. */
function files() {
  const all = longestFirst(testFiles(""));
  /** @param {readonly string[]} names */
  const named = (names) => names.flatMap((name) => all.filter((file) => file.startsWith(join("dist", name))));
  if (command === "all") return named(slow.all);
  const others = new Set(named([...slow.test, ...slow.all]));
  const quick = all.filter((file) => !others.has(file));
  return command === "fast" ? quick : [...named(slow.test), ...quick];
}

/** Runs the tests. Without the CLI, the tests that need it fail. */
async function tests() {
  let environment = env;
  if (command !== "fast") {
    await phase(() =>
      keepingGoCaches(async () => {
        const cli = await findCli();
        environment = withCli(cli, env);
        if (command === "all") await prepareLanguages(cli.folder);
      }),
    );
  }
  const found = files();
  const time = toMocha.length === 0 ? `, usually ${usual[command]} on two cores` : "";
  say(`\ntests: ${found.length} files${time}`);
  const start = performance.now();
  const counts = await mocha(found, toMocha, environment);
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
  say(`${counts.failed > 0 ? "✘" : "✔"} tests (${((performance.now() - start) / 1000).toFixed(1)} s)\n`);
}
