import type { StageOptions } from "../support/stage";

/** Ends a case soon that waits for it, but is longer than the search for an object whose response was lost. */
const operationTimeout = "5s";

/** What the first process of a case runs with. It logs everything, in which secrets are searched for. */
export const laneOptions: StageOptions = { operationTime: "5ms", config: { operationTimeout, logLevel: "debug" } };

/** The same configuration for a stack. */
export const stackConfig = { "neon:operationTimeout": operationTimeout };
