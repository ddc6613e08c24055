import { readFileSync } from "node:fs";

import type { Door } from "../support/door";
import type { TestPlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { Stack } from "../support/stack";

/** Gives work a stack that runs as a user's does, without what tests preload. */
export async function withStack<Result>(
  program: string,
  platform: TestPlatform | undefined,
  work: (stack: Stack) => Promise<Result>,
  door: Door = "dynamic",
): Promise<Result> {
  const project = door === "plugin" ? withPlugin : {};
  const stack = await Stack.create({ program, project, ...(platform === undefined ? {} : { platform }) });
  stack.environment["NODE_OPTIONS"] = `--require=${require.resolve("../support/javascript-program")}`;
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

/** A program of so many branches with computes, evenly in so many projects. */
export function branchesProgram(branches: number, projects: number): string {
  return `
    const projects = Array.from({ length: ${projects} }, (_, index) => new neon.Project("home-" + index, {}));
    for (let index = 0; index < ${branches}; index += 1) {
      new neon.Branch("pr-" + index, { projectId: projects[index % ${projects}].id, compute: {} });
    }
  `;
}

/**
 * The provider of resources that do nothing: what Pulumi's SDK and engine take by themselves. With an input `sleep`, a
 * creation takes so many milliseconds.
 */
export const bareProvider =
  "exports.handler=()=>({async check(o,n){return{inputs:n}},async diff(){return{changes:false}}," +
  "async create(i){if(i.sleep)await new Promise(r=>setTimeout(r,i.sleep));return{id:i.name,outs:i}}})";

/** A program of so many such resources. */
export function bareProgram(count: number, sleep = 0): string {
  return `
    for (let index = 0; index < ${count}; index += 1) {
      const name = "bare-" + index;
      const inputs = { __provider: ${JSON.stringify(bareProvider)}, name, sleep: ${Math.round(sleep)} };
      new pulumi.CustomResource("pulumi-nodejs:dynamic/bench:Bare", name, inputs);
    }
  `;
}

/** Mebibytes in memory of a process, now and at most so far. Linux only. */
export function memoryOf(pid: number): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? NaN) / 1024;
  return { now: mebibytes("VmRSS"), most: mebibytes("VmHWM") };
}
