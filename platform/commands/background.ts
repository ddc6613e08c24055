import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";

import { sleep, systemClock } from "../clock";
import { basePath } from "../http/api";
import { signInKeyName } from "../model/accounts/api-key";
import { isAlive } from "../postgres/is-alive";
import { makeFolder } from "../storage/make-folder";
import { readRunningFile } from "../storage/running-file";
import { startError } from "../storage/storage-error";
import { inUse } from "../storage/store";
import { runFolderName } from "./data-folder";
import { ask, findPlatform, type RunningPlatform } from "./running-platform";

/** Long enough to see a resource wait, short enough not to annoy. */
const operationTime = "200ms-2s";
const runKeyName = "neon-platform run";
/** The names of the keys that a platform in the background creates itself. */
export const ownKeyNames: readonly string[] = [signInKeyName, runKeyName];
const startMs = 60_000;
const stopMs = 60_000;
const pollMs = 50;

/** A platform in the background, with what a program needs to use it. */
export interface BackgroundPlatform {
  readonly consoleUrl: string;
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Whether this call started it. */
  readonly isNew: boolean;
}

/**
 * Returns the platform that runs on a data folder. Starts one that outlives this process if there is none.
 *
 * @throws Error with the end of the log if the platform does not start.
 */
export async function ensurePlatform(data: string): Promise<BackgroundPlatform> {
  try {
    const running = await runningOn(data);
    const { consoleUrl, isNew } = running ? { ...running, isNew: false } : await start(data);
    const apiKey = await keyOf(consoleUrl, data);
    return { consoleUrl, apiUrl: `${consoleUrl}${basePath}`, apiKey, isNew };
  } catch (error) {
    throw startError(error, data);
  }
}

/** Stops the platform that runs on a data folder, and waits for its end. */
export async function stopPlatform(data: string): Promise<void> {
  const { consoleUrl } = await findPlatform({ data });
  const pid = readRunningFile(data)?.pid;
  if (pid === undefined) throw new Error(`the platform at ${consoleUrl} has left no process id in ${data}`);
  process.kill(pid, "SIGTERM");
  const deadline = systemClock.now() + stopMs;
  while (isAlive(pid)) {
    if (systemClock.now() > deadline) throw new Error(`the platform at ${consoleUrl} still stops (process ${pid})`);
    await sleep(systemClock, pollMs);
  }
}

/** The platform that runs on a data folder, if there is one. */
export async function runningOn(data: string): Promise<RunningPlatform | undefined> {
  return await findPlatform({ data }).catch(() => undefined);
}

/** Waits for the platform of another command if that is starting one on the folder, which is not new then. */
async function start(data: string): Promise<RunningPlatform & Pick<BackgroundPlatform, "isNew">> {
  const log = join(runFolderOf(data), "platform.log");
  const errors = openSync(log, "a", 0o600);
  const args = [join(__dirname, "..", "main.js"), "--data", data, "--operation-time", operationTime];
  // Its output has a key, which is in no file.
  const child = spawn(process.execPath, args, { detached: true, stdio: ["ignore", "ignore", errors] });
  closeSync(errors);
  child.unref();
  const deadline = systemClock.now() + startMs;
  for (;;) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    const isLast = (hasEnded && !lastLine(log).includes(inUse)) || systemClock.now() > deadline;
    const running = await runningOn(data);
    if (running !== undefined) return { ...running, isNew: readRunningFile(data)?.pid === child.pid };
    if (isLast) throw new Error(`the platform did not start: ${lastLine(log)}`);
    await sleep(systemClock, pollMs);
  }
}

/** The folder of what `run` stores. A new data folder gets a file that keeps version control out of it. */
export function runFolderOf(data: string): string {
  const folder = join(data, runFolderName);
  const isNew = !existsSync(data);
  makeFolder(folder);
  // An existing folder can be the user's own.
  if (isNew) writeFileSync(join(data, ".gitignore"), "*\n");
  return folder;
}

const created = z.object({ key: z.string() });

/** The key of the earlier commands on this data, if the platform still accepts it, or a new one. */
async function keyOf(consoleUrl: string, data: string): Promise<string> {
  const file = join(runFolderOf(data), "key");
  const known = readIfThere(file);
  if (known !== undefined && (await isAccepted(consoleUrl, known))) return known;
  const { key } = created.parse(await ask(consoleUrl, "/local/keys", "POST", { name: runKeyName }));
  writeFileSync(file, key, { mode: 0o600 });
  return key;
}

async function isAccepted(consoleUrl: string, key: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  const { ok } = await fetch(`${consoleUrl}${basePath}/users/me`, { headers, signal: AbortSignal.timeout(startMs) });
  return ok;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function lastLine(log: string): string {
  const line = readFileSync(log, "utf8").trimEnd().split("\n").at(-1) ?? "";
  return `${line.replace(/^neon-platform: /, "")} (log: ${resolve(log)})`;
}
