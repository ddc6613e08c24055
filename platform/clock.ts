/** Where the platform's time comes from; nothing else reads or waits for it, so that tests can drive it by hand. */
export interface Clock {
  /** Milliseconds since 1970, by the calendar. */
  now(): number;
  /** Runs something once, after so many milliseconds; the answer cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Waits on a clock; a signal that fires ends the wait early, without an error. */
export async function sleep(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      cancel();
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const cancel = clock.after(milliseconds, wake);
    signal.addEventListener("abort", wake, { once: true });
  });
}
