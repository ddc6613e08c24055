import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import type * as sdk from "@neon/sdk";

import { isEnded } from "../../api/operations/status";
import type { AnswerBody, TestPlatform } from "../support/platform";
import { type Creator, type Noun, type Step, timed } from "./creator";
import type { Run } from "./row";

const versions = { "@neon/sdk": "6.1.2", alchemy: "0.94.0" } as const;

export interface Peer {
  readonly name: string;
  readonly creator: Creator;
  /** How many of them can run at the same time on two cores and only wait. */
  readonly lanes: number;
}

/** The programs that others would use. Those from npm are installed for the run. */
export async function peers(run: Run): Promise<readonly Peer[]> {
  const own: readonly Peer[] = [
    { name: "polls each operation every 5 s", creator: naive(5_000), lanes: 25 },
    { name: "polls each operation every 100 ms", creator: naive(100), lanes: 10 },
  ];
  if (run.quick) return own;
  const folder = await (installed ??= install(run));
  return [
    ...own,
    { name: `\`@neon/sdk\` ${versions["@neon/sdk"]}`, creator: await vendorSdk(folder), lanes: 10 },
    // A process of its own for each run, which takes seconds to start.
    { name: `\`alchemy\` ${versions.alchemy}`, creator: alchemy(folder), lanes: 4 },
  ];
}

/** Where they are installed, for all rows of a run. */
let installed: Promise<string> | undefined;

async function install(run: Run): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const wanted = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  run.say(`installing ${wanted.join(", ")}`);
  // Peer dependencies are SDKs of other services.
  const flags = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await promisify(execFile)("npm", ["install", ...flags, ...wanted], { cwd: folder });
  return folder;
}

/** What a person writes who reads the API's documentation: send, then poll every operation at a fixed interval. */
function naive(interval: number): Creator {
  async function send(platform: TestPlatform, path: string, body: object): Promise<AnswerBody> {
    const { body: made, status } = await request(platform, "POST", path, body);
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${made.message}`);
    for (const { id, project_id: project } of made.operations) {
      for (;;) {
        const { operation } = (await request(platform, "GET", `/projects/${project}/operations/${id}`)).body;
        if (isEnded(operation.status)) break;
        await new Promise((resolve) => setTimeout(resolve, interval));
      }
    }
    return made;
  }
  return async function (platform) {
    const steps: Step[] = [];
    const project = await timed(steps, "project", () => send(platform, "/projects", { project: { name: "home" } }));
    const branches = `/projects/${project.project.id}/branches`;
    const body = { branch: { name: "pr" }, endpoints: [{ type: "read_write" }] };
    const branch = `${branches}/${(await timed(steps, "branch", () => send(platform, branches, body))).branch.id}`;
    await timed(steps, "role", () => send(platform, `${branch}/roles`, { role: { name: "app" } }));
    const database = { name: "app", owner_name: "app" };
    await timed(steps, "database", () => send(platform, `${branch}/databases`, { database }));
    return steps;
  };
}

async function request(
  { apiUrl, apiKey }: TestPlatform,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: AnswerBody }> {
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as AnswerBody };
}

/** The vendor's client, which waits by itself if it is asked to. */
async function vendorSdk(folder: string): Promise<Creator> {
  const file = join(folder, "node_modules", "@neon", "sdk", "dist", "index.js");
  const { createNeonClient } = (await import(pathToFileURL(file).href)) as typeof sdk;
  return async function ({ apiUrl: baseUrl, apiKey }) {
    const neon = createNeonClient({ apiKey, baseUrl, throwOnError: true, waitForReadiness: true });
    const steps: Step[] = [];
    const { id: projectId } = await timed(steps, "project", () => neon.projects.create({ name: "home" }));
    const { id: branchId } = await timed(steps, "branch", () => neon.branches.create({ projectId, name: "pr" }));
    const at = { projectId, branchId };
    await timed(steps, "role", () => neon.postgres.roles.create({ ...at, name: "app" }));
    await timed(steps, "database", () => neon.postgres.databases.create({ ...at, name: "app", owner_name: "app" }));
    return steps;
  };
}

/** Has resources for projects and branches, but for neither roles nor databases. */
function alchemy(folder: string): Creator {
  const program = join(folder, "program.mjs");
  writeFileSync(program, alchemyProgram);
  return async function ({ apiUrl, apiKey }) {
    const state = mkdtempSync(join(folder, "run-"));
    const environment = { ...process.env, NEON_API_HOST: apiUrl, NEON_API_KEY: apiKey, DO_NOT_TRACK: "1" };
    const child = spawn(process.execPath, [program], {
      cwd: state,
      env: { ...environment, ALCHEMY_TELEMETRY_DISABLED: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const steps: Step[] = [];
    let text = "";
    child.stderr.on("data", (piece: Buffer) => (text += String(piece)));
    createInterface(child.stdout).on("line", (line) => {
      if (line.startsWith("{")) steps.push(JSON.parse(line) as Step);
      else text += `${line}\n`;
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    const expected: readonly Noun[] = ["project", "branch"];
    if (code !== 0 || steps.length !== expected.length) throw new Error(`alchemy ended with ${String(code)}: ${text}`);
    return steps;
  };
}

const alchemyProgram = `
import alchemy from "alchemy";
import { NeonBranch, NeonProject } from "alchemy/neon";

const now = () => performance.timeOrigin + performance.now();
await alchemy("bench", { quiet: true, stage: "bench", password: "bench", phase: "up" });
const account = { baseUrl: process.env.NEON_API_HOST, apiKey: alchemy.secret(process.env.NEON_API_KEY) };

async function timed(noun, create) {
  const began = now();
  const made = await create();
  console.log(JSON.stringify({ noun, began, ended: now() }));
  return made;
}

const project = await timed("project", () => NeonProject("home", { ...account, name: "home" }));
const endpoints = [{ type: "read_write" }];
await timed("branch", () => NeonBranch("pr", { ...account, project: project.id, name: "pr", endpoints }));
process.exit(0);
`;
