import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { branchNames, suiteStacks } from "../support/stack";

/** A path with `…` instead of each id. */
function shape(path: string): string {
  return path.replaceAll(/^\/api\/v2|\?.*$/g, "").replaceAll(/(projects|branches)\/[^/]+/g, "$1/…");
}

describe("programs: what is sent", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "50ms" });
  const newStack = suiteStacks();

  it("eight branches at once never meet each other on the platform, each request is one line if asked for, and a refresh reads lists", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `pr-${index}`);
    const stack = await newStack({
      platform: platform(),
      config: { "neon:logLevel": "info" },
      program: `
        const project = new neon.Project("busy", {});
        for (const name of ${JSON.stringify(names)}) new neon.Branch(name, { projectId: project.id, compute: {} });
      `,
    });
    const { text } = await stack.up("--parallel", "16");
    assert.deepEqual(await branchNames(platform(), "busy"), ["main", ...names].sort());
    assert.match(text, /neon:Branch pr-\d creating .*waiting for create branch pr-\d/);
    const requests = (await platform().requests()).filter(({ requestId }) => text.includes(requestId));
    assert.equal(requests.filter(({ status }) => status === 423).length, 0);
    for (const { method, path, status, requestId } of requests) {
      const line = new RegExp(
        `neon: ${method} ${path.replace("/api/v2", "").replace(/[?.]/g, "\\$&")} ${status ?? 0} \\d+ ms ${requestId}$`,
        "m",
      );
      assert.match(text, line);
    }
    const mutations = requests.filter(({ method }) => method === "POST");
    assert.equal(mutations.length, 9);

    const before = (await platform().requests()).length;
    const refreshed = await stack.refresh();
    assert.match(refreshed.text, /Resources:\n +10 unchanged/);
    const reads = (await platform().requests()).slice(before).map(({ method, path }) => `${method} ${shape(path)}`);
    assert.deepEqual(reads.sort(), [
      "GET /projects/…",
      "GET /projects/…/branches",
      "GET /projects/…/branches/…",
      "GET /projects/…/branches/…/endpoints",
      "GET /projects/…/endpoints",
    ]);
  });
});
