import assert from "node:assert/strict";

import { describe } from "mocha";

import type { KindName } from "../../provider/v1";
import { garbledStates } from "../reliability/input/garbled";
import { samples } from "../support/samples";
import { onStages } from "../support/stage";

describe("a state that was edited by hand", () => {
  const test = onStages(2);

  for (const kind of Object.keys(samples) as KindName[]) {
    test(`is rejected by ${kind} in one sentence, and changes nothing`, async (stage) => {
      assert.ok((await garbledStates(stage, kind)) > 20);
    });
  }
});
