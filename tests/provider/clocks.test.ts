import assert from "node:assert/strict";

import { describe } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { jumps, makeOne, moments } from "../reliability/input/clocks";
import { samples } from "../support/samples";
import { onStages } from "../support/stage";

describe("a clock that jumps", () => {
  // What is looked for has to be under way still when it is found.
  const test = onStages(2, { operationTime: "100ms", isServed: false });
  const names = Object.keys(jumps);

  // Each kind meets one of the moments and one of the jumps; the long run tries them all.
  for (const [index, kind] of (Object.keys(samples) as KindName[]).entries()) {
    const moment = moments[index % moments.length] ?? assert.fail();
    const jump = names[(index + Math.floor(index / moments.length)) % names.length] ?? "";
    test(`${jump}, ${moment}, does not affect ${kind}`, (stage) => makeOne(stage, kind, moment, jumps[jump] ?? 0));
  }
});
