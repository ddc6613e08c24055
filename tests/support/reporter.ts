import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type MochaOptions, reporters, Runner } from "mocha";
import { errorText } from "./error-text";

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Runner.constants;

/** Mocha's runner in parallel mode, which its types leave out. */
interface ParallelRunner {
  workerReporter(path: string): unknown;
}

interface Failed {
  title: string;
  file: string;
  text: string;
}

/**
 * Prints one line per test file, the titles of skipped tests, which say why, and every failure in full at the end.
 *
 * The counts go to the file that `NEON_TEST_COUNTS` names, for `npm test` to add up; without it they are the last line.
 */
class Reporter extends reporters.Base {
  readonly #total = { passed: 0, failed: 0, skipped: 0 };
  readonly #failed: Failed[] = [];
  /** The file whose tests are running; parallel mode hands over a file's events in one go. */
  #file = "";
  #counts = { passed: 0, failed: 0, skipped: 0, ms: 0 };

  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options);
    if (options.parallel === true) {
      (runner as unknown as ParallelRunner).workerReporter(join(__dirname, "worker-reporter.js"));
    }
    runner.on(EVENT_TEST_PASS, (test) => {
      this.#add(test, "passed");
    });
    runner.on(EVENT_TEST_PENDING, (test) => {
      this.#add(test, "skipped");
      console.log(`  - skipped: ${titleOf(test)}`);
    });
    // A hook that fails comes here too.
    runner.on(EVENT_TEST_FAIL, (test, error: unknown) => {
      this.#add(test, "failed");
      this.#failed.push({ title: titleOf(test), file: this.#file, text: errorText(error) });
      console.log(`  ✘ ${titleOf(test)}`);
    });
    runner.once(EVENT_RUN_END, () => {
      this.#showFile();
      this.#showFailed();
      this.#showTotal();
    });
  }

  #add(test: Mocha.Runnable, outcome: "passed" | "failed" | "skipped"): void {
    const file = test.file === undefined ? "(no file)" : sourceOf(test.file);
    if (file !== this.#file) {
      this.#showFile();
      this.#file = file;
      this.#counts = { passed: 0, failed: 0, skipped: 0, ms: 0 };
    }
    this.#total[outcome] += 1;
    this.#counts[outcome] += 1;
    this.#counts.ms += test.duration ?? 0;
  }

  #showFile(): void {
    if (this.#file === "") return;
    const { failed, ms } = this.#counts;
    console.log(`${failed > 0 ? "✘" : "✔"} ${this.#file}: ${countsText(this.#counts)} (${(ms / 1000).toFixed(1)} s)`);
  }

  #showFailed(): void {
    for (const [index, { title, file, text }] of this.#failed.entries()) {
      console.log(`\n${String(index + 1)}) ${title}\n   ${file}\n\n${text.replace(/^/gm, "   ")}`);
    }
    if (this.#failed.length > 0) console.log();
  }

  #showTotal(): void {
    const path = process.env["NEON_TEST_COUNTS"];
    if (path === undefined) console.log(`\n${countsText(this.#total)}`);
    else writeFileSync(path, JSON.stringify(this.#total));
  }
}

function titleOf(test: Mocha.Runnable): string {
  return test.titlePath().join(" › ");
}

function sourceOf(file: string): string {
  return relative(process.cwd(), file)
    .replace(/^dist[\\/]/, "")
    .replace(/\.js$/, ".ts");
}

function countsText({ passed, failed, skipped }: { passed: number; failed: number; skipped: number }): string {
  return `${String(passed)} passed, ${String(failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ""}`;
}

export = Reporter;
