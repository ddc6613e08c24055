import { z } from "zod";

import type { FieldRule } from "../kind/field-rules";
import type { Replaceable } from "../kind/options";

/** The input that rotates an object whose secret only the response to its creation contains. */
export const rotateTrigger = z.string().optional();

/**
 * A new value replaces the object: the new one is created first, its dependents are updated, and then the old one is
 * revoked.
 */
export const rotateTriggerRule: FieldRule = { onChange: "replace", platform: "unaware" };

/** Describes what a replacement means for clients of the old object. */
export function rotationOf(noun: string): Replaceable {
  return {
    loss: `The old ${noun} is revoked after everything in the program that depends on it has been updated. Anything else that still uses it is then refused.`,
  };
}
