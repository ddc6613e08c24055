import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import type { KindName } from "../../provider/v1";
import { judging, useNowhere } from "../reliability/input/judging";
import { livesOf } from "../reliability/input/lives";
import { failureOf, groupsOf } from "../reliability/input/property";
import { quickSeed } from "../reliability/seeded-random";
import { samples } from "../support/samples";
import { suiteServer, suiteStage } from "../support/stage";

describe("judging inputs, whatever they are", () => {
  const seed = quickSeed();
  before(useNowhere);

  for (const [group, properties] of groupsOf(judging())) {
    it(group, async () => {
      const failure = await failureOf(properties, seed, 20);
      assert.equal(failure, undefined, failure);
    });
  }
});

describe("a life under odd names", () => {
  const seed = quickSeed();
  const stage = suiteStage();
  const later = suiteServer(stage);

  for (const [index, kind] of (Object.keys(samples) as KindName[]).entries()) {
    it(`is led by ${kind}`, async () => {
      const { failures } = await livesOf(stage(), later(), kind, { seed: seed + index, count: 1 });
      assert.deepEqual(failures, [], `seed ${seed + index}`);
    });
  }
});
