import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder, goSettings } from "./cache.mjs";
import { cachedProgram, programIn, programOnPath } from "./programs.mjs";
import { hostSources } from "./sources.mjs";

/** @typedef {keyof typeof hostSources} Language */

/**
 * @typedef {object} LanguageTools
 * @property {string[]} path Folders for PATH, before all others.
 * @property {Record<string, string>} environment
 */

/** Name of the file that marks a folder as complete. */
export const complete = "complete";

/** The virtual environment for Python programs, and the file that pins its packages. */
export const python = prepared("python-program", "requirements.txt");

/** The smallest Go program, and Go's caches for such programs. */
export const goProgram = prepared("go-program", "go.sum");

/** @param {string} name @param {string} pins The file that names the versions. */
function prepared(name, pins) {
  const source = join(import.meta.dirname, name);
  const version = createHash("sha256")
    .update(readFileSync(join(source, pins)))
    .digest("hex")
    .slice(0, 12);
  return { source, folder: () => join(cacheFolder(), name, version) };
}

/**
 * Settings to build Go programs without debug information, which would take a quarter of the cache and most of the time
 * of a build after an edit.
 *
 * @param {string} folder
 */
export function goProgramSettings(folder) {
  return goSettings(folder, ["-trimpath", "-gcflags=all=-dwarf=false", "-ldflags=-s"]);
}

/** @type {Record<Language, () => LanguageTools | undefined>} */
const programTools = {
  yaml: () => ({ path: [], environment: {} }),
  python: () => ifComplete(python.folder(), (folder) => ({ path: [join(folder, "bin")], environment: {} })),
  go: () => {
    if (!programOnPath("go")) return undefined;
    return ifComplete(goProgram.folder(), (folder) => ({
      path: [],
      // The cache is complete, so Go need not download anything.
      environment: { ...goProgramSettings(folder), GOPROXY: "off" },
    }));
  },
};

/** @param {string} folder @param {(folder: string) => LanguageTools} tools */
function ifComplete(folder, tools) {
  return existsSync(join(folder, complete)) ? tools(folder) : undefined;
}

/**
 * The path of a language host: in the CLI's installation, on PATH, or in the cache.
 *
 * @param {Language} language
 * @param {string} cliFolder
 */
export function findHost(language, cliFolder) {
  const source = hostSources[language];
  return programIn(cliFolder, source.name) ?? programOnPath(source.name) ?? cachedProgram(source);
}

/**
 * The tools that programs of a language need besides the CLI.
 *
 * @param {Language} language
 * @param {string} cliFolder
 * @returns {LanguageTools | undefined} Undefined if a tool is missing; `npm test` prints which.
 */
export function languageTools(language, cliFolder) {
  const host = findHost(language, cliFolder);
  const tools = programTools[language]();
  if (!host || !tools) return undefined;
  return { ...tools, path: [...tools.path, dirname(host)] };
}
