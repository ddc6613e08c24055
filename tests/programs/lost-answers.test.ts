import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { branchNames, inventory, suiteStacks } from "../support/stack";

describe("programs: answers that are lost, and operations that end badly later", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "50ms" });
  const newStack = suiteStacks();

  it("a change whose answer is lost is made once, and its result is found", async () => {
    const program = (size: number, name: string): string => `
      const project = new neon.Project("once", { historyRetentionSeconds: ${3600 * size} });
      new neon.Branch("pr", { projectId: project.id, name: "${name}", compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: ${size} } });
    `;
    const stack = await newStack({ platform: platform(), program: program(1, "pr") });
    const lose = async (method: string, path: string): Promise<void> =>
      platform().fault({ method, path, reset: "after" });

    await lose("POST", "/projects$");
    await lose("POST", "/branches$");
    await stack.up();
    const made = await inventory(platform());
    assert.deepEqual(Object.keys(made), ["once"]);
    assert.deepEqual(await branchNames(platform(), "once"), ["main", "pr"]);
    assert.match(String(stack.resource("pr").outputs["host"]), /^ep-/);

    await lose("PATCH", "/projects/[\\w-]+$");
    await lose("PATCH", "/branches/");
    await lose("PATCH", "/endpoints/");
    stack.write(program(2, "renamed"));
    await stack.up();
    const { project } = (await platform().call("GET", `/projects/${made["once"]?.id ?? ""}`)).body;
    assert.equal(project.history_retention_seconds, 7200);
    assert.deepEqual(await branchNames(platform(), "once"), ["main", "renamed"]);
    const sent = (await platform().requests()).filter(({ method }) => method !== "GET");
    assert.deepEqual(sent.map(({ method }) => method).sort(), ["PATCH", "PATCH", "PATCH", "POST", "POST"], "each once");

    await lose("DELETE", "/branches/");
    await lose("DELETE", "/projects/[\\w-]+$");
    await stack.destroy();
    assert.deepEqual(await inventory(platform()), {});
  });

  it("a compute that did not start is started by the next `up`", async () => {
    const { project } = await platform().project({ name: "home" });
    const stack = await newStack({
      platform: platform(),
      program: `
        new neon.Branch("pr", { projectId: "${project.id}", compute: {} });
        new neon.Project("whole", {});
      `,
    });
    await platform().fault({ action: "start_compute", end: "error", times: 2 });
    const { text } = await stack.failing("up", "--continue-on-error");
    const reasons = text.match(
      /\* Operation [\w-]+ \(start_compute\) ended with status error .*The next `pulumi up` resumes from here\./g,
    );
    assert.equal(reasons?.length, 2, text);
    const ids = [stack.resource("pr").id, stack.resource("whole").id];
    await stack.up();
    assert.deepEqual([stack.resource("pr").id, stack.resource("whole").id], ids);
    for (const id of [project.id, ids[1] ?? ""]) {
      const { endpoints } = (await platform().call("GET", `/projects/${id}/endpoints`)).body;
      assert.deepEqual([...new Set(endpoints.map(({ current_state: state }) => state))], ["active"]);
    }
  });
});
