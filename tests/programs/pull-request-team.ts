import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

import { installation } from "../package/installation";
import { filesIn } from "../support/files";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { ManualPlatformClock } from "../support/platform-clock";
import { cliEnvironment, cliFolder } from "../support/cli";
import { testPostgres } from "../support/postgres-files";
import { assertNoSecret, nodeOptions } from "../support/stack";
import { type Contexts, type JobResult, readWorkflow, WorkflowRun } from "../support/workflow";

export const example = join("examples", "branch-per-pull-request");
export const workflow = readWorkflow(join(example, ".github", "workflows", "preview.yml"));
export const day = 86_400_000;

/** A team's repository: a copy of the example, and the machines that run its workflow. */
export class Team {
  readonly clock = new ManualPlatformClock(Date.now());
  readonly #folder = mkdtempSync(join(tmpdir(), "neon-pulumi-team-"));
  readonly repository = join(this.#folder, "repository");
  readonly #backend = join(this.#folder, "backend");
  readonly #comments = join(this.#folder, "comments.json");
  readonly #programs = join(this.#folder, "programs");
  readonly #ticking = setInterval(() => {
    this.clock.advance(20);
  }, 20);
  readonly #runs: WorkflowRun[] = [];
  #machines = 0;
  #commits = 0;
  /** The project-scoped API key. */
  #apiKey = "";
  #platform: TestPlatform | undefined;
  projectId = "";

  get platform(): TestPlatform {
    assert.ok(this.#platform);
    return this.#platform;
  }

  async start(): Promise<void> {
    cpSync(example, this.repository, { recursive: true });
    // Use the compiled program. Otherwise each process would load the compiler.
    cpSync(join("dist", example, "index.js"), join(this.repository, "index.js"));
    const project = join(this.repository, "Pulumi.yaml");
    writeFileSync(project, readFileSync(project, "utf8").replace("main: index.ts", "main: index.js"));
    const { folder } = await installation();
    cpSync(join(folder, "neon-pulumi.tgz"), join(this.repository, "neon-pulumi-0.1.0.tgz"));
    symlinkSync(join(folder, "node_modules"), join(this.repository, "node_modules"), "junction");
    mkdirSync(this.#backend);
    writeFileSync(this.#comments, "[]");
    mkdirSync(this.#programs);
    const comments = resolve("dist/tests/support/github-cli.js");
    this.#program("gh", `#!/usr/bin/env bash\nexec '${process.execPath}' '${comments}' "$@"\n`);
    this.#platform = await startTestPlatform({ clock: this.clock, postgres: testPostgres() });
    const organization = await this.platform.firstOrganization();
    this.projectId = (await this.platform.project({ name: "shop", org_id: organization })).project.id;
    const asked = { key_name: "previews", project_id: this.projectId };
    const { body } = await this.platform.call("POST", `/organizations/${organization}/api_keys`, asked);
    this.#apiKey = (body as unknown as { readonly key: string }).key;
  }

  #program(name: string, script: string): void {
    writeFileSync(join(this.#programs, name), script, { mode: 0o755 });
  }

  /** The contexts of a workflow for an event of a pull request. */
  event(number: number, action: string, pullRequest: object = {}): Contexts {
    return {
      github: {
        event: {
          action,
          number,
          pull_request: {
            head: { repo: { full_name: "team/shop" }, sha: `commit-${++this.#commits}` },
            user: { login: "ada" },
            ...pullRequest,
          },
        },
        repository: "team/shop",
        token: "ghs_token",
      },
      vars: { PULUMI_BACKEND_URL: `file://${this.#backend}`, NEON_PROJECT_ID: this.projectId },
      secrets: { NEON_API_KEY: this.#apiKey, PULUMI_CONFIG_PASSPHRASE: "the team's passphrase" },
    };
  }

  /** Starts a job on a machine of its own, with a checkout of its own. */
  begin(job: string, contexts: Contexts): WorkflowRun {
    const machine = join(this.#folder, `machine-${++this.#machines}`);
    const folder = join(machine, "checkout");
    cpSync(this.repository, folder, { recursive: true });
    mkdirSync(join(machine, "home"));
    const run = new WorkflowRun(workflow, job, {
      contexts,
      folder,
      environment: {
        ...this.environment(),
        PULUMI_HOME: join(machine, "home"),
        NODE_OPTIONS: nodeOptions,
      },
      skip: ["npm ci"],
    });
    this.#runs.push(run);
    return run;
  }

  environment(): NodeJS.ProcessEnv {
    const environment = cliEnvironment(cliFolder());
    return {
      ...environment,
      PATH: [this.#programs, environment["PATH"]].join(delimiter),
      NEON_API_HOST: this.platform.apiUrl,
      GITHUB_REPOSITORY: "team/shop",
      COMMENTS: this.#comments,
    };
  }

  /** Runs a job, which must succeed and show no secret. */
  async run(job: string, contexts: Contexts): Promise<JobResult> {
    const result = await this.begin(job, contexts).result;
    assert.equal(result.conclusion, "success", result.log);
    assertNoSecret(result.log, "the log");
    return result;
  }

  async push(number: number): Promise<JobResult> {
    return await this.run("deploy", this.event(number, "synchronize"));
  }

  async close(number: number): Promise<JobResult> {
    return await this.run("destroy", this.event(number, "closed"));
  }

  async branches(): Promise<{ readonly id: string; readonly name: string; readonly expires: string | undefined }[]> {
    const { body } = await this.platform.call("GET", `/projects/${this.projectId}/branches`);
    return body.branches
      .filter((one) => !one.default)
      .map(({ id, name, expires_at: expires }) => ({ id, name, expires }));
  }

  comments(): readonly { readonly body: string }[] {
    return JSON.parse(readFileSync(this.#comments, "utf8")) as { body: string }[];
  }

  /** The files of the stacks, without backups and history. */
  stacks(): string[] {
    const folder = join(this.#backend, ".pulumi", "stacks");
    return existsSync(folder) ? filesIn(folder).filter((file) => file.endsWith(".json")) : [];
  }

  async end(): Promise<void> {
    for (const run of this.#runs) run.cancel();
    clearInterval(this.#ticking);
    await this.#platform?.close();
    try {
      for (const file of filesIn(this.#backend)) assertNoSecret(readFileSync(file, "latin1"), file);
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }
}
