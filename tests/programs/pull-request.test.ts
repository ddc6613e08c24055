import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { after, before, describe, it } from "mocha";

import { until } from "../support/until";
import { fill, holds } from "../support/workflow";
import { example, workflow, day, Team } from "./pull-request-team";

describe("examples/branch-per-pull-request", function () {
  this.timeout(900_000);
  const team = new Team();
  before(() => team.start());
  after(() => team.end());

  it("each push creates the branch, extends its life or adopts the one of a cancelled run, and closing the pull request deletes it", async () => {
    // The team also has an application that uses the database.
    const manifest = join(team.repository, "package.json");
    const printing = (what: string): string =>
      `node -p "'${what} ' + new URL(process.env.DATABASE_URL).hostname + process.env.DATABASE_URL"`;
    const own = JSON.parse(readFileSync(manifest, "utf8")) as object;
    const scripts = { migrate: printing("migrates"), test: printing("tests") };
    writeFileSync(manifest, JSON.stringify({ ...own, scripts }));

    const opened = team.clock.now();
    const first = await team.push(7);
    assert.match(first.log, /\+ 4 created/);
    const [created, ...others] = await team.branches();
    assert.equal(created?.name, "pr-7");
    assert.deepEqual(others, []);
    const begun = Date.parse(created.expires ?? "") - 7 * day;
    assert.ok(begun > opened - 2_000 && begun <= team.clock.now(), `its life began at ${begun}`);
    const host = /tests (127\.[\d.]+)\*\*\*/.exec(first.log)?.[1];
    assert.ok(host !== undefined, first.log);
    assert.ok(first.log.includes(`migrates ${host}[secret]`), first.log);
    assert.ok(team.comments()[0]?.body.includes(`branch \`pr-7\` at \`${host}\`, until ${created.expires}`));
    assert.match(team.comments()[0]?.body ?? "", /\+ 4 to create/);

    team.clock.advance(day);
    const second = await team.push(7);
    assert.match(second.log, /~ ttlTrigger: "[^"]+" => "[^"]+"/, "the preview shows it");
    assert.match(second.log, /~ 1 updated/);
    const shown = team.comments()[0]?.body.match(/^ +[~+-] +\w+ *: .*$/gm) ?? [];
    assert.ok(
      shown.length > 0 && shown.every((line) => /^ +~ (ttlTrigger|expiresAt) *: /.test(line)),
      shown.join("\n"),
    );
    const [extended] = await team.branches();
    assert.equal(extended?.id, created.id);
    const extension = Date.parse(extended.expires ?? "") - Date.parse(created.expires ?? "");
    assert.ok(extension >= day && extension < 1.1 * day, `extended by ${extension} ms`);
    assert.equal(team.comments().length, 1, "the comment is edited");
    assert.ok(team.comments()[0]?.body.includes(`until ${extended.expires}`));

    // A run creates the expired branch again, and is cancelled.
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
