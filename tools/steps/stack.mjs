import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { Failure } from "../base/failure.mjs";
import { isAlive } from "../base/lock.mjs";
import { root, state } from "../base/paths.mjs";
import { say, sayAbove, step } from "../base/progress.mjs";
import { run } from "../base/run.mjs";
import { engineLine } from "./engine-lines.mjs";

/** @typedef {import("../cli/find.mjs").Cli} Cli */

export const stackName = "dev";

const backend = join(state, "pulumi");
const passphrase = join(state, "passphrase");
/** The file with the last configuration of the stack. */
const configured = join(state, "configured");

/**
 * The folder of a project with the repository's name, for the stack's settings. In the repository's root, they could
 * conflict with a stack of the user that has the same name.
 */
const settingsFolder = join(state, "project");
const settings = join(settingsFolder, `Pulumi.${stackName}.yaml`);

/** Removes the stored data of the stack. */
export function forgetStack() {
  for (const path of [backend, settingsFolder, join(state, "home"), passphrase, configured, killed]) {
    rmSync(path, { recursive: true, force: true });
  }
}

/** Whether there is a stack that could hold resources. */
export function hasStack() {
  return existsSync(backend);
}

/**
 * The environment for the CLI, with its own backend, login and settings instead of the user's.
 *
 * @param {Cli} cli
 * @returns {NodeJS.ProcessEnv}
 */
export function pulumiEnvironment(cli) {
  const others = Object.entries(process.env).filter(([name]) => !/^(PULUMI|NEON)_/.test(name));
  return {
    ...Object.fromEntries(others),
    // The language host starts the first `node` on PATH: make that the one that runs this tool.
    PATH: [cli.folder, dirname(process.execPath), process.env["PATH"]].join(delimiter),
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_HOME: join(state, "home"),
    PULUMI_CONFIG_PASSPHRASE_FILE: passphrase,
    PULUMI_STACK: stackName,
    PULUMI_OPTION_CONFIG_FILE: settings,
    PULUMI_SKIP_UPDATE_CHECK: "1",
  };
}

/**
 * Creates the stack if it does not exist, and configures it for the platform.
 *
 * @param {Cli} cli
 * @param {import("./platform.mjs").Platform} platform
 */
export async function ensureStack(cli, platform) {
  for (const folder of [backend, settingsFolder]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(passphrase)) {
    writeFileSync(passphrase, randomBytes(24).toString("base64url"), { mode: 0o600, flag: "wx" });
  }
  const wanted = createHash("sha256")
    .update(JSON.stringify([platform.apiUrl, platform.apiKey]))
    .digest("hex");
  if (existsSync(settings) && existsSync(configured) && readFileSync(configured, "utf8") === wanted) return;
  writeFileSync(join(settingsFolder, "Pulumi.yaml"), "name: neon-pulumi\nruntime: nodejs\n");
  await quietly(cli, ["stack", "select", stackName, "--create"]);
  await quietly(cli, ["config", "set", "neon:apiUrl", platform.apiUrl]);
  await quietly(cli, ["config", "set", "--secret", "neon:apiKey"], { input: platform.apiKey });
  writeFileSync(configured, wanted, { mode: 0o600 });
}

/** Exists until the pending operations that a killed run left in the stack are cleared. */
const killed = join(state, "killed");

/**
 * Removes the locks of a killed run, but not those of a live process. The CLI cannot tell them apart.
 *
 * @param {Cli} cli
 */
export async function releaseDeadLocks(cli) {
  const folder = join(backend, ".pulumi", "locks", "organization", "neon-pulumi", stackName);
  if (!existsSync(folder)) return;
  // Each lock has a second file with its attributes.
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const locks = names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  if (locks.length === 0) return;
  const living = locks.find((lock) => lock.hostname !== hostname() || isAlive(lock.pid));
  if (living) throw new Failure(`Pulumi is already running in this stack (process ${living.pid}). Wait for it to end.`);
  writeFileSync(killed, "");
  await quietly(cli, ["cancel", stackName, "--yes"]);
  say("✔ an earlier run was killed; resuming");
}

const upArgs = ["up", "--yes", "--skip-preview", "--suppress-permalink=true"];

/**
 * Runs `pulumi up`. Prints a line for each finished resource, or the full output of the engine.
 *
 * @param {Cli} cli
 * @param {boolean} isVerbose Whether to show the output of the engine.
 */
export async function up(cli, isVerbose) {
  const code = isVerbose ? await shown(cli, upArgs) : await step("pulumi up", (note) => upInLines(cli, note), "10 s");
  if (code === 0 && existsSync(killed)) {
    // Everything that the program declares exists now. The CLI itself would keep warning about the killed run.
    await quietly(cli, ["refresh", "--yes", "--skip-preview", "--clear-pending-creates"], { cwd: root });
    rmSync(killed);
  }
  return code;
}

/**
 * @param {Cli} cli
 * @param {(text: string) => void} note
 */
async function upInLines(cli, note) {
  let done = 0;
  /** @param {string} line */
  const onLine = (line) => {
    const said = engineLine(line);
    if (!said) return;
    note(`${said.resource} ${said.action}${said.note === "" ? "" : `, ${said.note}`}`);
    if (!said.isDone) return;
    done += 1;
    sayAbove(`✔ ${said.resource} ${said.action} (${said.duration.replace(/s$/, " s")})`);
  };
  const args = [...upArgs, "--non-interactive", "--color", "never"];
  const { code, output } = await run(cli.pulumi, args, { cwd: root, env: pulumiEnvironment(cli), onLine });
  if (code !== 0) say(output.trimEnd());
  note(code !== 0 ? "failed" : done === 0 ? "nothing to change" : `${done} ${done === 1 ? "resource" : "resources"}`);
  return code;
}

/**
 * Runs `pulumi destroy` with the output that a user sees.
 *
 * @param {Cli} cli
 */
export async function destroy(cli) {
  return await shown(cli, ["destroy", "--yes", "--skip-preview", "--suppress-permalink=true"]);
}

/**
 * Removes the empty stack.
 *
 * @param {Cli} cli
 */
export async function removeStack(cli) {
  await quietly(cli, ["stack", "rm", stackName, "--yes"]);
}

/**
 * Runs any command of the CLI in the repository's project.
 *
 * @param {Cli} cli
 * @param {string[]} args
 * @returns {Promise<number>} Its exit code.
 */
export async function shown(cli, args) {
  const { code } = await run(cli.pulumi, args, { cwd: root, env: pulumiEnvironment(cli), show: true });
  return code;
}

/**
 * @param {Cli} cli
 * @param {string[]} args
 * @param {{ cwd?: string, input?: string }} [options]
 */
async function quietly(cli, args, options = {}) {
  const env = pulumiEnvironment(cli);
  const { code, output } = await run(cli.pulumi, [...args, "--non-interactive"], {
    cwd: settingsFolder,
    env,
    ...options,
  });
  if (code !== 0) throw new Failure(`\`pulumi ${args.slice(0, 2).join(" ")}\` failed.`, output);
}
