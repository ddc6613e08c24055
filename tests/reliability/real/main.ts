/**
 * A sample of the fault matrix with the real CLI. Each case is compared with the model of the engine.
 *
 * node dist/tests/reliability/real/main.js [--sample 100] [--seed 7] [--kinds Role,Database]
 *   [--case <name as in the matrix, or its beginning>] [--slow] [--lanes 2]
 */
import { countsOf, drawn, isFailed } from ".";
import { nameOf } from "../case";
import { runProgram } from "../case-run";
import { casesOf, cleanRuns } from "../cases";

void runProgram({
  lanes: 2,
  sample: 100,
  flags: ["slow"],
  list: async (choice) => casesOf(await cleanRuns(choice.lanes, choice), choice).map(nameOf),
  run: async (choice, has) => {
    const options = { recordingLanes: 4, slow: has("slow"), sample: choice.sample ?? Infinity };
    const comparisons = await drawn({ ...choice, ...options });
    const { cases, "steps compared": steps, agreed } = countsOf(comparisons);
    return {
      summary: `${cases} cases, ${steps} steps compared, ${agreed} agreed`,
      failed: comparisons.filter(isFailed).length,
    };
  },
});
