import assert from "node:assert/strict";

import type { KindName } from "../../provider/v1";
import type { Values } from "./dynamic-server";
import { refusesInputs } from "./expected-errors";
import type { Stage } from "./stage";

/** What a program declares, and why that is refused at one property. A string is the whole reason. */
export type RefusedInput = readonly [declared: Values, property: string, reason: string | RegExp];

/** Asserts that a preview refuses each of these, declared in addition to the same base. */
export async function assertRefused(
  stage: Stage,
  kind: KindName,
  base: Values,
  refused: readonly RefusedInput[],
): Promise<void> {
  const resource = stage.resource(kind);
  for (const [declared, property, reason] of refused) {
    await assert.rejects(resource.preview({ ...base, ...declared }), refusesInputs({ [property]: reason }));
  }
}
