import assert from "node:assert/strict";

import { afterEach, describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import type { EngineResource } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { samples } from "../support/samples";
import { onStages, suiteStage } from "../support/stage";

const stage = suiteStage();
const notFound = { method: "GET", times: 10, status: 404, body: { code: "", message: "not found" } } as const;

async function created(kind: KindName): Promise<EngineResource> {
  const resource = stage().resource(kind);
  await resource.up(await samples[kind].declare(stage()));
  return resource;
}

describe("confirmed read › of an object in the state that exists", () => {
  afterEach(() => stage().platform.clearFaults());

  for (const { kind, readAt } of Object.values(samples)) {
    if (readAt === undefined) continue;
    const missing = { ...notFound, path: readAt.path.source };
    if (readAt.isList) {
      it(`${kind} › fails if its list is not found, but what the list belongs to`, async () => {
        const resource = await created(kind);
        const { state } = resource;
        await stage().platform.fault(missing);
        await assert.rejects(
          resource.refresh(),
          failsWith("The list was not found, but what it belongs to exists", "HTTP 404", "Run the same command again."),
        );
        assert.deepEqual(resource.state, state);
      });
    } else {
      it(`${kind} › finds it in its list if a request for it alone does not find it`, async () => {
        const resource = await created(kind);
        await stage().platform.fault(missing);
        assert.equal(await resource.refresh(), "same");
      });
    }
  }
});

describe("confirmed read › of an object that is gone", () => {
  afterEach(() => stage().platform.clearFaults());

  for (const [kind, path] of [
    ["Branch", "/endpoints$"],
    ["Project", "/branches"],
  ] as const) {
    it(`${kind} › ends only when all its requests are answered`, async () => {
      const { declare, remove } = samples[kind];
      const resource = stage().resource(kind);
      await resource.up(await declare(stage()));
      await remove(stage(), resource.outputs);
      await stage().platform.fault({ method: "GET", path, delayMs: 1000, times: 10 });
      assert.equal(await resource.refresh(), "gone");
      const unanswered = (await stage().requests()).filter(({ status }) => status === null);
      assert.deepEqual(unanswered, []);
    });
  }
});

/** The answer to a request whose route the platform does not know. */
const noRoute = { status: 404, times: 1000, body: { code: "", message: "this route does not exist" } };

/** Which routes the platform does not know any more. */
const unknown: Readonly<Record<string, RegExp>> = {
  "any route": /./,
  "any route but those of projects, branches and the account":
    /^(?!\/api\/v2\/(projects|projects\/[^/?]+|projects\/[^/]+\/branches|projects\/[^/]+\/branches\/[^/?]+|users\/.*)(\?.*)?$)/,
};

describe("confirmed read › of an object whose route the platform does not know", () => {
  const test = onStages(3);

  for (const { kind, declare, exists } of Object.values(samples)) {
    for (const [what, path] of Object.entries(unknown)) {
      if ((kind === "Project" || kind === "Branch") && what !== "any route") continue;

      test(`${kind} › fails in refresh and destroy with the reason: ${what}`, async (stage) => {
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

  test("Role › is not created a second time by `adopt: true`", async (stage) => {
    const { id: projectId, branchId } = await stage.project();
    const role = stage.resource("Role", "neondb_owner");
    await stage.platform.fault({ ...noRoute, method: "GET", path: "/roles" });
    await assert.rejects(role.up({ projectId, branchId, adopt: true }), /Neon does not know this route/);
    assert.ok((await stage.sent(branchId)).every(({ method }) => method !== "POST"));
  });
});
