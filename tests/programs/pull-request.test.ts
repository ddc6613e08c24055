import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";

import { after, before, describe, it } from "mocha";

import { installation } from "../package/installation";
import { filesIn } from "../support/files";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { ManualPlatformClock } from "../support/platform-clock";
import { cliEnvironment, cliFolder } from "../support/cli";
import { assertNoSecret, nodeOptions } from "../support/stack";
import { until } from "../support/until";
import { type Contexts, fill, holds, type JobResult, readWorkflow, WorkflowRun } from "../support/workflow";

const example = join("examples", "branch-per-pull-request");
const workflow = readWorkflow(join(example, ".github", "workflows", "preview.yml"));
const day = 86_400_000;

/** A team's repository: a copy of the example, and the machines that run its workflow. */
class Team {
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
  /** A key of the project only. */
  #apiKey = "";
  #platform: TestPlatform | undefined;
  projectId = "";

  get platform(): TestPlatform {
    assert.ok(this.#platform);
    return this.#platform;
  }

  async start(): Promise<void> {
    cpSync(example, this.repository, { recursive: true });
    // As the build compiled it: each process would load the compiler.
    cpSync(join("dist", example, "index.js"), join(this.repository, "index.js"));
    const project = join(this.repository, "Pulumi.yaml");
    writeFileSync(project, readFileSync(project, "utf8").replace("main: index.ts", "main: index.js"));
    const { folder } = await installation();
    cpSync(join(folder, "neon-pulumi.tgz"), join(this.repository, "neon-pulumi-0.1.0.tgz"));
    symlinkSync(join(folder, "node_modules"), join(this.repository, "node_modules"), "junction");
    mkdirSync(this.#backend);
    writeFileSync(this.#comments, "[]");
    mkdirSync(this.#programs);
    const date = execFileSync("bash", ["-c", "type -P date"], { encoding: "utf8" }).trim();
    // The platform's time instead of the machine's.
    this.#program("date", `#!/usr/bin/env bash\nexec ${date} "\${@/#--date=/--date=$NOW }"\n`);
    const comments = resolve("dist/tests/support/github-cli.js");
    this.#program("gh", `#!/usr/bin/env bash\nexec '${process.execPath}' '${comments}' "$@"\n`);
    this.#platform = await startTestPlatform({ clock: this.clock });
    const organization = await this.platform.firstOrganization();
    this.projectId = (await this.platform.project({ name: "shop", org_id: organization })).project.id;
    const asked = { key_name: "previews", project_id: this.projectId };
    const { body } = await this.platform.call("POST", `/organizations/${organization}/api_keys`, asked);
    this.#apiKey = (body as unknown as { readonly key: string }).key;
  }

  #program(name: string, script: string): void {
    writeFileSync(join(this.#programs, name), script, { mode: 0o755 });
  }

  /** What a workflow reads when something happens to a pull request. */
  event(number: number, action: string, pullRequest: object = {}): Contexts {
    return {
      github: {
        event: {
          action,
          number,
          pull_request: { head: { repo: { full_name: "team/shop" } }, user: { login: "ada" }, ...pullRequest },
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
        NODE_OPTIONS: nodeOptions(false),
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
      NOW: new Date(this.clock.now()).toISOString(),
    };
  }

  /** Runs a job, which has to succeed and to show no secret. */
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

describe("examples/branch-per-pull-request", function () {
  this.timeout(900_000);
  const team = new Team();
  before(() => team.start());
  after(() => team.end());

  it("a push creates the branch, each extends it or creates it again, one adopts that of a cancelled run, and closing deletes it", async () => {
    // The program of the team that uses the database.
    const manifest = join(team.repository, "package.json");
    const migrate = `node -p "'migrates ' + new URL(process.env.DATABASE_URL).hostname + process.env.DATABASE_URL"`;
    const own = JSON.parse(readFileSync(manifest, "utf8")) as object;
    writeFileSync(manifest, JSON.stringify({ ...own, scripts: { migrate } }));

    const opened = team.clock.now();
    const first = await team.push(7);
    assert.match(first.log, /\+ 3 created/);
    const [created, ...others] = await team.branches();
    assert.equal(created?.name, "pr-7");
    assert.deepEqual(others, []);
    const remaining = Date.parse(created.expires ?? "") - opened;
    assert.ok(Math.abs(remaining - 7 * day) < 2_000, `expires after ${remaining} ms`);
    const host = /migrates (\S+\.neon\.tech)\*\*\*/.exec(first.log)?.[1];
    assert.match(host ?? "", /-pooler\./, first.log);
    assert.ok(team.comments()[0]?.body.includes(`branch \`pr-7\` at \`${host}\`, until ${created.expires}`));
    assert.match(team.comments()[0]?.body ?? "", /\+ 3 to create/);

    team.clock.advance(day);
    const second = await team.push(7);
    assert.match(second.log, /~ expiresAt: "[^"]+" => "[^"]+"/, "the preview shows it");
    assert.match(second.log, /~ 1 updated/);
    const [extended] = await team.branches();
    assert.equal(extended?.id, created.id);
    const extension = Date.parse(extended.expires ?? "") - Date.parse(created.expires ?? "");
    assert.ok(extension >= day && extension < 1.1 * day, `extended by ${extension} ms`);
    assert.equal(team.comments().length, 1, "the comment is edited");
    assert.ok(team.comments()[0]?.body.includes(`until ${extended.expires}`));

    // An expired one is created again, by a run that is cancelled.
    team.clock.advance(8 * day);
    await until(async () => (await team.branches()).length === 0);
    await team.platform.fault({ action: "create_branch", end: "stuck" });
    const running = team.begin("deploy", team.event(7, "synchronize"));
    await until(() => running.log.includes("create_branch running"));
    const other = await team.begin("destroy", team.event(7, "closed")).result;
    assert.equal(other.conclusion, "failure");
    assert.match(other.log, /the stack is currently locked/);
    assert.equal((await team.branches()).length, 1);
    running.cancel();
    const { conclusion, log } = await running.result;
    assert.equal(conclusion, "cancelled");
    assert.match(log, /has been canceled/);
    const [again] = await team.branches();
    assert.equal(again?.name, "pr-7", log);
    assert.notEqual(again.id, created.id);

    await team.platform.clearFaults();
    await team.push(7);
    assert.deepEqual(
      (await team.branches()).map(({ id }) => id),
      [again.id],
    );
    await team.close(7);
    assert.deepEqual([await team.branches(), team.stacks()], [[], []]);
    await team.platform.clearRequests();
    await team.close(7);
    assert.deepEqual([await team.platform.requests(), team.stacks()], [[], []]);
  });

  for (const [title, pullRequest] of [
    ["a fork", { head: { repo: { full_name: "stranger/shop" } } }],
    ["a fork that was deleted", { head: { repo: null } }],
    ["Dependabot", { user: { login: "dependabot[bot]" } }],
  ] as const) {
    it(`no job runs for a pull request of ${title}`, async () => {
      for (const action of ["opened", "synchronize", "closed"]) {
        const contexts = team.event(9, action, pullRequest);
        for (const { if: condition } of Object.values(workflow.jobs)) assert.ok(!(await holds(condition, contexts)));
      }
    });
  }

  it("exactly one job runs for each event, and one at a time for each pull request", async () => {
    for (const action of ["opened", "reopened", "synchronize", "closed"]) {
      const contexts = team.event(9, action);
      for (const [name, { if: condition }] of Object.entries(workflow.jobs)) {
        assert.equal(await holds(condition, contexts), name === (action === "closed" ? "destroy" : "deploy"), action);
      }
    }
    const { group } = workflow.concurrency;
    const groups = [team.event(1, "opened"), team.event(1, "closed"), team.event(2, "opened")];
    assert.deepEqual(await Promise.all(groups.map((event) => fill(group, event))), [
      "preview-1",
      "preview-1",
      "preview-2",
    ]);
    assert.equal(workflow.concurrency["cancel-in-progress"], false);
  });

  it("secrets reach only the steps that need them, scripts take no expression, and actions are pinned", () => {
    const text = readFileSync(join(example, ".github", "workflows", "preview.yml"), "utf8");
    for (const [, action] of text.matchAll(/uses: (.*)/g))
      assert.match(action ?? "", /^\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    assert.deepEqual(workflow.permissions, {});
    assert.ok(!JSON.stringify(workflow.env).includes("secrets."));
    for (const job of Object.values(workflow.jobs)) {
      assert.ok(!JSON.stringify(job.env ?? {}).includes("secrets."));
      for (const { run = "", env = {} } of job.steps) {
        assert.ok(!run.includes("${{"), run);
        if (JSON.stringify(env).includes("secrets.")) assert.match(run, /^pulumi /);
      }
    }
  });

  it("`npm ci` takes its lockfile, which names what the package of this repository needs", async () => {
    await promisify(execFile)("npm", ["ci", "--dry-run"], { cwd: team.repository, env: team.environment() });
    const { version, dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, unknown>;
    const { packages } = JSON.parse(readFileSync(join(example, "package-lock.json"), "utf8")) as {
      packages: Record<string, Record<string, unknown>>;
    };
    const locked = packages["node_modules/neon-pulumi"] ?? {};
    assert.deepEqual(
      { version: locked["version"], dependencies: locked["dependencies"] },
      { version, dependencies },
      "the lockfile is not current: copy the example, run `npm install ./neon-pulumi-0.1.0.tgz` as its README says, take the lockfile over, and remove the tarball's `integrity` and `workspaces`",
    );
    // A package that is not published yet has no hash that a file in this repository could name.
    const unpinned = Object.keys(packages).filter((path) => path !== "" && packages[path]?.["integrity"] === undefined);
    assert.deepEqual(unpinned, ["node_modules/neon-pulumi"]);
  });
});
