import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { tryLock } from "./lock.mjs";
import { state } from "./paths.mjs";

/**
 * Runs a command that changes `.state`, unless another one is running in this clone.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function oneAtATime(work) {
  const lock = tryLock(join(state, "lock"));
  if ("holder" in lock) {
    throw new Failure(`Process ${lock.holder} is changing the quickstart in this clone. Wait for it to end.`);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
