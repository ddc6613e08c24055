import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { after } from "mocha";
import * as yaml from "js-yaml";

import { installation } from "../package/installation";
import { cliEnvironment, cliFolder } from "./cli";
import { filesIn, writeFiles } from "./files";
import { goModule, type LanguageProgram, languageTools } from "./languages";
import type { TestPlatform } from "./platform";
import { encrypt, reveal, secretsEnvironment, secretsSettings } from "./stack-secrets";

/** The result of a command of the CLI. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  /** Standard output and standard error, in the order of arrival. */
  readonly text: string;
}

/** A resource as the state holds it. */
export interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
  readonly protect?: boolean;
  readonly delete?: boolean;
  /** The resource is only read, and managed elsewhere. */
  readonly external?: boolean;
  /** The object is deleted, and its replacement is not created yet. */
  readonly pendingReplacement?: boolean;
  readonly initErrors?: readonly string[];
}

/** A preview in JSON. */
export interface Preview {
  readonly steps: readonly { readonly op: string; readonly urn: string }[];
  /** Warnings and errors. */
  readonly diagnostics: readonly { readonly message: string; readonly severity: string }[];
}

/** Options of a stack. */
export interface StackOptions {
  /** The account in the stack's configuration. Default: none. */
  readonly platform?: { readonly apiUrl: string; readonly apiKey: string };
  /** The program in JavaScript, in which `neon` and `pulumi` are defined. Omitted for an example. */
  readonly program?: string;
  /** The program in another language instead. */
  readonly language?: LanguageProgram;
  /** More of the project file of a program in JavaScript, such as `plugins`. */
  readonly project?: Readonly<Record<string, unknown>>;
  /** The name of an example to run instead, or the folder of a program: a copy of the compiled files runs. */
  readonly example?: string;
  /** More of the stack's configuration, by full key. */
  readonly config?: Readonly<Record<string, string>>;
  /** More of the environment of the CLI. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder in which the program finds the package. Default: where the packed one is installed. */
  readonly folder?: string;
  /** The machine and the names of the stack. Default: new ones. */
  readonly place?: StackPlace;
  /** A bucket for the state, with the folder of its objects. Default: a folder. */
  readonly bucket?: { readonly url: string; readonly folder: string };
}

/** The machine and the names of a stack, which distinguish it from others. */
export interface StackPlace {
  readonly stack: string;
  readonly project: string;
  /** Pulumi's home on this machine. */
  readonly home: string;
  /** The URL of the backend. */
  readonly backend: string;
  /** The folder of the program, from which the package is found. */
  readonly folder: string;
}

/** The time limit of a command, which only a hanging one reaches, even on a busy machine. */
const patienceMs = 600_000;

/** The module that Node preloads for a program in JavaScript. */
export const nodeOptions = `--require=${require.resolve("./javascript-program")}`;

const prelude = 'const neon = require("neon-pulumi");\nconst pulumi = require("@pulumi/pulumi");\n';

/** The shapes of secrets that no output and no file may show: keys, passwords, and URIs with one. */
const secretShapes: readonly RegExp[] = [
  /napi_\w{20,}/,
  /npg_\w{6,}/,
  /nrt_live_[\w-]{20,}/,
  /postgres(ql)?:\/\/[^\s@:"]+:[^\s@"]+@/,
];

/** A stack that the real CLI runs, with a backend and settings of its own. */
export class Stack {
  /** The folder of everything that Pulumi keeps: state, history, logs, settings. A given place is elsewhere. */
  readonly kept: string;
  /** The environment of the CLI. */
  readonly environment: NodeJS.ProcessEnv;
  /** More of the project file, used from the next program in JavaScript on. */
  project: Readonly<Record<string, unknown>> = {};
  #folder: string;
  #stackName: string;
  #projectName: string;
  /** The configuration as the settings file has it: an encrypted value is an object. */
  readonly #config = new Map<string, string | { readonly secure: string }>();
  readonly #bucketFolder: string | undefined;
  readonly #children = new Set<ChildProcess>();

