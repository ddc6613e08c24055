import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { Failure } from "../base/failure.mjs";
import { buildMissing } from "./go.mjs";
import { oneAfterAnother } from "../base/one-at-a-time.mjs";
import { state } from "../base/paths.mjs";
import { step } from "../base/progress.mjs";
import { run } from "../base/run.mjs";
import { cacheFolder } from "./cache.mjs";
import { writeDynamicProvider } from "./dynamic-provider.mjs";
import { installOfficial } from "./official.mjs";
import { programIn, programOnPath, programs } from "./programs.mjs";
import { cliSources } from "./sources.mjs";
import { cliVersion, isNewEnough, oldestCliVersion } from "./versions.mjs";

/**
 * @typedef {object} Cli
 * @property {string} folder The folder of the programs, for PATH.
 * @property {string} pulumi The path of `pulumi`.
 * @property {string} version
 */

/**
 * Finds the Pulumi CLI: on PATH, in the cache, by Pulumi's installer, or built from its Go modules.
 *
 * @returns {Promise<Cli>}
 */
export async function findCli() {
  const onPath = await step("Pulumi CLI", async (note) => {
    const { cli, problem } = await cliOnPath();
    if (cli) {
      note(`${cli.version} on PATH`);
      return { cli, problem };
    }
    const cached = await cliInCache();
    note(cached ? `${cached.version} from the cache` : `none yet (${problem})`);
    return { cli: cached, problem };
  });
  return onPath.cli ?? (await makeCli(onPath.problem));
}

/**
 * The environment in which tests find the CLI.
 *
 * @param {Cli} cli
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function withCli(cli, env) {
  const path = [cli.folder, env["PATH"]].join(delimiter);
  return { ...env, PATH: path, NEON_PULUMI_CLI_DIR: cli.folder };
}

/** @returns {Promise<{ cli?: Cli, problem: string }>} */
async function cliOnPath() {
  const pulumi = programOnPath("pulumi");
  if (!pulumi) return { problem: "there is no `pulumi` on PATH" };
  const version = await versionOf(pulumi);
  if (!version) return { problem: `${pulumi} does not print its version` };
  if (!isNewEnough(version, oldestCliVersion)) {
    return { problem: `${pulumi} is version ${version}, ${oldestCliVersion} or a newer 3.x is needed` };
  }
  const sameFolder = dirname(realpathSync(pulumi));
  const missing = programs.filter((name) => !programOnPath(name) && !programIn(sameFolder, name));
  if (missing.length > 0) return { problem: `${pulumi} comes without ${missing.join(" and ")}` };
  return { cli: { folder: dirname(pulumi), pulumi, version }, problem: "" };
}

/** @returns {Promise<Cli | undefined>} */
async function cliInCache() {
  const folder = join(cacheFolder(), "cli", cliVersion, "bin");
  const pulumi = programIn(folder, "pulumi");
  if (!pulumi || programs.some((name) => !programIn(folder, name))) return undefined;
  const version = await versionOf(pulumi);
  return version === cliVersion ? { folder, pulumi, version } : undefined;
}

/**
 * @param {string} pulumi
 * @returns {Promise<string | undefined>}
 */
async function versionOf(pulumi) {
  try {
    // With the user's own home, `pulumi` would leave a log there.
    const env = { ...process.env, PULUMI_HOME: join(state, "home"), PULUMI_SKIP_UPDATE_CHECK: "1" };
    const { code, stdout } = await run(pulumi, ["version"], { env, timeoutMs: 30_000 });
    return code === 0 ? stdout.trim().replace(/^v/, "") : undefined;
  } catch (error) {
    // A file that this machine cannot run counts as missing.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/**
 * Installs the CLI, or builds it.
 *
 * @param {string} onPath Why the CLI on PATH cannot be used.
 * @returns {Promise<Cli>}
 */
async function makeCli(onPath) {
  const parent = join(cacheFolder(), "cli");
  return await oneAfterAnother(join(parent, `${cliVersion}.lock`), "installing the Pulumi CLI", async () => {
    // Another process may have installed it in the meantime.
    const made = await cliInCache();
    if (made) return made;
    const noInstaller = await installInto(parent);
    if (noInstaller !== undefined) {
      const noGo = await buildMissing(cliSources);
      if (noGo !== undefined) throw noWay(onPath, noInstaller, noGo);
      writeDynamicProvider(join(parent, cliVersion, "bin"));
    }
    const cli = await cliInCache();
    if (!cli) throw new Failure(`The Pulumi CLI in ${join(parent, cliVersion)} does not run on this machine.`);
    return cli;
  });
}

/**
 * Installs the CLI in a temporary folder and moves it into place when it is complete.
 *
 * @param {string} parent
 * @returns {Promise<string | undefined>} Why it is impossible, or undefined when it is done.
 */
async function installInto(parent) {
  const prefix = `.${cliVersion}-`;
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = join(parent, `${prefix}${process.pid}`);
  mkdirSync(join(folder, "bin"), { recursive: true });
  try {
    const problem = await installOfficial(folder);
    if (problem !== undefined) return problem;
    const place = join(parent, cliVersion);
    rmSync(place, { recursive: true, force: true });
    renameSync(folder, place);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} onPath
 * @param {string} noInstaller
 * @param {string} noGo
 */
function noWay(onPath, noInstaller, noGo) {
  return new Failure(
    [
      "The Pulumi CLI could not be installed:",
      `  - on PATH: ${onPath};`,
      `  - Pulumi's installer: ${noInstaller};`,
      `  - a build from its Go modules: ${noGo}.`,
      `Install Pulumi ${oldestCliVersion} or newer (https://www.pulumi.com/docs/install/), or Go 1.25.11 or newer`,
      "(https://go.dev/dl/), or connect to the internet, and run the same command again.",
    ].join("\n"),
  );
}
