import type { data } from "@actions/expressions";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { parse } from "yaml";

export interface WorkflowJob {
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly id?: string;
    readonly if?: string;
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

/** A workflow of GitHub Actions. */
export interface Workflow {
  readonly env?: Readonly<Record<string, string>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly defaults: { readonly run: { readonly shell: string } };
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

/** The values for expressions of a workflow, by context: `github`, `vars`, `secrets`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** The machine of a job. */
export interface JobRun {
  readonly contexts: Contexts;
  /** The folder of the checkout, in which each step runs. */
  readonly folder: string;
  /** The environment of the machine. */
  readonly environment: NodeJS.ProcessEnv;
  /** The `run` steps to skip, because the machine is already prepared. */
  readonly skip?: readonly string[];
}

export interface JobResult {
  readonly conclusion: "success" | "failure" | "cancelled";
  /** The log as GitHub shows it, with `***` for secrets and masked values. */
  readonly log: string;
}

export function readWorkflow(file: string): Workflow {
  return parse(readFileSync(file, "utf8")) as Workflow;
}

/** The value of an expression, as text. Functions such as `success()` read the job's status. */
async function evaluate(expression: string, contexts: Contexts, status = "success"): Promise<string> {
  // This package is an ES module, so `require` does not find it.
  const { data, Evaluator, Lexer, Parser } = await import("@actions/expressions");
  const functions = ["always", "success", "failure", "cancelled"].map((name) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(name === "always" || name === status),
  }));
  const tree = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), functions).parse();
  const values = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
  return new Evaluator(tree, values, new Map(functions.map((one) => [one.name, one]))).evaluate().coerceString();
}

/** A text with its `${{ … }}` replaced by their values. */
export async function fill(text: string, contexts: Contexts): Promise<string> {
  let filled = "";
  // The parts are alternately text and expressions.
  for (const [index, part] of text.split(/\$\{\{(.*?)\}\}/).entries()) {
    filled += index % 2 === 0 ? part : await evaluate(part, contexts);
  }
  return filled;
}

/** Whether an `if` lets its job or step run. Without a status function, it also requires that no step has failed. */
export async function holds(condition: string | undefined, contexts: Contexts, status = "success"): Promise<boolean> {
  const asked = condition ?? "success()";
  const isAboutStatus = /\b(always|success|failure|cancelled)\(\)/.test(asked);
  return (await evaluate(isAboutStatus ? asked : `success() && (${asked})`, contexts, status)) === "true";
}

/**
 * A job of a workflow, whose `run` steps are run as GitHub's runner runs them: each in a shell of its own, with a file for its
 * outputs, and with masks. Steps that use an action are left out.
 */
export class WorkflowRun {
  readonly result: Promise<JobResult>;
  #log = "";
  #status: JobResult["conclusion"] = "success";
  #step: number | undefined;
  readonly #masks: Set<string>;

  constructor(workflow: Workflow, job: string, run: JobRun) {
    const { secrets } = run.contexts as { readonly secrets: Readonly<Record<string, string>> };
    this.#masks = new Set(Object.values(secrets));
    this.result = this.#run(workflow, job, run);
  }

  /** The log of the job so far. */
  get log(): string {
    return [...this.#masks]
      .filter((secret) => secret !== "")
      .reduce((text, secret) => text.replaceAll(secret, "***"), this.#log);
  }

  /** Cancels the job: kills the running step with its descendants. */
  cancel(): void {
    this.#status = "cancelled";
    if (this.#step !== undefined) process.kill(-this.#step, "SIGKILL");
  }

  async #run(
    workflow: Workflow,
    name: string,
    { contexts, folder, environment, skip = [] }: JobRun,
  ): Promise<JobResult> {
    const job = workflow.jobs[name];
    assert.ok(job, `the workflow has no job ${name}`);
    assert.equal(workflow.defaults.run.shell, "bash");
    const outputs: Record<string, { readonly outputs: Record<string, string> }> = {};
    const GITHUB_OUTPUT = join(environment["PULUMI_HOME"] ?? folder, "step-outputs");
    for (const step of job.steps) {
      const known = { ...contexts, steps: outputs };
      if (step.run === undefined || skip.includes(step.run)) continue;
      if (!(await holds(step.if, known, this.#status))) continue;
      const declared = Object.entries({ ...workflow.env, ...job.env, ...step.env });
      const filled = await Promise.all(declared.map(async ([key, value]) => [key, await fill(value, known)] as const));
      writeFileSync(GITHUB_OUTPUT, "");
      const env = { ...environment, ...Object.fromEntries(filled), GITHUB_OUTPUT };
      const code = await this.#shell(await fill(step.run, known), folder, env);
      if (code !== 0 && this.#status === "success") this.#status = "failure";
      if (step.id !== undefined) outputs[step.id] = { outputs: valuesIn(readFileSync(GITHUB_OUTPUT, "utf8")) };
    }
    return { conclusion: this.#status, log: this.log };
  }

  /** Runs a script as GitHub's `shell: bash` does, and returns its exit code. */
  async #shell(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
    const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
    const child = spawn("bash", args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    this.#step = child.pid;
    let line = "";
    const take = (piece: string): void => {
      const lines = (line + piece).split("\n");
      line = lines.pop() ?? "";
      for (const each of lines) {
        const masked = /^::add-mask::(.*)$/.exec(each)?.[1];
        if (masked === undefined) this.#log += `${each}\n`;
        else this.#masks.add(masked);
      }
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (this.#log += piece));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject).once("close", resolve);
    });
    this.#step = undefined;
    this.#log += line;
    return code ?? 1;
  }
}

/** The values of a file with a line `name=value` for each. */
function valuesIn(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf("=");
      assert.ok(at > 0, "the outputs of a step have a line without a name");
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}
