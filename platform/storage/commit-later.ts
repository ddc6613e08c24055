import { backoffMs, sleep, systemClock } from "../clock";
import { StorageError } from "./storage-error";

/**
 * Commits a change as soon as it can be stored. Once the signal is aborted, the change is dropped: the next start repeats the work.
 */
export async function commitLater(
  commit: (change: () => void) => void,
  change: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      commit(change);
      return;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      if (signal.aborted) return;
    }
    await sleep(systemClock, backoffMs(failures), signal);
  }
}
