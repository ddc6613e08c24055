import assert from "node:assert/strict";

import { differenceTexts, objectsOf } from "./account";
import type { Stage } from "./stage";

/** Asserts that a step sends no change, and that no object of the account differs afterwards. */
export async function changingNothing(stage: Stage, step: () => Promise<void>): Promise<void> {
  const { platform } = stage;
  const before = await objectsOf(platform, [platform]);
  assert.deepEqual(await stage.sentBy("", step), []);
  assert.deepEqual(differenceTexts(before, await objectsOf(platform, [platform])), []);
}
