import { execFile } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { tool } from "../../support/tool";

/** The release whose checks and reports this campaign knows. */
export const version = "4.32.5";

const candidates = process.platform === "win32" ? ["python", "py"] : ["python3", "python"];
const installMs = 300_000;

/**
 * The program in its own virtual environment, which is created in the cache folder if it does not exist.
 *
 * @throws Error saying what is missing on this machine
 */
export async function schemathesis(say: (line: string) => void): Promise<string> {
  const { cacheFolder } = await tool<{ cacheFolder: () => string }>("cli/cache.mjs");
  const folder = join(cacheFolder(), `schemathesis-${version}`);
  const bin = join(folder, process.platform === "win32" ? "Scripts" : "bin");
  const program = join(bin, "schemathesis");
  const complete = join(folder, "complete");
  if (existsSync(complete)) return program;
  rmSync(folder, { recursive: true, force: true });
  const python = await findPython();
  say(`installing schemathesis ${version} into ${folder}, once`);
  await expectSuccess("making a virtual environment", python, ["-m", "venv", folder]);
  const requirement = `schemathesis==${version}`;
  await expectSuccess(`installing ${requirement} with pip`, join(bin, "python"), [
    ...["-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement],
  ]);
  writeFileSync(complete, "");
  return program;
}

async function findPython(): Promise<string> {
  for (const candidate of candidates) {
    const { code } = await run(candidate, ["--version"], { timeoutMs: 30_000 });
    if (code === 0) return candidate;
  }
  throw new Error(`there is no ${candidates.join(" or ")} on PATH: install Python 3.10 or newer, with pip and venv`);
}

async function expectSuccess(what: string, program: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run(program, args, { timeoutMs: installMs });
  if (code !== 0) throw new Error(`${what} has failed:\n${output.trim().split("\n").slice(-8).join("\n")}`);
}

type Failure = Error & { readonly code?: unknown; readonly stdout?: string; readonly stderr?: string };

/** Runs a program to its end, or kills it when its time is over: its code is `null` then, or if it could not be started. */
export async function run(
  program: string,
  args: readonly string[],
  { timeoutMs, ...options }: { readonly timeoutMs: number; readonly cwd?: string },
) {
  const limits = { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: Infinity } as const;
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { ...options, ...limits });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, message, stdout = "", stderr = "" } = error as Failure;
    const isExit = typeof code === "number";
    return { code: isExit ? code : null, output: stdout + stderr + (isExit ? "" : message) };
  }
}
