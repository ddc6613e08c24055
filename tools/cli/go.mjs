import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { cacheFolder, goSettings } from "./cache.mjs";
import { cachedProgram, programOnPath } from "./programs.mjs";
import { isNewEnough } from "./versions.mjs";
import { Failure, Interrupted } from "../base/failure.mjs";
import { tryLock } from "../base/lock.mjs";
import { oneAfterAnother } from "../base/one-at-a-time.mjs";
import { step } from "../base/progress.mjs";
import { run } from "../base/run.mjs";

/** The version in the `go` lines of the modules. */
const oldestGo = "1.25.11";

/**
 * @typedef {object} Go
 * @property {string} path
 * @property {string} version
 * @property {NodeJS.ProcessEnv} env
 */

/** @typedef {import("./programs.mjs").GoProgram} GoProgram */

/** Number of callers that still need Go's caches. */
let keepers = 0;

/**
 * Builds the programs that are missing in the cache. Go's own caches take gigabytes. They are also in the cache folder,
 * and are removed afterwards.
 *
 * @param {GoProgram[]} programs
 * @returns {Promise<string | undefined>} Why the build is impossible, or undefined if it succeeded.
 */
export async function buildMissing(programs) {
  if (programs.every(cachedProgram)) return undefined;
  const cache = cacheFolder();
  const go = await findGo(goSettings(goCaches(cache)));
  if (typeof go === "string") return go;
  await keepingGoCaches(() =>
    oneAfterAnother(lockFile(cache), "building programs", async () => {
      for (const program of programs) {
        // Another process may have built it in the meantime.
        if (cachedProgram(program)) continue;
        await step(program.title, () => build(go, program, join(cache, program.folder)), program.usual);
      }
    }),
  );
  return undefined;
}

/**
 * Keeps Go's caches until `work` has ended, because programs with common modules then build faster.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function keepingGoCaches(work) {
  keepers += 1;
  let interrupted = false;
  try {
    return await work();
  } catch (error) {
    interrupted = error instanceof Interrupted;
    throw error;
  } finally {
    keepers -= 1;
    // After Ctrl-C, keep the caches, so that the next run resumes with them.
    if (keepers === 0 && !interrupted) await removeGoCaches(cacheFolder());
  }
}

/** @param {string} cache */
async function removeGoCaches(cache) {
  if (!existsSync(goCaches(cache))) return;
  const lock = tryLock(lockFile(cache));
  // The holder of the lock needs the caches, and removes them.
  if ("holder" in lock) return;
  try {
    await rm(goCaches(cache), { recursive: true, force: true });
  } finally {
    lock.release();
  }
}

/** @param {string} cache */
const goCaches = (cache) => join(cache, "go");

/** @param {string} cache */
const lockFile = (cache) => join(cache, "go.lock");

/**
 * Finds a Go on PATH that can build this repository's modules.
 *
 * @param {Record<string, string>} settings Where it keeps modules and compiled packages, and more.
 * @returns {Promise<Go | string>} A string says why there is none.
 */
export async function findGo(settings) {
  const path = programOnPath("go");
  if (!path) return "there is no `go` on PATH";
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, ...settings };
  // These variables would change the result of the build.
  for (const name of ["GOOS", "GOARCH", "GOROOT", "GO111MODULE", "GOEXPERIMENT"]) delete env[name];
  const installed = (await run(path, ["env", "GOVERSION"], { env })).stdout.trim().replace(/^go/, "");
  // A release candidate or a vendor's suffix (`1.26rc1`, `1.25.11-X:…`) does not count here.
  const version = (/^\d+\.\d+(\.\d+)?/.exec(installed)?.[0] ?? "0.0.0").replace(/^(\d+\.\d+)$/, "$1.0");
  if (!isNewEnough(version, oldestGo)) return `Go ${oldestGo} or newer is needed, this is ${installed || "unknown"}`;
  return { path, version: installed, env };
}

/**
 * Builds a program from its Go modules. The program gets its final name only when it is complete.
 *
 * @param {Go} go
 * @param {GoProgram} built
 * @param {string} folder
 */
async function build(go, { name, module, program, flags, script }, folder) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  const unfinished = `${file}-${process.pid}`;
  await runGo(go, module, ["build", "-trimpath", "-ldflags", flags, "-o", unfinished, program]);
  if (script) {
    const source = await runGo(go, module, ["list", "-m", "-f", "{{.Dir}}", script.module]);
    // Write the content instead of copying the file: a copy would be read-only.
    writeFileSync(join(folder, basename(script.path)), readFileSync(join(source.trim(), script.path)));
  }
  renameSync(unfinished, file);
}

/**
 * Runs a command of Go in the folder of a module.
 *
 * @param {Go} go
 * @param {string} module
 * @param {string[]} args
 * @returns {Promise<string>} Its output.
 */
export async function runGo(go, module, args) {
  const { code, stdout, output } = await run(go.path, args, { cwd: module, env: go.env });
  if (code === 0) return stdout;
  // Remove the lines about downloads, which precede the error.
  const detail = output.replace(/^go: downloading .*\n/gm, "");
  throw new Failure(`\`go ${args[0]} ${args.at(-1)}\` with Go ${go.version} failed.`, detail);
}
