import type { Runner } from "mocha";
import { errorText } from "./error-text";

type Listener = (runnable: unknown, error?: unknown) => void;

interface WorkerReporter {
  createListener(event: string): Listener;
}

// oxlint-disable-next-line typescript/no-require-imports -- made to be extended, though not part of Mocha's types
const ParallelBuffered = require("mocha/lib/nodejs/reporters/parallel-buffered.cjs") as new (
  runner: Runner,
  options: unknown,
) => WorkerReporter;

/** Runs in the workers of parallel mode, which hand over an error's stack but not its cause: puts the cause into it. */
class WithCauses extends ParallelBuffered {
  override createListener(event: string): Listener {
    const listener = super.createListener(event);
    return (runnable, error) => {
      if (error instanceof Error && error.cause !== undefined) error.stack = errorText(error);
      listener(runnable, error);
    };
  }
}

export = WithCauses;
