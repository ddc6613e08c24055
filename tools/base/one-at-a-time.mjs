import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { tryLock } from "./lock.mjs";
import { state } from "./paths.mjs";
import { step } from "./progress.mjs";
import { pause } from "./run.mjs";

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

/**
 * Runs a function that only one process at a time may run, and waits for the others first.
 *
 * @template T
 * @param {string} path The lock.
 * @param {string} doing What the function does, for the line that is printed while another process does it.
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function oneAfterAnother(path, doing, work) {
  const lock = await takeLock(path, doing);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/**
 * @param {string} path
 * @param {string} doing
 */
async function takeLock(path, doing) {
  const first = tryLock(path);
  if ("release" in first) return first;
  return await step(`Process ${first.holder} is ${doing}; waiting for it`, async () => {
    for (;;) {
      await pause(1_000);
      const lock = tryLock(path);
      if ("release" in lock) return lock;
    }
  });
}