  private constructor(
    place: StackPlace,
    kept: string,
    environment: NodeJS.ProcessEnv,
    bucketFolder: string | undefined,
  ) {
    this.#bucketFolder = bucketFolder;
    this.#folder = place.folder;
    this.#stackName = place.stack;
    this.#projectName = place.project;
    this.kept = kept;
    this.environment = environment;
  }

  /** The folder of the program. */
  get folder(): string {
    return this.#folder;
  }

  static async create(options: StackOptions): Promise<Stack> {
    const cli = cliFolder();
    const kept = mkdtempSync(join(tmpdir(), "neon-pulumi-stack-"));
    mkdirSync(join(kept, "backend"));
    const place = options.place ?? {
      stack: "dev",
      project: "programs",
      home: join(kept, "home"),
      backend: options.bucket?.url ?? `file://${join(kept, "backend")}`,
      folder: programFolder(options.folder ?? (await installation()).folder),
    };
    const environment = {
      ...cliEnvironment(cli),
      ...secretsEnvironment,
      PULUMI_BACKEND_URL: place.backend,
      PULUMI_HOME: place.home,
      ...options.environment,
    };
    const stack = new Stack(place, kept, environment, options.bucket?.folder);
    stack.project = options.project ?? {};
    if (options.program !== undefined) stack.write(options.program);
    if (options.language !== undefined) await stack.useLanguage(options.language);
    if (options.example !== undefined) stack.#copyExample(options.example);
    const { platform, config = {} } = options;
    const plain = { ...(platform === undefined ? {} : { "neon:apiUrl": platform.apiUrl }), ...config };
    stack.configure(plain, platform === undefined ? {} : { "neon:apiKey": platform.apiKey });
    stack.#initialize();
    return stack;
  }

