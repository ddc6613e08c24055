import type { StageOptions } from "../support/stage";

/** Ends a case soon that waits for it, but is longer than the search for an object whose response was lost. */
const operationTimeout = "5s";

/** The settings of a case's first process. It logs everything, so that the log can be searched for secrets. */
export const laneOptions: StageOptions = { operationTime: "5ms", config: { operationTimeout, logLevel: "debug" } };

/** The same configuration for a stack. */
export const stackConfig = { "neon:operationTimeout": operationTimeout };
