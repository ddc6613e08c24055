import assert from "node:assert/strict";
import { readdirSync } from "node:fs";

import { describe, it } from "mocha";

import { entriesIn } from "../support/journal";
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

  it("is gone on with: what it has made is found again, once", async () => {
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
    // The kill may have left half of the entry's next version.
    assert.equal(entriesIn(stack.journal).length, 1);

    await killedWhile(stack, platform(), /\/branches$/, "create_branch");
    stack.unlock();
    assert.equal(stack.resource("lost").id, lost.id, "the project was taken over");
    assert.equal(stack.resources().has("pr"), false);

    const { text } = await stack.up();
    assert.match(text, /warning: An interrupted run created the branch [\w/-]+\. It was recovered\./);
    const { lost: found, ...others } = await inventory(platform());
    assert.deepEqual(others, {});
    assert.deepEqual(await branchNames(platform(), "lost"), ["main", "pr"]);
    assert.equal(found?.id, lost.id);
    const pr = stack.resource("pr");
    assert.deepEqual(found.branches["pr"], [pr.outputs["endpointId"]]);
    for (const name of ["lost", "pr"]) assert.ok(stack.resource(name).outputs["connectionUri"], `${name} can be used`);
    assert.deepEqual(readdirSync(stack.journal), [], "and nobody looks for it any more");
  });
});
