import assert from "node:assert/strict";

import { describe } from "mocha";

import { failsWith } from "../support/expected-errors";
import { samples } from "../support/samples";
import { onStages } from "../support/stage";

/** The answer to a request whose route the platform does not know. */
const noRoute = { status: 404, times: 1000, body: { code: "", message: "this route does not exist" } };

/** Which routes the platform does not know any more. */
const unknown: Readonly<Record<string, RegExp>> = {
  "any route": /./,
  "any route but those of projects, branches and the account":
    /^(?!\/api\/v2\/(projects|projects\/[^/?]+|projects\/[^/]+\/branches|projects\/[^/]+\/branches\/[^/?]+|users\/.*)(\?.*)?$)/,
};

describe("an object whose route the platform does not know", () => {
  const test = onStages(3);

  for (const { kind, declare, exists } of Object.values(samples)) {
    for (const [what, path] of Object.entries(unknown)) {
      if ((kind === "Project" || kind === "Branch") && what !== "any route") continue;

      test(`stays in the state at refresh and destroy, with the reason: ${kind}, ${what}`, async (stage) => {
        const resource = stage.resource(kind);
        await resource.up(await declare(stage));
        const before = resource.present;
        await stage.platform.fault({ ...noRoute, path: path.source });
        const says = failsWith(/this route does not exist/, /Neon does not know this route\. Check the base URL/);
        await assert.rejects(resource.refresh(), says);
        await assert.rejects(resource.destroy(), says);
        await stage.platform.clearFaults();
        assert.deepEqual(resource.state, before);
        assert.equal(await exists(stage, before.outputs), true);
      });
    }
  }

  test("is not created a second time by `adopt: true`", async (stage) => {
    const { id: projectId, branchId } = await stage.project();
    const role = stage.resource("Role", "neondb_owner");
    await stage.platform.fault({ ...noRoute, method: "GET", path: "/roles" });
    await assert.rejects(role.up({ projectId, branchId, adopt: true }), /Neon does not know this route/);
    assert.ok((await stage.sent(branchId)).every(({ method }) => method !== "POST"));
  });
});
