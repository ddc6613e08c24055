import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { suiteStacks } from "../support/stack";

/** The most that the state of a branch with a compute may take, in bytes of JSON: docs/decisions/0039. */
const maxStateBytes = 2_600;

/** A path with `…` instead of each id. */
function shape(path: string): string {
  return path.replaceAll(/^\/api\/v2|\?.*$/g, "").replaceAll(/(projects|branches)\/[^/]+/g, "$1/…");
}

describe("programs: what is sent", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "1ms" });
  const newStack = suiteStacks();

  it("a refresh of eight branches with computes reads each list once, and their states are small", async () => {
    const stack = await newStack({
      platform: platform(),
      program: `
        const project = new neon.Project("busy", {});
        for (let index = 0; index < 8; index += 1) new neon.Branch("pr-" + index, { projectId: project.id, compute: {} });
      `,
    });
    await stack.up("--parallel", "16");
    const sent = await platform().requests();
    assert.equal(sent.filter(({ status }) => status === 423).length, 0);
    const written = JSON.stringify({ ...stack.resource("pr-7"), stackTrace: undefined, sourcePosition: undefined });
    assert.ok(written.length <= maxStateBytes, written);
    assert.match((await stack.refresh()).text, /Resources:\n +10 unchanged/);
    const reads = (await platform().requests())
      .slice(sent.length)
      .map(({ method, path }) => `${method} ${shape(path)}`);
    assert.deepEqual(reads.sort(), [
      "GET /projects/…",
      "GET /projects/…/branches",
      "GET /projects/…/branches/…",
      "GET /projects/…/branches/…/endpoints",
      "GET /projects/…/endpoints",
    ]);
  });
});
