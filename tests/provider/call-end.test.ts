import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { samples } from "../support/samples";
import { suiteStage } from "../support/stage";

describe("a refresh of an object that is gone", () => {
  const stage = suiteStage();

  const slow: readonly (readonly [KindName, path: string])[] = [
    ["Branch", "/endpoints$"],
    ["Project", "/branches"],
  ];
  for (const [kind, path] of slow) {
    it(`ends when what it has read besides is answered: ${kind}`, async () => {
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
