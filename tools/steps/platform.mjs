import { spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Failure } from "../base/failure.mjs";
import { isAlive } from "../base/lock.mjs";
import { built, state } from "../base/paths.mjs";
import { pause, run } from "../base/run.mjs";
import { getJson } from "./query.mjs";

/** The duration of operations: long enough to see a resource wait, short enough not to be annoying. */
const operationTime = "200ms-2s";
/** The first port tried when the platform is started for the first time; later starts keep the port they got. */
const firstPort = 7430;
const portsTried = 50;
const startMs = 20_000;
const stopMs = 10_000;
const askMs = 3_000;

/**
 * @typedef {object} Platform
 * @property {string} apiUrl
 * @property {string} consoleUrl
 * @property {string} apiKey
 */

/**
 * The data about the platform that is kept between two commands.
 *
 * @typedef {Partial<Platform> & { pid?: number, port: number }} Memory
 */

/**
 * @typedef {object} Place
 * @property {string} folder The folder of the data, the log and the memory.
 * @property {string} main The platform's program.
 */

/** @type {Place} */
const quickstart = { folder: state, main: built("platform", "main.js") };

/**
 * The running platform. If the platform of an earlier command does not respond, starts one with the same data and port.
 *
 * @param {(text: string) => void} note
 * @param {Place} [place]
 * @returns {Promise<Platform>}
 */
export async function ensurePlatform(note, place = quickstart) {
  const memory = recall(place);
  if (memory && isComplete(memory) && memory.pid !== undefined && isAlive(memory.pid)) {
    if (await accepts(memory.apiUrl, memory.apiKey)) {
      note(`runs at ${memory.consoleUrl}`);
      return memory;
    }
  }
  // The remembered platform was interrupted while it started, or no longer responds.
  if (memory) await stopPlatform(place);
  const started = await start(place, memory);
  note(`${memory ? "started again" : "started"} at ${started.consoleUrl}`);
  return started;
}

/**
 * Stops the platform, if the process is still the one that was started here.
 *
 * @param {Place} [place]
 * @returns {Promise<boolean>} Whether there was one to stop.
 */
export async function stopPlatform(place = quickstart) {
  const memory = recall(place);
  if (memory?.pid === undefined) return false;
  const { pid } = memory;
  if (!isAlive(pid) || !(await isOurs(pid, memory, place))) return false;
  end(pid, "SIGTERM");
  const deadline = performance.now() + stopMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) end(pid, "SIGKILL");
    await pause(50);
  }
  return true;
}

/**
 * Stops the platform and removes its folder. If the platform has data of other programs, both stay.
 *
 * @param {(text: string) => void} note
 * @param {{ data?: boolean, place?: Place }} [options] `data`: whether to delete the data of other programs, too.
 * @returns {Promise<string | undefined>} What is left, and how to delete it.
 */
export async function removePlatform(note, { data = false, place = quickstart } = {}) {
  if (!data && existsSync(dataOf(place))) {
    const memory = recall(place);
    const consoleUrl = memory && isComplete(memory) ? memory.consoleUrl : undefined;
    const others = consoleUrl === undefined ? undefined : await othersIn(consoleUrl).catch(() => undefined);
    if (others !== "") {
      note(others === undefined ? "was not running" : "still runs");
      const what =
        others === undefined ? `${dataOf(place)} still has its data.` : `At ${consoleUrl}, it has ${others}.`;
      return `The local platform stays. ${what}\n\`npm run destroy -- --data\` stops the platform and deletes everything in it.`;
    }
  }
  note((await stopPlatform(place)) ? "stopped" : "was not running");
  rmSync(place.folder, { recursive: true, force: true });
  return undefined;
}

/**
 * @param {string} consoleUrl
 * @returns {Promise<string>} A text about the contents of a platform that a new one does not have. Empty if there are
 * none.
 */
async function othersIn(consoleUrl) {
  const [{ projects }, { keys }, { organizations }] = await Promise.all(
    ["status", "keys", "organizations"].map((route) => getJson(`${consoleUrl}/local/${route}`)),
  );
  const counts = [
    [projects.length, "project", projects.map((/** @type {{ name: string }} */ { name }) => name).join(", ")],
    [keys.length - 1, "more API key", ""],
    [organizations.length - 1, "more organization", ""],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, noun, names]) => `${count} ${noun}${count > 1 ? "s" : ""}${names === "" ? "" : ` (${names})`}`)
    .join(" and ");
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function end(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended by itself.
  }
}

/**
 * @param {Place} place
 * @param {Memory | undefined} memory
 * @returns {Promise<Platform>}
 */
async function start(place, memory) {
  if (memory) return await startOn(memory.port, place, memory);
  for (;;) {
    const port = await freePort();
    try {
      return await startOn(port, place, memory);
    } catch (error) {
      // Another clone may have taken the port. The port is not stored anywhere yet, so try the next one.
      if (!(error instanceof Failure) || (await isFree(port))) throw error;
      rmSync(memoryOf(place), { force: true });
    }
  }
}

/**
 * @param {number} port
 * @param {Place} place
 * @param {Memory | undefined} memory
 * @returns {Promise<Platform>}
 */
