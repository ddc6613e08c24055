/** The source of time. It is injected into all code that reads or waits for time, so that tests can control it. */
export interface Clock {
  /** Monotonic time in milliseconds, for durations and deadlines. */
  now(): number;
  /** The machine's calendar time, for timestamps. It may jump. */
  date(): Date;
  /** Resolves after this time. Rejects with the signal's reason if the signal fires first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Node.js fires longer timers immediately. In milliseconds. */
const maxTimer = 2 ** 31 - 1;

/** The system time. */
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
        const part = Math.min(rest, maxTimer);
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

/** Returns a signal's reason as an error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}

/** Settles as the promise does, or rejects with the signal's reason if the signal fires first. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(reasonOf(signal));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
