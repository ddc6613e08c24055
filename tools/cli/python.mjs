import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { complete } from "./languages.mjs";
import { programOnPath } from "./programs.mjs";
import { Failure } from "../base/failure.mjs";
import { oneAfterAnother } from "../base/one-at-a-time.mjs";
import { step } from "../base/progress.mjs";
import { run } from "../base/run.mjs";

const candidates = ["python3", "python"];
const installMs = 300_000;

/**
 * Creates a Python virtual environment, unless it is complete.
 *
 * @param {string} folder
 * @param {string} title Printed in the meantime.
 * @param {string[]} packages The packages that pip installs.
 * @returns {Promise<string | undefined>} Why the installation is impossible, or undefined if it succeeded.
 */
export async function makeVirtualEnvironment(folder, title, packages) {
  const isComplete = () => existsSync(join(folder, complete));
  if (isComplete()) return undefined;
  const program = candidates.find((name) => programOnPath(name));
  if (!program) return `there is no ${candidates.join(" or ")} on PATH`;
  await oneAfterAnother(`${folder}.lock`, "installing Python packages", async () => {
    if (isComplete()) return;
    const make = async () => {
      rmSync(folder, { recursive: true, force: true });
      await expectSuccess(program, ["-m", "venv", folder]);
      const options = ["--quiet", "--disable-pip-version-check", "--no-input"];
      await expectSuccess(join(folder, "bin", "python"), ["-m", "pip", "install", ...options, ...packages]);
      writeFileSync(join(folder, complete), "");
    };
    await step(title, make, "half a minute, once");
  });
  return undefined;
}

/** @param {string} program @param {string[]} args */
async function expectSuccess(program, args) {
  const { code, output } = await run(program, args, { timeoutMs: installMs });
  if (code !== 0) throw new Failure(`\`${program} ${args.join(" ")}\` failed.`, output);
}
