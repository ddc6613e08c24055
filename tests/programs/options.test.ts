import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { describe, it } from "mocha";

import { tool } from "../support/tool";
import { suitePlatform } from "../support/platform";
import { branchNames, cliEnvironment, cliFolder, inventory, suiteStacks } from "../support/stack";

describe("programs: Pulumi's own options", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();
  const branchesOf = async (project: string): Promise<string[]> => await branchNames(platform(), project);

  it("targets, aliases, parents, protection and retention do what they do elsewhere", async () => {
    const stack = await newStack({
      platform: platform(),
      program: `
        const project = new neon.Project("options", {});
        new neon.Branch("one", { projectId: project.id, compute: {} });
        new neon.Branch("two", { projectId: project.id });
        new neon.Branch("kept", { projectId: project.id, protected: true }, { retainOnDelete: true });
        new neon.Branch("guarded", { projectId: project.id }, { protect: true });
      `,
    });
    const target = (kind: string, name: string) => ["--target", stack.urn(`pulumi-nodejs:dynamic/neon:${kind}`, name)];
    await stack.up(...target("Branch", "one"), ...target("Project", "options"));
    assert.deepEqual(await branchesOf("options"), ["main", "one"]);
    await stack.up();
    assert.deepEqual(await branchesOf("options"), ["guarded", "kept", "main", "one", "two"]);
    await stack.destroy(...target("Branch", "two"));
    assert.deepEqual(await branchesOf("options"), ["guarded", "kept", "main", "one"]);

    // Renamed with an alias, and put under a component: neither is a change, and names given by us stay.
    const { id } = stack.resource("one");
    stack.write(`
      class Preview extends pulumi.ComponentResource {
        constructor(name, args, opts) {
          super("app:index:Preview", name, {}, opts);
          this.branch = new neon.Branch("uno", args, {
            parent: this,
            aliases: [{ name: "one", parent: pulumi.rootStackResource }],
          });
          this.registerOutputs({ host: this.branch.host });
        }
      }
      const project = new neon.Project("options", {});
      exports.host = new Preview("preview", { projectId: project.id, compute: {} }).branch.host;
      new neon.Branch("guarded", { projectId: project.id }, { protect: true });
    `);
    assert.match(
      (await stack.up()).text,
      /\+ 1 created\n +- 1 deleted\n +2 changes\. 4 unchanged/,
      "only the component is new",
    );
    assert.equal(stack.resource("uno").id, id);
    assert.deepEqual(await branchesOf("options"), ["guarded", "kept", "main", "one"], "retained");
    assert.match((await stack.up("--refresh")).text, /Resources:\n +5 unchanged/);

    assert.match((await stack.failing("destroy")).text, /guarded.*\n?.*protect/);
    assert.ok((await branchesOf("options")).includes("guarded"));
  });

  it("customTimeouts bound the wait", async () => {
    const { project } = await platform().project({ name: "slow" });
    const program = (timeouts: string): string => `
      new neon.Branch("pr", { projectId: "${project.id}", compute: {} }, { customTimeouts: { ${timeouts} } });
    `;
    const stack = await newStack({ platform: platform(), program: program('create: "1s"') });
    await platform().fault({ action: "create_branch", end: "stuck" });
    const { text } = await stack.failing("up");
    // As docs/messages.md shows it, apart from its numbers and from the operation that waits for the stuck one.
    const { topics } = await tool<{ topics: readonly { printed?: string }[] }>("messages/topics.mjs");
    const printed = topics.find((topic) => topic.printed?.startsWith("Timed out"))?.printed ?? "";
    const numbers = /[\d.]+(?= s:)|(?<=operation )[\w-]+(?= \()|\w+(?=\) is running)/g;
    const shown = /Timed out.*/.exec(text)?.[0].replace(/; operation \S+ \(start_compute\) is scheduling/, "");
    assert.equal(shown?.replaceAll(numbers, "…"), printed.replaceAll(numbers, "…"));
    await platform().clearFaults();
    await stack.up();
    assert.deepEqual(await branchesOf("slow"), ["main", "pr"]);
  });

  it("the Automation API runs inline programs", async () => {
    const stack = await newStack({ platform: platform(), program: "" });
    const folder = join(stack.folder, "inline");
    mkdirSync(folder);
    const script = join(folder, "inline.cjs");
    writeFileSync(
      script,
      `
        const { LocalWorkspace } = require("@pulumi/pulumi/automation");
        const neon = require("neon-pulumi");
        const program = async () => {
          const project = new neon.Project("inline", {});
          const branch = new neon.Branch("pr", { projectId: project.id, compute: {} });
          return { host: branch.host, uri: branch.connectionUri };
        };
        (async () => {
          const stack = await LocalWorkspace.createOrSelectStack({ projectName: "inline", stackName: "dev", program });
          await stack.setAllConfig({
            "neon:apiUrl": { value: process.env.API_URL },
            "neon:apiKey": { value: process.env.API_KEY, secret: true },
          });
          const { summary, outputs } = await stack.up();
          const again = await stack.preview({ expectNoChanges: true });
          await stack.destroy();
          console.log(JSON.stringify({ result: summary.result, host: outputs.host, secret: outputs.uri.secret, again: again.changeSummary }));
        })();
      `,
    );
    const { apiUrl, apiKey } = platform();
    const env = {
      ...cliEnvironment(cliFolder()),
      PULUMI_BACKEND_URL: `file://${stack.kept}/backend`,
      PULUMI_HOME: join(stack.kept, "home"),
      PULUMI_CONFIG_PASSPHRASE: "only for tests",
      API_URL: apiUrl,
      API_KEY: apiKey,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: folder, env });
    const said = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
    assert.deepEqual(
      { ...said, host: undefined },
      { result: "succeeded", host: undefined, secret: true, again: { same: 3 } },
    );
    assert.equal("inline" in (await inventory(platform())), false);
  });
});
