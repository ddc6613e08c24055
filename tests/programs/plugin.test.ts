import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { type KindName, kinds } from "../../provider/kinds";
import { withPlugin } from "../support/plugin";
import type { Values } from "../support/provider-server";
import { samples } from "../support/samples";
import { suiteStage } from "../support/stage";
import { type Stack, suiteStacks } from "../support/stack";
import { until } from "../support/until";

const everyKind = Object.keys(samples) as KindName[];

/** Those of the inputs without which the kind has none, the name, and the organization, which a setting could name instead. */
function minimal(kind: KindName, inputs: Values): Values {
  const isNeeded = (name: string): boolean => {
    const { [name]: _, ...others } = inputs;
    return ["orgId", kinds[kind].defaultName].includes(name) || !kinds[kind].inputs.safeParse(others).success;
  };
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => isNeeded(name)));
}

describe("programs on Node, through the plugin", function () {
  this.timeout(900_000);
  const stage = suiteStage({ door: "plugin" });
  const newStack = suiteStacks();

  /** A stack whose `Pulumi.yaml` locates the plugin. */
  const stackOf = (program: string): Promise<Stack> =>
    newStack({ platform: stage().platform, program, project: withPlugin });

  it("manage an object of every kind that `pulumi import` imports, without a change", async () => {
    const resources = await Promise.all(
      everyKind.map(async (kind) => {
        const resource = stage().resource(kind);
        await resource.up(await samples[kind].declare(stage()));
        return { type: `neon:index:${kind}`, name: kind, id: resource.id };
      }),
    );
    const stack = await stackOf("");
    const file = join(stack.folder, "import.json");
    writeFileSync(file, JSON.stringify({ resources }));
    await stage().platform.clearRequests();
    await stack.command("import", "--file", file, "--generate-code=false", "--protect=false", "--yes");
    const declaring = everyKind.map(
      (kind) => `new neon.${kind}("${kind}", ${JSON.stringify(minimal(kind, stack.resource(kind).inputs))});`,
    );
    stack.write(declaring.join("\n"));
    await stack.command("preview", "--expect-no-changes");
    await stack.up("--expect-no-changes");
    assert.deepEqual(await stage().sent(), []);
    await stack.refresh("--expect-no-changes");
    assert.deepEqual(await stage().sent(), []);
  });

  it("import with the option, and name the resource that has the object already", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    await branch.up({ projectId, compute: {}, expiresAt });
    const name = String(branch.outputs["name"]);
    const program = (more = ""): string =>
      `new neon.Branch("pr", { projectId: "${projectId}", name: "${name}" }, { import: "${branch.id}" });${more}`;
    const stack = await stackOf(program());
    const sent = await stage().sentBy("", async () => {
      const { text } = await stack.up();
      assert.match(text, /= 1 imported/);
      await stack.up("--expect-no-changes");
      stack.write(program(program().replace('"pr"', '"again"')));
      const { text: refused } = await stack.failing("up");
      assert.match(refused, /is already managed by Branch "(pr|again)"/);
    });
    assert.deepEqual(sent, []);
    const { branch: found } = (await stage().platform.call("GET", `/projects/${branch.id.replace("/", "/branches/")}`))
      .body;
    assert.ok(found.expires_at, "the branch still expires");
  });

  it("end at the first Ctrl-C, while an operation goes on, and the next run finishes the creation", async () => {
    const { id: projectId } = await stage().project();
    const name = stage().name("pr");
    const stack = await stackOf(`new neon.Branch("${name}", { projectId: "${projectId}", compute: {} });`);
    await stage().platform.fault({ action: "start_compute", end: "stuck" });
    const { pid, ended } = stack.start(["up", "--yes", "--skip-preview"]);
    await until(async () => (await stage().sent(projectId)).some(({ status }) => status === 201));
    // The operation never ends by itself: nothing but the signal ends this run.
    process.kill(pid, "SIGINT");
    const { code, text } = await ended;
    assert.notEqual(code, 0);
    assert.match(text, /The run was cancelled\. The next `pulumi up` resumes from here\./);
    assert.deepEqual(readdirSync(stack.journal), []);
    await stage().platform.clearFaults();
    const sent = await stage().sentBy(projectId, () => stack.up());
    assert.deepEqual(sent, []);
    assert.ok(stack.resource(name).outputs["connectionUri"]);
    await stack.destroy();
    assert.deepEqual(readdirSync(stack.journal), []);
  });

  it("preview an update of a project without a change of what uses its outputs", async () => {
    const program = (name: string): string => `
      const project = new neon.Project("shop", { name: "${name}" });
      new neon.Branch("pr", { projectId: project.id, parentId: project.defaultBranchId, compute: {} });
      new neon.Role("app", { projectId: project.id, branchId: project.defaultBranchId });
    `;
    const stack = await stackOf(program(stage().name("shop")));
    await stack.up();
    stack.write(program(stage().name("shop")));
    const { text } = await stack.command("preview");
    assert.match(text, /~ 1 to update\n +3 unchanged/);
    await stack.destroy();
  });

  it("replace a resource under a new name with an alias, and leave nothing", async () => {
    const { id: projectId } = await stage().project();
    const program = (name: string, from: string, alias = ""): string => `
      const base = new neon.Branch("base", { projectId: "${projectId}", name: "${stage().name("base")}" });
      new neon.Branch("${name}", { projectId: "${projectId}", name: "moving", ${from} }, { ${alias} });
    `;
    const stack = await stackOf(program("one", ""));
    await stack.up();
    stack.write(program("two", "parentId: base.branchId", 'aliases: [{ name: "one" }]'));
    const { text } = await stack.up();
    assert.match(text, /\+-1 replaced/);
    const names = (await stage().branches(projectId)).map(({ name }) => name).sort();
    assert.equal(names.filter((name) => name === "moving").length, 1);
    await stack.destroy();
    assert.equal((await stage().branches(projectId)).length, 1);
  });

  it("move from dynamic providers to the plugin and back without a change", async () => {
    const program = `
      const project = new neon.Project("moved", { name: "${stage().name("moved")}" });
      const pr = new neon.Branch("pr", { projectId: project.id, parentId: project.defaultBranchId, compute: {} });
      const app = new neon.Role("app", { projectId: project.id, branchId: pr.branchId });
      new neon.Database("orders", { projectId: project.id, branchId: pr.branchId, ownerName: app.name });
      new neon.BranchEnvironment("env", { projectId: project.id }, { provider: new neon.Provider("other", {}) });
    `;
    const stack = await newStack({ platform: stage().platform, program });
    await stack.up();
    const sent = await stage().sentBy("", async () => {
      stack.project = withPlugin;
      stack.write(program);
      for (const command of ["preview", "up", "refresh", "up"] as const) {
        const { text } = await stack.command(command, ...(command === "preview" ? [] : ["--yes", "--skip-preview"]));
        assert.doesNotMatch(text, /neon:\w+ .* (replaced?|updated?|created?|deleted?)\b(?!.*providers)/, command);
      }
      stack.project = {};
      stack.write(program);
      const { text } = await stack.command("preview");
      assert.doesNotMatch(text, /neon:\w+ .* (replace|update|create|delete)\b/);
      await stack.up();
    });
    assert.deepEqual(sent, []);
    await stack.destroy();
  });
});
