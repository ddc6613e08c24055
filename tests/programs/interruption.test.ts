import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform, type TestPlatform } from "../support/platform";
import { branchNames, inventory, type Stack, suiteStacks } from "../support/stack";
import { until } from "../support/until";

/**
 * Kills a run as soon as the platform has been told to make something. Until then the operation that makes it does not
 * end, so that the run cannot get any further.
 */
async function killedWhile(stack: Stack, platform: TestPlatform, isMade: RegExp, action: string): Promise<void> {
  await platform.clearRequests();
  await platform.fault({ action, end: "stuck" });
  const { pid, ended } = stack.start(["up", "--yes", "--skip-preview"]);
  await until(async () =>
    (await platform.requests()).some(
      ({ method, path, status }) => method === "POST" && isMade.test(path) && status === 201,
    ),
  );
  stack.kill(pid);
  await ended;
  await platform.clearFaults();
}

describe("programs: a run that was killed while it made something", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "1s" });
  const newStack = suiteStacks();

  it("§6.8 is named by the next one, and with consent it is adopted and finished", async () => {
    const stack = await newStack({
      platform: platform(),
      program: `
        const project = new neon.Project("lost", {});
        new neon.Branch("pr", { projectId: project.id, compute: {} });
      `,
    });
    await killedWhile(stack, platform(), /\/projects$/, "create_timeline");
    stack.unlock();
    assert.equal(stack.resources().has("lost"), false);
    const { lost } = await inventory(platform());
    assert.ok(lost);
    const preview = await stack.command("preview");
    assert.match(preview.text, new RegExp(`warning: There is a project of the same name: ${lost.id}, created at `));

    stack.configure({ "neon:adopt": "true" });
    await killedWhile(stack, platform(), /\/branches$/, "create_branch");
    stack.unlock();
    assert.equal(stack.resource("lost").id, lost.id, "the project was taken over");
    assert.equal(stack.resources().has("pr"), false);

    stack.configure({ "neon:adopt": "false" });
    const { text } = await stack.failing("up");
    assert.match(text, /A branch with this name already exists: [\w/-]+, created at .* `NEON_ADOPT=true pulumi up`/);

    stack.configure({ "neon:adopt": "true" });
    await stack.up();
    const { lost: found, ...others } = await inventory(platform());
    assert.deepEqual(others, {});
    assert.deepEqual(await branchNames(platform(), "lost"), ["main", "pr"]);
    assert.equal(found?.id, lost.id);
    const pr = stack.resource("pr");
    assert.deepEqual(found.branches["pr"], [pr.outputs["endpointId"]]);
    for (const name of ["lost", "pr"]) assert.ok(stack.resource(name).outputs["connectionUri"], `${name} can be used`);
    const again = await stack.command("preview");
    assert.match(again.text, /3 unchanged/);
  });
});
