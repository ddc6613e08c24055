import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type Ended, runToEnd } from "./ended";
import { type PlatformAddress, TestPlatform } from "./platform";
import { testPostgres, hasPostgresByDefault } from "./postgres-files";

/** The program as it is installed. */
const program = join(__dirname, "..", "..", "platform", "main.js");

/** Starts the program in a process of its own, without Postgres unless the arguments name one, and waits until it is ready. */
export async function spawnPlatform(
  args: readonly string[],
): Promise<{ child: ChildProcess; platform: PlatformAddress }> {
  const child = spawn(process.execPath, [program, ...withDefaults(args)], { stdio: ["ignore", "pipe", "inherit"] });
  return { child, platform: await addressOf(child) };
}

/** Waits until a platform prints its addresses. */
async function addressOf(child: ChildProcess, stderr = () => ""): Promise<PlatformAddress> {
  const line = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      said += piece;
      if (said.endsWith("\n")) resolve(said);
    });
    child.once("exit", (code) => reject(new Error(`the platform ended with exit code ${String(code)}: ${stderr()}`)));
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const close = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
  };
  return { ...(JSON.parse(line) as Omit<PlatformAddress, "close">), close };
}

function withDefaults(args: readonly string[]): readonly string[] {
  if (args.includes("--postgres")) return args;
  return [...(hasPostgresByDefault ? ["--postgres", testPostgres()] : ["--no-postgres"]), ...args];
}

/** A platform in a process of its own. */
interface PlatformProcess {
  readonly platform: TestPlatform;
  readonly pid: number;
}

/** Runs a function with a platform in a process of its own. */
export async function withPlatformProcess<Result>(
  args: readonly string[],
  work: (running: PlatformProcess) => Promise<Result>,
): Promise<Result> {
  const { child, platform } = await spawnPlatform(args);
  const { pid = 0 } = child;
  const tested = new TestPlatform(platform);
  try {
    return await work({ platform: tested, pid });
  } finally {
    await tested.close();
  }
}

/** Starts the program, and kills it after these milliseconds, whether it is ready or not. */
export async function killAtStart(args: readonly string[], milliseconds: number): Promise<void> {
  const child = spawn(process.execPath, [program, ...withDefaults(args)], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  setTimeout(() => child.kill("SIGKILL"), milliseconds);
  await ended;
}

/** Starts the program with its output as pipes. The caller ends it. */
export function spawnCommand(args: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
}

/** A platform in a process of its own, whose log can be read. */
export interface ServingProcess {
  readonly pid: number;
  readonly platform: PlatformAddress;
  /** The log so far. */
  readonly stderr: () => string;
  /** Ends the process, and returns its exit code. */
  readonly end: () => Promise<number | null>;
}

/** Starts the program with exactly these arguments, and waits until it is ready. */
export async function startProcess(args: readonly string[]): Promise<ServingProcess> {
  const child = spawnCommand(args);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (stderr += piece));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const platform = await addressOf(child, () => stderr);
  const end = async (): Promise<number | null> => {
    child.kill("SIGTERM");
    return await ended;
  };
  return { pid: child.pid ?? 0, platform, stderr: () => stderr, end };
}

/** Runs the program to its end. */
export function runPlatform(args: readonly string[], env = process.env): Promise<Ended> {
  return runToEnd(process.execPath, [program, ...args], { env });
}
