import { describe } from "mocha";

import type { KindName } from "../../provider/v1";
import { jumps, makeOne, moments } from "../reliability/input/clocks";
import { samples } from "../support/samples";
import { onStages } from "../support/stage";

describe("a clock that jumps", () => {
  // What is looked for has to be under way still when it is found.
  const test = onStages(2, { operationTime: "100ms" });
  const names = Object.keys(jumps);

  // Each kind meets half of the moments, each with one of the jumps; the long run tries them all.
  for (const [first, kind] of (Object.keys(samples) as KindName[]).entries()) {
    for (const [index, moment] of moments.entries()) {
      if ((first + index) % 2 === 1) continue;
      const jump = names[(first + index + Math.floor(first / 4)) % names.length] ?? "";
      test(`${jump}, ${moment}, does not affect ${kind}`, (stage) => makeOne(stage, kind, moment, jumps[jump] ?? 0));
    }
  }
});
