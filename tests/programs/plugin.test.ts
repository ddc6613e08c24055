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

  it("end at the first Ctrl-C while an operation is in progress, and the next run finishes the creation", async () => {
    const { id: projectId } = await stage().project();
    const name = stage().name("pr");
    const stack = await stackOf(`new neon.Branch("${name}", { projectId: "${projectId}", compute: {} });`);
    await stage().platform.fault({ action: "start_compute", end: "stuck" });
    const { pid, ended } = stack.start(["up", "--yes", "--skip-preview"]);
    await until(async () => (await stage().sent(projectId)).some(({ status }) => status === 201));
    // The operation is stuck, so only the signal can end this run.
    process.kill(pid, "SIGINT");
    const { code, text } = await ended;
    assert.notEqual(code, 0);
    assert.match(text, /The run was cancelled\. The next `pulumi up` resumes from here\./);
    await stage().platform.clearFaults();
    const sent = await stage().sentBy(projectId, () => stack.up());
    assert.deepEqual(sent, []);
    assert.ok(stack.resource(name).outputs["connectionUri"]);
  });

  it("preview a lookup by a name that the same run changes, and fail for one that no object has", async () => {
    const { id: projectId, branchId } = await stage().project();
    const program = (name: string, looked = "orders.name"): string => `
      const at = { projectId: "${projectId}", branchId: "${branchId}" };
      const orders = new neon.Database("orders", { ...at, name: "${name}", ownerName: "neondb_owner" });
      exports.host = neon.getConnectionUriOutput({ ...at, roleName: "neondb_owner", databaseName: ${looked} }).host;
    `;
    const stack = await stackOf(program("orders"));
    await stack.up();
    stack.write(program("renamed"));
    await stack.command("preview");
    await stack.up();
    assert.match((await stack.command("preview")).text, /2 unchanged/);
    stack.write(program("renamed", "orders.name.apply((name) => name + 1)"));
    assert.match((await stack.failing("preview")).text, /There is no database "renamed1"/);
  });
});
