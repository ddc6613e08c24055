import assert from "node:assert/strict";

import { describe } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { garbledStates } from "../reliability/input/garbled";
import { onStages } from "../support/stage";

describe("a state that was edited by hand", () => {
  // One provider process would wait for the rate limit, a minute long.
  const test = onStages(2);

  // Ids in the state with one part, two parts and three parts, and that of a key, which is read in another way; the long
  // run has the states of all kinds.
  for (const kind of ["Project", "Branch", "Role", "OrganizationApiKey"] satisfies KindName[]) {
    test(`is rejected by ${kind} in one sentence, and changes nothing`, async (stage) => {
      assert.ok((await garbledStates(stage, kind)) > 20);
    });
  }
});
