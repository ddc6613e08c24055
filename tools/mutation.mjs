// `npm run test:mutation -- --files api/core/backoff.ts`: changes the named files in one place at a time and reports which
// changes no test notices. `--tests tests/api` chooses the tests; `--write tests/mutation.md` writes the scores there.
import { parseArgs } from "node:util";
import { Failure } from "./base/failure.mjs";
import { main } from "./base/main.mjs";
import { say, step } from "./base/progress.mjs";
import { mutate } from "./mutation/stryker.mjs";
import { writeScores } from "./mutation/scores.mjs";
import { testsFor } from "./mutation/tests.mjs";
import { build } from "./steps/build.mjs";
import { install } from "./steps/install.mjs";

const { values } = parseArgs({
  options: { files: { type: "string" }, tests: { type: "string" }, write: { type: "string" } },
});

await main(async () => {
  const files = values.files?.split(",") ?? [];
  if (files.length === 0)
    throw new Failure("Name the files to mutate: `npm run test:mutation -- --files api/core/backoff.ts`.");
  await install();
  await build();
  /** @type {import("./mutation/scores.mjs").Score[]} */
  const scores = [];
  for (const file of files) {
    const tests = testsFor(file, values.tests?.split(","));
    /** @type {import("./mutation/stryker.mjs").Mutant[]} */
    const mutants = await step(file, async (note) => {
      const found = await mutate(file, tests);
      note(`${found.length} mutants, tests: ${tests.join(", ")}`);
      return found;
    });
    for (const { line, column, mutator, replacement, outcome } of mutants) {
      if (outcome !== "killed")
        say(`  ${outcome}: ${file.replace(/:.*/, "")}:${line}:${column} ${mutator}: ${replacement}`);
    }
    const survived = mutants.filter(({ outcome }) => outcome === "survived").length;
    const late = mutants.filter(({ outcome }) => outcome === "timed out").length;
    say(
      `  ${mutants.length} mutants, ${mutants.length - survived} killed (${late} by the time limit), ${survived} survived`,
    );
    const chosen = values.tests === undefined ? "" : ` --tests ${values.tests}`;
    scores.push({ file, mutants: mutants.length, survived, command: `--files ${file}${chosen}` });
  }
  if (values.write !== undefined) await writeScores(values.write, scores);
});
