// The plugin as one executable: Node with the bundle in it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Failure } from "../base/failure.mjs";
import { installed } from "../base/paths.mjs";
import { run } from "../base/run.mjs";

/** The marker by which Node detects that a bundle was added. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const startMs = 30_000;

/**
 * Prepares a bundle for `writeExecutable`. The result is the same for every processor.
 *
 * @param {string} node The release of Node in the executables, for this machine.
 * @param {string} folder Where the bundle is, and where to write it.
 * @param {string} bundle Its name.
 * @returns {Promise<string>} Its path.
 */
export async function prepareBlob(node, folder, bundle) {
  const output = join(folder, "blob");
  const config = join(folder, "blob.json");
  const settings = {
    // A relative path, because it becomes part of the result.
    main: bundle,
    output,
    disableExperimentalSEAWarning: true,
    // Both would make the result depend on the processor.
    useCodeCache: false,
    useSnapshot: false,
    // Ignore NODE_OPTIONS, which are meant for the user's own Node.
    execArgvExtension: "none",
  };
  writeFileSync(config, JSON.stringify(settings));
  await expectSuccess(node, ["--experimental-sea-config", config], folder);
  return output;
}

/**
 * @param {string} file
 * @param {string} node The Node for the processor.
 * @param {string} blob
 */
export async function writeExecutable(file, node, blob) {
  copyFileSync(node, file);
  const postject = installed("postject", "dist", "cli.js");
  await expectSuccess(process.execPath, [postject, file, "NODE_SEA_BLOB", blob, "--sentinel-fuse", fuse]);
}

/**
 * Starts an executable in an empty environment, without an installed Node.
 *
 * @param {string} file
 */
export async function assertStarts(file) {
  const child = spawn(file, { env: {}, stdio: ["ignore", "pipe", "inherit"], timeout: startMs });
  const ended = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) {
    if (!/^\d+$/.test(line)) throw new Failure(`${file} prints "${line}" instead of its port.`);
    child.kill("SIGKILL");
    await ended;
    return;
  }
  throw new Failure(`${file} does not start.`);
}

/** @param {string} program @param {string[]} args @param {string} [cwd] */
async function expectSuccess(program, args, cwd) {
  const { code, output } = await run(program, args, { cwd });
  if (code !== 0) throw new Failure(`\`${program} ${args.join(" ")}\` failed.`, output);
}
