import assert from "node:assert/strict";

import { afterEach, describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import type { EngineResource } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { samples } from "../support/samples";
import { suiteStage } from "../support/stage";

const stage = suiteStage();
const notFound = { method: "GET", times: 10, status: 404, body: { code: "", message: "not found" } } as const;

async function created(kind: KindName): Promise<EngineResource> {
  const resource = stage().resource(kind);
  await resource.up(await samples[kind].declare(stage()));
  return resource;
}

describe("an object in the state that exists", () => {
  afterEach(() => stage().platform.clearFaults());

  for (const { kind, readAt } of Object.values(samples)) {
    if (readAt === undefined) continue;
    const missing = { ...notFound, path: readAt.path.source };
    if (readAt.isList) {
      it(`of the kind ${kind} stays in the state if its list is not found, but what the list belongs to`, async () => {
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
      it(`of the kind ${kind} stays in the state if a request for it alone does not find it, because its list has it`, async () => {
        const resource = await created(kind);
        await stage().platform.fault(missing);
        assert.equal(await resource.refresh(), "same");
      });
    }
  }
});
