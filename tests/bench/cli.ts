import { readFileSync } from "node:fs";

import type { TestPlatform } from "../support/platform";
import { family, Stack, unattended } from "../support/stack";
import { bareProgram, type BareShape } from "./bare";
import { cpuOf, memoryOf } from "./usage";

/** A stack that is run as a user runs it: with the packed package, and without what tests preload. */
export async function userStack(program: string, platform?: TestPlatform): Promise<Stack> {
  const stack = await Stack.create({ program, ...(platform === undefined ? {} : { platform }) });
  stack.environment["NODE_OPTIONS"] = `--require=${require.resolve("../support/javascript-program")}`;
  return stack;
}

export async function withStack<Result>(stack: Stack, work: (stack: Stack) => Promise<Result>): Promise<Result> {
  try {
    return await work(stack);
  } finally {
    await stack.remove();
  }
}

/** Milliseconds that a command takes. */
export async function timeOf(command: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await command();
  return performance.now() - began;
}

export function projectsProgram(count: number): string {
  return `for (let index = 0; index < ${count}; index += 1) new neon.Project("home-" + index, {});`;
}

/** A program of so many branches, evenly in so many projects, with computes unless another input is given. */
export function branchesProgram(branches: number, projects: number, inputs = "compute: {}"): string {
  return `
    const projects = Array.from({ length: ${projects} }, (_, index) => new neon.Project("home-" + index, {}));
    for (let index = 0; index < ${branches}; index += 1) {
      new neon.Branch("pr-" + index, { projectId: projects[index % ${projects}].id, ${inputs} });
    }
  `;
}

/** Milliseconds of the first `up` of a stack, and of one that has nothing to do. */
export interface Ups {
  readonly first: number;
  readonly unchanged: number;
}

export async function upTwice(stack: Stack): Promise<Ups> {
  const first = await timeOf(() => stack.up());
  return { first, unchanged: await timeOf(() => stack.up()) };
}

/** The same of a stack of resources that do nothing, or only sleep. */
export async function bareUps(count: number, shape: BareShape = {}): Promise<Ups> {
  return await withStack(await userStack(bareProgram(count, shape)), (stack) => upTwice(stack));
}

/** Long enough for a thousand resources on a busy machine: it only ends what hangs. */
const patienceMs = 3_600_000;

/** Who uses the time of a command. The engine is the CLI with its language host. */
export type Part = "engine" | "program" | "provider";

/** What a command has used. */
export interface Used {
  readonly ms: number;
  /** The most memory that the provider process had, in mebibytes. */
  readonly memory: number;
  /** CPU milliseconds. */
  readonly cpu: Readonly<Record<Part, number>>;
}

/** Runs a command of the CLI, and looks four times a second what its processes use. */
export async function watched(stack: Stack, command: string): Promise<Used> {
  const began = performance.now();
  const { pid, ended } = stack.start([command, ...unattended], false, patienceMs);
  let memory = 0;
  const seen = new Map<number, { readonly part: Part; readonly cpu: number }>();
  const timer = setInterval(() => {
    for (const each of family(pid)) {
      try {
        const commandLine = readFileSync(`/proc/${each}/cmdline`, "utf8");
        // It has ended, and its parent has not noticed yet.
        if (commandLine === "") continue;
        const part = partOf(commandLine);
        seen.set(each, { part, cpu: cpuOf(each) });
        if (part === "provider") memory = Math.max(memory, memoryOf(each).most);
      } catch {
        // It has just ended.
      }
    }
  }, 250);
  const { code, text } = await ended.finally(() => clearInterval(timer));
  if (code !== 0) throw new Error(`pulumi ${command} failed:\n${text}`);
  const cpu = { engine: 0, program: 0, provider: 0 };
  for (const one of seen.values()) cpu[one.part] += one.cpu;
  return { ms: performance.now() - began, memory, cpu };
}

function partOf(commandLine: string): Part {
  if (commandLine.includes("cmd/dynamic-provider")) return "provider";
  return commandLine.includes("cmd/run") ? "program" : "engine";
}
