import { existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { built, state } from "../base/paths.mjs";
import { getJson } from "./query.mjs";

/**
 * @typedef {object} Platform
 * @property {string} apiUrl
 * @property {string} consoleUrl
 * @property {string} apiKey
 */

/** The commands of the platform, as it is built. */
const commands = () => createRequire(import.meta.url)(built("platform", "commands", "background.js"));

/** @param {string} folder */
const dataOf = (folder) => join(folder, "platform");

/**
 * The platform of the quickstart, which is started if it does not run.
 *
 * @param {(text: string) => void} note
 * @param {string} [folder] The folder of the quickstart's state.
 * @returns {Promise<Platform>}
 */
export async function ensurePlatform(note, folder = state) {
  const { isNew, ...platform } = await commands().ensurePlatform(dataOf(folder));
  note(`${isNew ? "started" : "runs"} at ${platform.consoleUrl}`);
  return platform;
}

/**
 * Stops the platform and removes the folder. If the platform has data of other programs, both stay.
 *
 * @param {(text: string) => void} note
 * @param {{ data?: boolean, folder?: string }} [options] `data`: whether to delete the data of other programs, too.
 * @returns {Promise<string | undefined>} What is left, and how to delete it.
 */
export async function removePlatform(note, { data = false, folder = state } = {}) {
  const { runningOn, stopPlatform } = commands();
  const platform = await runningOn(dataOf(folder));
  if (!data && existsSync(dataOf(folder))) {
    const others = platform && (await othersIn(platform.consoleUrl));
    if (others !== "") {
      note(platform ? "still runs" : "was not running");
      const what = platform ? `At ${platform.consoleUrl}, it has ${others}.` : `${dataOf(folder)} still has its data.`;
      return `The local platform stays. ${what}\n\`npm run destroy -- --data\` stops the platform and deletes everything in it.`;
    }
  }
  if (platform) {
    note("stops with its databases");
    await stopPlatform(dataOf(folder));
  }
  note(platform ? "stopped" : "was not running");
  rmSync(folder, { recursive: true, force: true });
  return undefined;
}

/**
 * @param {string} consoleUrl
 * @returns {Promise<string>} A text about the contents of a platform that a new one does not have. Empty if there are
 * none.
 */
async function othersIn(consoleUrl) {
  const { ownKeyNames } = commands();
  const [{ projects }, { keys }, { organizations }] = await Promise.all(
    ["status", "keys", "organizations"].map((route) => getJson(`${consoleUrl}/local/${route}`)),
  );
  const counts = [
    [projects.length, "project", projects.map((/** @type {{ name: string }} */ { name }) => name).join(", ")],
    [keys.filter((/** @type {{ name: string }} */ { name }) => !ownKeyNames.includes(name)).length, "more API key", ""],
    [organizations.length - 1, "more organization", ""],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, noun, names]) => `${count} ${noun}${count > 1 ? "s" : ""}${names === "" ? "" : ` (${names})`}`)
    .join(" and ");
}
