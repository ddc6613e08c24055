/** The calls of this process, and what is done when its run ends. */
export interface RunEnd {
  /** Runs a call of the engine that may change something. */
  readonly during: <Result>(call: () => Promise<Result>) => Promise<Result>;
  /** Settles when the engine ends this process. */
  readonly watch: (process: NodeJS.Process) => void;
}

/**
 * What a run that ends normally settles.
 *
 * The engine sends SIGINT to its providers when a run is over and everything they returned is in the state; the same when
 * a user presses Ctrl-C, once the calls under way have returned. Only who presses it again ends them in the middle of a
 * call: then nothing is settled, because nobody knows what the engine has written down. A Ctrl-C itself reaches no
 * provider: the engine starts each one in a process group of its own.
 */
export function settleAtEnd(settle: () => void): RunEnd {
  let calls = 0;
  return {
    during: async (call) => {
      calls += 1;
      try {
        return await call();
      } finally {
        calls -= 1;
      }
    },
    watch: (process) => {
      process.once("SIGINT", () => {
        try {
          if (calls === 0) settle();
        } catch {
          // What cannot be settled stays open, which is safe; a process that stays would hold up the engine.
        }
        // Others in this process may have something to end, too.
        if (process.listenerCount("SIGINT") === 0) process.exit(0);
      });
    },
  };
}
