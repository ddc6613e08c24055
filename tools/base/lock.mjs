import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";

/** The holder touches its lock this often … */
const beatMs = 5_000;
/** … and a lock that was not touched for this long is free, even if its process id exists. */
const silentMs = 60_000;

/** @typedef {{ pid: number, host: string, token: string }} Holder */

/**
 * Whether a process with this id runs. It may be another program that got the same id later.
 *
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/**
 * Whether a process has ended but its exit code was not read yet. In a container, possibly nothing ever reads it.
 *
 * @param {number} pid
 */
function isZombie(pid) {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/**
 * Reads the lock and its holder, if the holder is alive.
 *
 * @param {string} path
 * @returns {{ holder: Holder | undefined, text: string | undefined }} `text` without `holder`: left behind.
 */
function look(path) {
  try {
    const text = readFileSync(path, "utf8");
    const silent = Date.now() - statSync(path).mtimeMs > silentMs;
    /** @type {Holder | undefined} */
    let holder;
    try {
      holder = JSON.parse(text);
    } catch {
      // The file was just created, or its write was cut short by a kill. Its age decides whether the lock counts as
      // held.
      holder = { pid: 0, host: "", token: "" };
    }
    const dead = holder !== undefined && holder.host === hostname() && !isAlive(holder.pid);
    return { holder: silent || dead ? undefined : holder, text };
  } catch {
    return { holder: undefined, text: undefined };
  }
}

/**
 * Acquires a lock. The lock of a killed process is replaced.
 *
 * @param {string} path
 * @returns {{ release: () => void } | { holder: number }} The lock, or the process id of its holder.
 */
export function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), token: randomUUID() });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      writeFileSync(path, mine, { flag: "wx" });
      return held(path, mine);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    const { holder, text } = look(path);
    if (holder) return { holder: holder.pid };
    if (text !== undefined) discard(path, text);
  }
  return { holder: 0 };
}

/**
 * @param {string} path
 * @param {string} mine
 */
function held(path, mine) {
  const beat = setInterval(() => {
    try {
      const now = new Date();
      utimesSync(path, now, now);
    } catch {
      // The folder of the lock was removed, so there is nothing left to guard.
    }
  }, beatMs);
  beat.unref();
  const release = () => {
    clearInterval(beat);
    process.off("exit", release);
    try {
      if (readFileSync(path, "utf8") === mine) rmSync(path, { force: true });
    } catch {
      // The lock is already removed.
    }
  };
  process.on("exit", release);
  return { release };
}

/**
 * Removes a lock left behind, but not one that another process took in the meantime.
 *
 * @param {string} path
 * @param {string} text What the lock left behind contains.
 */
function discard(path, text) {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, "utf8") !== text) linkSync(aside, path);
  } catch {
    // Another process was faster.
  } finally {
    rmSync(aside, { force: true });
  }
}
