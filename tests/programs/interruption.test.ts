import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";

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

  it("is gone on with: what it has made is found again, once", async () => {
    const stack = await newStack({
      platform: platform(),
      program: `
        const project = new neon.Project("lost", {});
        new neon.Branch("pr", { projectId: project.id, compute: {} });
      `,
    });
    await killedWhile(stack, platform(), /\/projects$/, "create_timeline");
    await stack.cancel();
    assert.equal(stack.resources().has("lost"), false);
    const { lost } = await inventory(platform());
    assert.ok(lost);
    assert.equal(readdirSync(stack.journal).length, 1);

    await killedWhile(stack, platform(), /\/branches$/, "create_branch");
    await stack.cancel();
    assert.equal(stack.resource("lost").id, lost.id, "the project was taken over");
    assert.equal(stack.resources().has("pr"), false);

    const { text } = await stack.up();
    assert.match(
      text,
      /warning: An earlier run, which was interrupted, has made the branch [\w/-]+: it is taken over\./,
    );
    const { lost: found, ...others } = await inventory(platform());
    assert.deepEqual(others, {});
    assert.deepEqual(await branchNames(platform(), "lost"), ["main", "pr"]);
    assert.equal(found?.id, lost.id);
    const pr = stack.resource("pr");
    assert.deepEqual(found.branches["pr"], [pr.outputs["endpointId"]]);
    for (const name of ["lost", "pr"]) assert.ok(stack.resource(name).outputs["connectionUri"], `${name} can be used`);

    await stack.expectNoChanges(platform());
    assert.deepEqual(readdirSync(stack.journal), [], "and nobody looks for it any more");
    await stack.destroy();
    assert.deepEqual(await inventory(platform()), {});
  });

  it("and where nothing is noted of it, it is left alone until it is named", async () => {
    const { project } = await platform().project({ name: "home" });
    const program = (adopt: { project?: string; branch?: string } = {}): string => `
      new neon.Branch("pr", { projectId: "${project.id}", compute: {}, ${adopt.branch ?? ""} });
      new neon.Project("unnoted", { ${adopt.project ?? ""} });
    `;
    const stack = await newStack({ platform: platform(), program: program() });
    await killedWhile(stack, platform(), /\/projects$/, "create_timeline");
    for (const { id } of Object.values(await inventory(platform()))) await platform().settled(id);
    rmSync(stack.journal, { recursive: true, force: true });
    await stack.cancel();
    const before = await inventory(platform());
    assert.ok(before["unnoted"]);

    const { text } = await stack.failing("up", "--continue-on-error");
    const lines = [
      ...text.matchAll(
        /^ +error: The (\w+) \S+ was made for this very resource, but by a run of which nothing is known here .* To take it over, declare (adopt: "[\w-]+"); to leave it alone, give the resource another logical name\..*$/gm,
      ),
    ].map(([, noun = "", line = ""]) => [noun, line]);
    const advice = Object.fromEntries(lines) as { project?: string; branch?: string };
    assert.equal(advice.project, `adopt: "${before["unnoted"].id}"`, text);
    assert.deepEqual(await inventory(platform()), before, "nothing was made, and nothing taken");

    stack.write(program(advice));
    await stack.up();
    assert.equal(stack.resource("unnoted").id, before["unnoted"].id);
    stack.write(program());
    await stack.expectNoChanges(platform());
  });
});
