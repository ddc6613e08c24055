import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { withPlugin } from "../support/plugin";
import { suiteStage } from "../support/stage";
import { type Stack, suiteStacks } from "../support/stack";
import { until } from "../support/until";

describe("programs on Node, through the plugin", function () {
  this.timeout(900_000);
  const stage = suiteStage({ isServed: false });
  const newStack = suiteStacks();

  /** A stack whose `Pulumi.yaml` locates the plugin. */
  const stackOf = (program: string): Promise<Stack> =>
    newStack({ platform: stage().platform, program, project: withPlugin });

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
    await stage().platform.clearFaults();
    const sent = await stage().sentBy(projectId, () => stack.up());
    assert.deepEqual(sent, []);
    assert.ok(stack.resource(name).outputs["connectionUri"]);
    await stack.destroy();
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
});
