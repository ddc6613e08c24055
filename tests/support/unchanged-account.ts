import assert from "node:assert/strict";

import { differenceTexts, objectsOf } from "./account";
import type { Stage } from "./stage";

/** Asserts that a step sends no change, and that every object of the account is the same after it as before. */
export async function changingNothing(stage: Stage, step: () => Promise<void>): Promise<void> {
  const { platform } = stage;
  const before = await objectsOf(platform, [platform]);
  assert.deepEqual(await stage.sentBy("", step), []);
  assert.deepEqual(differenceTexts(before, await objectsOf(platform, [platform])), []);
}
