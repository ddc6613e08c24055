/** Where time comes from. Everything that reads or waits for time is given one, so that tests can drive it by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment; never jumps. For measuring and for deadlines. */
  now(): number;
  /** The calendar's time on this machine; may jump. For timestamps only. */
  date(): Date;
  /** Resolves after so many milliseconds; rejects with the signal's reason when that fires first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(reasonOf(signal));
        return;
      }
      const stop = (): void => {
        clearTimeout(timer);
        if (signal) reject(reasonOf(signal));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** Why a signal fired, always as an error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("stopped", { cause: reason });
}
