/**
 * Every refactoring of programs and stacks, for every kind.
 *
 * node dist/tests/reliability/refactoring/main.js [--kinds Role,Database] [--case <name, or its beginning>] [--sample 50]
 *   [--seed 7] [--lanes 4] [--real] [--list]
 */
import { isFailed, playedCases, tableOf } from ".";
import { runProgram } from "../case-run";
import { casesOf, nameOf } from "./cases";
import { modelled, real } from "./verdict";

void runProgram({
  lanes: 4,
  flags: ["real"],
  list: (choice) => casesOf(choice).map(nameOf),
  run: async (choice, has) => {
    const { verdicts, all } = await playedCases(choice, has("real") ? real : modelled);
    const rows = verdicts.length > 1 ? `\n${tableOf(verdicts)}\n\n` : "";
    return { summary: `${rows}${verdicts.length} of ${all} cases`, failed: verdicts.filter(isFailed).length };
  },
});
