import type { dynamicKinds, kinds } from "./kinds";

/**
 * The entry of this package that every resource's state names. It stands in users' state files for ever: it is never
 * renamed, and no kind is ever taken out of it.
 */
export const frozenEntry = "neon-pulumi/provider/v1";

/** The name of a kind, in the text that leads to its provider and in type tokens: once released, it stays. */
export type KindName = keyof typeof kinds;

/** The name of a kind that the dynamic provider serves. */
export type DynamicKindName = keyof typeof dynamicKinds;