  /** Runs the stack on another machine or from another folder from now on. The state stays where it is. */
  move({ home, folder }: Pick<StackPlace, "home" | "folder">): void {
    this.environment["PULUMI_HOME"] = home;
    if (folder === this.#folder) return;
    cpSync(this.#folder, folder, { recursive: true });
    this.#folder = folder;
  }

  /** `pulumi stack rename` */
  async rename({ stack, project }: Pick<StackPlace, "stack" | "project">): Promise<void> {
    await this.command("stack", "rename", `organization/${project}/${stack}`);
    this.#stackName = stack;
    this.#projectName = project;
  }

  /** Replaces the program. */
  write(program: string, name = "index.js"): void {
    this.#writeProject(name.endsWith(".ts") ? program : prelude + program, name);
  }

  /** Replaces files of the program. */
  writeFiles(files: Readonly<Record<string, string>>): void {
    writeFiles(this.folder, files);
  }

  /** Links packages of this repository into the program's folder. */
  linkPackages(packages: readonly string[]): void {
    for (const name of packages) {
      const path = join(this.folder, "node_modules", name);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(resolve("node_modules", name), path, "junction");
    }
  }

  /** Replaces the program by one in another language. */
  async useLanguage({ name: runtime, files, project = {} }: LanguageProgram): Promise<void> {
    const { path, environment } = await languageTools(runtime);
    Object.assign(this.environment, environment, {
      PATH: [...path, this.environment["PATH"]].join(delimiter),
    });
    const settings = JSON.stringify({ ...project, name: this.#projectName, runtime });
    this.writeFiles({ ...(runtime === "go" ? goModule() : {}), ...files, "Pulumi.yaml": settings });
  }

  #writeProject(program: string, main: string, settings: Readonly<Record<string, unknown>> = {}): void {
    const typescript = main.endsWith(".ts");
    const runtime = { name: "nodejs", options: { typescript } };
    // JSON is YAML, too.
    const project = JSON.stringify({ ...this.project, ...settings, name: this.#projectName, runtime, main });
    writeFileSync(join(this.folder, "Pulumi.yaml"), project);
    writeFileSync(join(this.folder, main), program);
    this.environment["NODE_OPTIONS"] = typescript ? "" : nodeOptions;
  }

  #copyExample(name: string): void {
    const source = name.includes("/") ? name : join("examples", name);
    cpSync(source, this.folder, { recursive: true });
    const program = readFileSync(join("dist", source, "index.js"), "utf8");
    this.#projectName = basename(name);
    const own = yaml.load(readFileSync(join(source, "Pulumi.yaml"), "utf8")) as Record<string, unknown>;
    this.#writeProject(program, "index.js", own);
  }

  /** Writes the files that `pulumi stack init` writes. */
  #initialize(): void {
    mkdirSync(dirname(this.#stateFile), { recursive: true });
    writeFileSync(join(this.#backend, ".pulumi", "meta.yaml"), "version: 1\n");
    const stack = `organization/${this.#projectName}/${this.#stackName}`;
    writeFileSync(this.#stateFile, JSON.stringify({ version: 3, checkpoint: { stack, latest: null } }));
  }

  /** Sets values of the stack's configuration, as `pulumi config set-all` does. */
  configure(plain: Readonly<Record<string, string>>, secret: Readonly<Record<string, string>> = {}): void {
    for (const [key, value] of Object.entries(plain)) this.#config.set(key, value);
    for (const [key, value] of Object.entries(secret)) this.#config.set(key, { secure: encrypt(value) });
    this.#writeSettings();
  }

  /** Removes a value of the stack's configuration. */
  unset(key: string): void {
    this.#config.delete(key);
    this.#writeSettings();
  }

  #writeSettings(): void {
    const own = (key: string): string => (key.includes(":") ? key : `${this.#projectName}:${key}`);
    const config = Object.fromEntries([...this.#config].map(([key, value]) => [own(key), value]));
    const settings = JSON.stringify({ ...secretsSettings(), config });
    writeFileSync(join(this.folder, `Pulumi.${this.#stackName}.yaml`), settings);
  }

  /** Runs a command that must succeed. */
  async command(...args: readonly string[]): Promise<CliResult> {
    const result = await this.#presentable(args);
    assert.equal(result.code, 0, `pulumi ${commandOf(args)} failed:\n${result.text}`);
    return result;
  }

  /** Runs `pulumi up`, which must succeed. */
  async up(...flags: readonly string[]): Promise<CliResult> {
    return await this.command("up", ...unattended, ...flags);
  }

  async refresh(...flags: readonly string[]): Promise<CliResult> {
    return await this.command("refresh", ...unattended, ...flags);
  }

  async destroy(...flags: readonly string[]): Promise<CliResult> {
    return await this.command("destroy", ...unattended, ...flags);
  }

  /** Removes the locks of killed runs, as `pulumi cancel` does. */
  unlock(): void {
    const own = join(this.#locks, "organization", this.#projectName, this.#stackName);
    rmSync(own, { recursive: true, force: true });
  }

  /** Runs `pulumi preview --json`. */
  async preview(...flags: readonly string[]): Promise<Preview> {
    const { stdout } = await this.command("preview", "--json", ...flags);
    const { steps = [], diagnostics = [] } = JSON.parse(stdout) as Partial<Preview>;
    return { steps, diagnostics };
  }

  /** Runs a command that must fail. */
  async failing(command: "preview" | "up" | "refresh" | "destroy", ...flags: readonly string[]): Promise<CliResult> {
    const args = [command, ...(command === "preview" ? [] : unattended), ...flags];
    const result = await this.#presentable(args);
    assert.notEqual(result.code, 0, `pulumi ${commandOf(args)} ended well, but should not:\n${result.text}`);
    return result;
  }

  /** Runs a command that changes something, and that may fail. */
  async attempt(command: "up" | "refresh" | "destroy", ...flags: readonly string[]): Promise<CliResult> {
    return this.#presentable([command, ...unattended, ...flags]);
  }

  /** Runs a command, and asserts that its output has no secret and no stack trace. */
  async #presentable(args: readonly string[]): Promise<CliResult> {
    const result = await this.run(args);
    const where = `the output of pulumi ${commandOf(args)}`;
    assertNoSecret(result.text, where);
    assert.doesNotMatch(result.text, /^\s+at .+[:(]/m, `${where} has a stack trace in it:\n${result.text}`);
    return result;
  }

  /** The stack's outputs, with the secret ones in plain text. */
  outputs(): Record<string, unknown> {
    const stack = this.everyResource().find(({ type }) => type === "pulumi:pulumi:Stack");
    return this.reveal(stack?.outputs ?? {}) as Record<string, unknown>;
  }

  /** A value of the state with its secrets in plain text. */
  reveal(value: unknown): unknown {
    return reveal(value);
  }

  /** The resources of this package in the state, by logical name, without replaced ones that are not deleted yet. */
  resources(): Map<string, StoredResource> {
    const own = this.everyResource().filter((one) => /^neon:index:|\/neon:/.test(one.type) && one.delete !== true);
    return new Map(own.map((one) => [one.urn.slice(one.urn.lastIndexOf("::") + 2), one]));
  }

  /** The URN of a resource of the program. */
  urn(type: string, name: string): string {
    return `urn:pulumi:${this.#stackName}::${this.#projectName}::${type}::${name}`;
  }

  /** A resource in the state. */
  resource(name: string): StoredResource {
    const found = this.resources().get(name);
    assert.ok(found, `there is no ${name} in the state`);
    return found;
  }

  everyResource(): readonly StoredResource[] {
    const { checkpoint } = JSON.parse(readFileSync(this.#stateFile, "utf8")) as {
      checkpoint: { latest: { resources?: StoredResource[] } | null };
    };
    return checkpoint.latest?.resources ?? [];
  }

  get #backend(): string {
    return this.#bucketFolder ?? fileURLToPath(this.environment["PULUMI_BACKEND_URL"] ?? "");
  }

  get #stateFile(): string {
    return join(this.#backend, ".pulumi", "stacks", this.#projectName, `${this.#stackName}.json`);
  }

  /**
   * Follows docs/troubleshooting.md after `pulumi` was killed while it wrote one of its files. The kill leaves an empty file of
   * attributes, which can be deleted, or half a state (https://github.com/pulumi/pulumi/issues/4679), which
   * its backup replaces.
   *
   * @returns whether the state was replaced
   */
  mendState(): boolean {
    const attributes = `${this.#stateFile}.attrs`;
    if (existsSync(attributes) && statSync(attributes).size === 0) rmSync(attributes);
    try {
      this.everyResource();
      return false;
    } catch {
      copyFileSync(`${this.#stateFile}.bak`, this.#stateFile);
      return true;
    }
  }

  /** Asserts that the state has no resource of this package. */
  assertEmpty(): void {
    assert.deepEqual([...this.resources().keys()], [], "the state still holds resources");
  }

  /** Runs the CLI to its end. */
  async run(args: readonly string[]): Promise<CliResult> {
    return await this.start(args).ended;
  }

  get #locks(): string {
    return join(this.#backend, ".pulumi", "locks");
  }

  /**
   * Starts the CLI.
   *
   * @param leads whether the CLI leads a process group of its own, as programs in a terminal do
   * @param patience the time limit in milliseconds
   */
  start(
    args: readonly string[],
    leads = false,
    patience = patienceMs,
  ): { readonly pid: number; readonly ended: Promise<CliResult>; output(): string } {
    const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
      cwd: this.folder,
      env: { PULUMI_STACK: this.#stackName, ...this.environment },
      stdio: ["ignore", "pipe", "pipe"],
      detached: leads,
    });
    this.#children.add(child);
    let stdout = "";
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      stdout += piece;
      text += piece;
    });
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    const ended = new Promise<CliResult>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.kill(child.pid ?? 0);
        reject(new Error(`pulumi ${args.join(" ")} has not ended after ${patience / 1000} s:\n${text}`));
      }, patience);
      child.once("error", reject).once("close", (code) => {
        clearTimeout(timer);
        this.#children.delete(child);
        resolve({ code: code ?? -1, stdout, text });
      });
    });
    return { pid: child.pid ?? 0, ended, output: () => text };
  }

  /** Kills the CLI and everything that it has started, as a crash of the machine would. */
  kill(pid: number): void {
    for (const each of family(pid)) send(each, "SIGKILL");
  }

  /** Asserts that no file of Pulumi shows a secret, and removes the stack. */
  async remove(): Promise<void> {
    for (const { pid } of this.#children) this.kill(pid ?? 0);
    try {
      const kept = [this.kept, ...(this.#bucketFolder === undefined ? [] : [this.#bucketFolder])];
      for (const file of kept.flatMap(filesIn)) assertNoSecret(readFileSync(file, "latin1"), file);
    } finally {
      for (const path of [this.folder, this.kept]) rmSync(path, { recursive: true, force: true });
      await Promise.resolve();
    }
  }
}

/** The flags of commands that change something, without questions. */
export const unattended: readonly string[] = ["--yes", "--skip-preview", "--suppress-permalink=true"];

/** Stacks for the calling suite, removed after its tests. */
export function suiteStacks(): (options: StackOptions) => Promise<Stack> {
  const made: Stack[] = [];
  after(async () => {
    for (const stack of made) await stack.remove();
  });
  return async (options) => {
    const stack = await Stack.create(options);
    made.push(stack);
    return stack;
  };
}

/** A folder for a program, from which the packages of this repository are found. */
function programFolder(around: string): string {
  mkdirSync(join(around, "programs"), { recursive: true });
  return mkdtempSync(join(around, "programs", "p-"));
}

/** Asserts that a text shows no secret. */
export function assertNoSecret(text: string, where: string): void {
  for (const shape of secretShapes) {
    const found = shape.exec(text);
    assert.equal(
      found,
      null,
      `${where} shows a secret: ${text.slice(Math.max(0, (found?.index ?? 0) - 200)).slice(0, 400)}`,
    );
  }
}

/** A command without its values, which may be secret. */
function commandOf(args: readonly string[]): string {
  return args.filter((arg) => !arg.includes("=")).join(" ");
}

/** Sends a signal to a process, unless it has ended. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended by itself, or with its parent.
  }
}

/** The ids of a process and of its descendants. */
export function family(pid: number, parents = parentsById()): number[] {
  if (pid === 0) return [];
  const children = parents.filter(([, parent]) => parent === pid).map(([child]) => child);
  return [pid, ...children.flatMap((child) => family(child, parents))];
}

/** Every process with its parent. */
function parentsById(): (readonly [pid: number, parent: number])[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1];
        return parent === undefined ? [] : [[Number(name), Number(parent)] as const];
      } catch {
        // The process has just ended.
        return [];
      }
    });
}

/** The objects on a platform, by name. */
interface Inventory {
  readonly [project: string]: { readonly id: string; readonly branches: Readonly<Record<string, readonly string[]>> };
}

/**
 * All projects with their branches and the ids of the branches' computes.
 *
 * @throws if two objects have the same name: then one of them is a duplicate
 */
export async function inventory(platform: TestPlatform): Promise<Inventory> {
  const { body } = await platform.call("GET", "/projects?limit=400");
  const found: Record<string, { id: string; branches: Record<string, string[]> }> = {};
  for (const { id, name } of body.projects) {
    assert.ok(!(name in found), `there are two projects named ${name}`);
    const branches = (await platform.call("GET", `/projects/${id}/branches`)).body.branches;
    const { endpoints } = (await platform.call("GET", `/projects/${id}/endpoints`)).body;
    const computes = (branch: string): string[] =>
      endpoints.filter((one) => one.branch_id === branch).map((one) => one.id);
    found[name] = { id, branches: Object.fromEntries(branches.map((one) => [one.name, computes(one.id)])) };
    assert.equal(Object.keys(found[name].branches).length, branches.length, `${name} has two branches of one name`);
  }
  return found;
}

/** The names of a project's branches, in alphabetical order. Empty if the project does not exist. */
export async function branchNames(platform: TestPlatform, project: string): Promise<string[]> {
  return Object.keys((await inventory(platform))[project]?.branches ?? {}).sort();
}
