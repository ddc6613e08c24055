import { setMaxListeners } from "node:events";

/** The only source of time in the platform, so that tests can control it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` once after a delay; the returned function cancels the call. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The system's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Waits. If a signal is given and aborted, the wait ends early without an error. */
export async function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal?.aborted === true) return;
  // Any number of waits may end with one signal. Node would report more than ten as a leak.
  if (signal) setMaxListeners(0, signal);
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      cancel();
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const cancel = clock.after(milliseconds, wake);
    signal?.addEventListener("abort", wake, { once: true });
  });
}

/** Lets other work that is ready go first. Called between the parts of work that would hold it up. */
export async function othersTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

const firstBackoffMs = 100;
const longestBackoffMs = 5_000;

/** The pause before another attempt after some failures in a row, in milliseconds. */
export const backoffMs = (failures: number): number =>
  Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(failures - 1, 10));
