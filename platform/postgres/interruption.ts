import { DatabaseError } from "pg";

import { sleep, systemClock } from "../clock";

/** A cluster was started, stopped or replaced while it was used. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

/** The pauses before interrupted work is repeated, in milliseconds. After a crash, Postgres may need seconds to recover. */
const pausesMs = [50, 100, 200, 400, 800, 1600, 3200];

/** `admin_shutdown`, `crash_shutdown` and `cannot_connect_now`. */
const interruptionStates = /^57P0[123]$/;
const lostConnection = ["ECONNREFUSED", "ECONNRESET", "EPIPE"];
/** Messages of `pg` for a session that has ended. These errors have no code. */
const endedSession =
  /^(Connection terminated|Client has encountered a connection error|Client was closed and is not queryable)/;

/** Whether work failed because Postgres was stopped or about to start, and not because of the work itself. */
export function isInterruption(error: unknown): boolean {
  if (error instanceof InterruptedError) return true;
  if (error instanceof DatabaseError) return interruptionStates.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined) return endedSession.test(error.message);
  // The folder of the socket is removed after Postgres has ended.
  return lostConnection.includes(code) || (code === "ENOENT" && syscall === "connect");
}

/**
 * Does work, and repeats it a few times if it is interrupted.
 *
 * @throws any other error of the work, or the last interruption
 */
export async function repeatInterrupted<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const pause of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
    await sleep(systemClock, pause);
  }
  return await work();
}
