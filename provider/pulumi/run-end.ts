/**
 * Settles when a run ends normally.
 *
 * The engine sends SIGINT to its providers when a run is over and the state holds everything they returned. It does the
 * same after one Ctrl-C, when all calls have returned. Only a second Ctrl-C sends SIGINT in the middle of a call: then
 * nothing is settled, because nobody knows what the engine has saved. A Ctrl-C itself never reaches a provider, because the
 * engine starts each provider in its own process group.
 *
 * A protocol that cancels calls tells of the first Ctrl-C. A second one can end the engine while it saves what the cancelled
 * calls, or those before them, have returned.
 */
export function settleAtEnd(settle: () => void) {
  let calls = 0;
  let wasCancelled = false;
  const end = (): void => {
    try {
      if (calls === 0 && !wasCancelled) settle();
    } catch {
      // An entry that cannot be settled stays open, which is safe. A process that stays would block the engine.
    }
  };
  return {
    /** The engine says that the run is over, by whatever its protocol has for that. Settles unless a call is running. */
    end,
    /** The engine cancels what is running. It may do so at the end of every run, when nothing is. */
    cancel: (): void => void (wasCancelled ||= calls > 0),
    /** Runs a call of the engine that may change something. */
    during: async <Result>(call: () => Promise<Result>): Promise<Result> => {
      calls += 1;
      try {
        return await call();
      } finally {
        calls -= 1;
      }
    },
    /** Settles when the engine stops this process. */
    watch: (process: NodeJS.Process): void => {
      process.once("SIGINT", () => {
        end();
        // Other listeners of this process may need to finish, too.
        if (process.listenerCount("SIGINT") === 0) process.exit(0);
      });
    },
  };
}
