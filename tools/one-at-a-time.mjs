import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { tryLock } from "./lock.mjs";
import { state } from "./paths.mjs";

/**
 * Runs a command that changes what `.state` holds, unless another one is at it in this clone.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function oneAtATime(work) {
  const lock = tryLock(join(state, "lock"));
  if ("holder" in lock) {
    throw new Failure(`Process ${lock.holder} is at work on the quickstart in this clone; wait for it to end.`);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
