/** Where time comes from. Everything that reads or waits for time is given one, so that tests can drive it by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment; never jumps. For measuring and for deadlines. */
  now(): number;
  /** The calendar's time on this machine; may jump. For timestamps only. */
  date(): Date;
  /** Resolves after so many milliseconds; rejects with the signal's reason when that fires first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Node fires a timer that is longer than this at once. */
const longestTimer = 2 ** 31 - 1;

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
      let timer: NodeJS.Timeout;
      const start = (rest: number): void => {
        const part = Math.min(rest, longestTimer);
        timer = setTimeout(() => {
          if (rest > part) {
            start(rest - part);
            return;
          }
          signal?.removeEventListener("abort", stop);
          resolve();
        }, part);
      };
      start(milliseconds);
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** Why a signal fired, always as an error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("stopped", { cause: reason });
}
