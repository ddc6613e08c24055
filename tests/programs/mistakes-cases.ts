import assert from "node:assert/strict";

import type { TestPlatform } from "../support/platform";
import type { CliResult, Stack } from "../support/stack";
import { until } from "../support/until";

/** What a new user does wrong, and when it shows. */
export interface Mistake {
  readonly title: string;
  /** Default: the stack has an API key that the platform accepts. */
  readonly key?: "missing" | "wrong" | "plain";
  readonly config?: Readonly<Record<string, string>>;
  /** What the program was when `pulumi up` last succeeded. Default: there was no `up`. */
  readonly earlier?: string;
  /** What happened since. */
  readonly since?: (stack: Stack, platform: TestPlatform) => Promise<void>;
  readonly program: string;
  /** What the user runs. Default: `pulumi preview`. */
  readonly command?: readonly string[];
  /** How many messages Pulumi prints. Default: 1. */
  readonly messages?: number;
  /** What the page adds, because the message is Pulumi's own and does not say it. */
  readonly remedy?: string;
  /** Runs the command otherwise than to its end. */
  readonly run?: (stack: Stack, platform: TestPlatform) => Promise<CliResult>;
}

const project = 'const project = new neon.Project("shop");\n';
const branch = `${project}const branch = new neon.Branch("pr", { projectId: project.id });\n`;

export const mistakes: readonly Mistake[] = [
  { title: "No API key", key: "missing", program: project },
  { title: "An API key that Neon rejects", key: "wrong", program: branch },
  {
    title: "An API key that was revoked",
    earlier: project,
    since: async (stack, platform) => {
      const fresh = (await platform.call("POST", "/api_keys", { key_name: "ours" })).body as unknown as { key: string };
      const keys = (await platform.call("GET", "/api_keys")).body as unknown as readonly { id: number; name: string }[];
      stack.configure({}, { "neon:apiKey": fresh.key });
      const { id } = keys.find(({ name }) => name === "ours") ?? assert.fail();
      await platform.call("DELETE", `/api_keys/${id}`);
    },
    program: branch,
  },
  { title: "An API key that is not a secret", key: "plain", program: project },
  {
    title: "A setting that does not exist",
    config: { "neon:apiHost": "https://neon.example/api/v2" },
    program: project,
  },
  { title: "A region that does not exist", program: 'new neon.Project("shop", { regionId: "eu-central-1" });\n' },
  {
    title: "A compute size that does not exist",
    program: `${project}new neon.Branch("pr", { projectId: project.id, compute: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 64 } });\n`,
  },
  { title: "A missing property", program: 'new neon.Branch("pr", {});\n' },
  {
    title: "A misspelled property",
    program: `${project}new neon.Branch("pr", { projectID: project.id });\n`,
  },
  {
    title: "The id in the state instead of the branch's id",
    earlier: branch,
    program: `${branch}new neon.Role("app", { projectId: project.id, branchId: branch.id });\n`,
  },
  {
    title: "A name that another resource has",
    program: `${branch}new neon.Branch("again", { projectId: project.id, name: "pr" }, { dependsOn: branch });\n`,
    command: ["up", "--yes", "--skip-preview"],
  },
  {
    title: "A branch that somebody deleted elsewhere",
    earlier: branch,
    since: async (stack, platform) => {
      const { projectId, branchId } = stack.resource("pr").outputs;
      await platform.call("DELETE", `/projects/${String(projectId)}/branches/${String(branchId)}`);
      await platform.settled(String(projectId));
    },
    program: `${project}new neon.Branch("pr", { projectId: project.id, name: "preview" });\n`,
    command: ["up", "--yes", "--skip-preview"],
  },
  {
    title: "A protected branch that is to be destroyed",
    earlier: `${project}const branch = new neon.Branch("production", { projectId: project.id, protected: true, compute: {} });
new neon.Role("app", { projectId: project.id, branchId: branch.branchId });\n`,
    program: `${project}const branch = new neon.Branch("production", { projectId: project.id, protected: true, compute: {} });
new neon.Role("app", { projectId: project.id, branchId: branch.branchId });\n`,
    command: ["destroy", "--yes"],
    remedy: "Declare `protected: false` and run `pulumi up` first. Nothing was deleted.",
  },
  {
    title: "A resource with another logical name",
    earlier: 'const project = new neon.Project("shop-eu", {}, { protect: true });\n',
    program: 'const project = new neon.Project("shop", {}, { protect: true });\n',
    remedy:
      'The program declared `new neon.Project("shop-eu", …)` before. For Pulumi, `shop` is another resource. Declare `aliases: [{ name: "shop-eu" }]` ([production.md](production.md#renaming-a-resource)).',
  },
  {
    title: "`pulumi import`",
    program: project,
    command: ["import", "pulumi-nodejs:dynamic/neon:Project", "shop", "calm-tree-12345678", "--yes"],
    messages: 2,
    remedy:
      'Dynamic providers cannot import. Declare `adopt: "calm-tree-12345678"` in the arguments of the resource, or use the [provider plugin](plugin.md#import-existing-objects).',
  },
  {
    title: "The resource option `import`",
    program: 'new neon.Project("shop", {}, { import: "calm-tree-12345678" });\n',
  },
  {
    title: "An output in a string",
    program: `${project}new neon.Branch("pr", { projectId: project.id, name: "pr-" + project.id });\n`,
  },
  {
    title: "Ctrl-C",
    messages: 0,
    remedy: "Press it once. Pulumi finishes what is in progress, and the next `pulumi up` continues.",
    program: branch,
    command: ["up", "--yes", "--skip-preview"],
    run: async (stack, platform) => {
      await platform.clearRequests();
      await platform.fault({ action: "create_branch", end: "stuck" });
      const run = stack.start(["up", "--yes", "--skip-preview"], true);
      await until(async () =>
        (await platform.requests()).some(({ method, path }) => method === "POST" && path.endsWith("/branches")),
      );
      process.kill(run.pid, "SIGINT");
      // Pulumi waits for what is in progress.
      await until(() => run.output().includes("cancel"));
      await platform.clearFaults();
      const { text, ...result } = await run.ended;
      return { ...result, text: /^\^C received[\s\S]*?inconsistencies\.$/m.exec(text)?.[0] ?? assert.fail(text) };
    },
  },
];