async function startOn(port, place, memory) {
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  const log = logOf(place);
  const earlier = existsSync(log) ? readFileSync(log, "utf8") : "";
  // Standard output contains the key, so only this user may read the file.
  const file = openSync(log, "a", 0o600);
  chmodSync(log, 0o600);
  const data = dataOf(place);
  const args = [place.main, "--port", String(port), "--data", data, "--operation-time", operationTime];
  const child = spawn(process.execPath, args, { detached: true, stdio: ["ignore", file, file], cwd: place.folder });
  closeSync(file);
  let over = false;
  child.on("error", () => (over = true)).on("exit", () => (over = true));
  child.unref();
  if (child.pid === undefined) throw new Failure("The local platform could not be started.");
  remember(place, { ...memory, port, pid: child.pid });

  const deadline = performance.now() + startMs;
  for (;;) {
    const said = readFileSync(log, "utf8").slice(earlier.length);
    const line = lines(said).at(-1);
    if (line) return await settle(place, { pid: child.pid, port, line, keys: keysOf(memory, earlier, said) });
    if (over) throw await startFailure(place, port, said);
    if (performance.now() > deadline) {
      await stopPlatform(place);
      throw new Failure(`The local platform said nothing for ${startMs / 1000} s. Its log: ${log}`, hideKeys(said));
    }
    await pause(50);
  }
}

/**
 * Finds the key that the platform accepts. It stores keys hashed, so only the first start could show it.
 *
 * @param {Place} place
 * @param {{ pid: number, port: number, line: Platform, keys: string[] }} started
 */
async function settle(place, { pid, port, line, keys }) {
  for (const apiKey of keys) {
    if (await accepts(line.apiUrl, apiKey)) {
      const platform = { apiUrl: line.apiUrl, consoleUrl: line.consoleUrl, apiKey };
      remember(place, { ...platform, port, pid });
      return platform;
    }
  }
  await stopPlatform(place);
  throw new Failure(
    `The local platform's data in ${dataOf(place)} accepts none of the keys known here. ` +
      `Remove ${place.folder} to start over. That deletes all projects of this platform.`,
  );
}

/**
 * @param {Memory | undefined} memory
 * @param {string} earlier
 * @param {string} said
 */
function keysOf(memory, earlier, said) {
  const keys = [
    memory?.apiKey,
    ...lines(said).map((line) => line.apiKey),
    ...lines(earlier).map((line) => line.apiKey),
  ];
  return [...new Set(keys)].filter((key) => key !== undefined);
}

/**
 * Parses the lines in which the platform says that it is ready.
 *
 * @param {string} text
 * @returns {Platform[]}
 */
function lines(text) {
  return text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => {
      if (!line.startsWith("{") || !line.includes('"apiUrl"')) return [];
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

/**
 * @param {Place} place
 * @param {number} port
 * @param {string} said
 */
async function startFailure(place, port, said) {
  if (!(await isFree(port))) {
    return new Failure(
      `Port ${port} is taken by another program, and the quickstart's stack knows the local platform by it.\n` +
        `End that program and run the same command again, or remove ${place.folder} to start over. ` +
        "That deletes all projects of this platform.",
    );
  }
  return new Failure(`The local platform ended at once. Its log: ${logOf(place)}`, hideKeys(said));
}

/** @param {string} text */
function hideKeys(text) {
  return text.replace(/("apiKey":\s*)"[^"]*"/g, '$1"[secret]"');
}

/**
 * Whether the platform at an address has our data: no other platform accepts the key.
 *
 * @param {string} apiUrl
 * @param {string} apiKey
 */
async function accepts(apiUrl, apiKey) {
  try {
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${apiUrl}/users/me`, { headers, signal: AbortSignal.timeout(askMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Whether a process id still means the platform started here, and not a program that got the number later.
 *
 * @param {number} pid
 * @param {Memory} memory
 * @param {Place} place
 */
async function isOurs(pid, memory, place) {
  const command = await commandOf(pid);
  if (command !== undefined) return command.includes(place.main);
  return isComplete(memory) && (await accepts(memory.apiUrl, memory.apiKey));
}

/**
 * @param {number} pid
 * @returns {Promise<string | undefined>} Its command line, if this system provides it.
 */
async function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // Only Linux has this file.
  }
  if (process.platform === "win32") return undefined;
  try {
    const { code, stdout } = await run("ps", ["-p", String(pid), "-o", "command="]);
    return code === 0 ? stdout : undefined;
  } catch {
    return undefined;
  }
}

/** @returns {Promise<number>} */
async function freePort() {
  for (let port = firstPort; port < firstPort + portsTried; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new Failure(`All ports from ${firstPort} to ${firstPort + portsTried - 1} are taken.`);
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
async function isFree(port) {
  return await new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * @param {Memory} memory
 * @returns {memory is Memory & Platform}
 */
function isComplete(memory) {
  return memory.apiUrl !== undefined && memory.consoleUrl !== undefined && memory.apiKey !== undefined;
}

/** @param {Place} place */
function dataOf(place) {
  return join(place.folder, "platform");
}

/** @param {Place} place */
function logOf(place) {
  return join(place.folder, "platform.log");
}

/** @param {Place} place */
function memoryOf(place) {
  return join(place.folder, "platform.json");
}

/**
 * @param {Place} place
 * @returns {Memory | undefined}
 */
function recall(place) {
  try {
    return JSON.parse(readFileSync(memoryOf(place), "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * @param {Place} place
 * @param {Memory} memory
 */
function remember(place, memory) {
  const whole = `${memoryOf(place)}.new`;
  rmSync(whole, { force: true });
  writeFileSync(whole, `${JSON.stringify(memory, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(whole, memoryOf(place));
}
