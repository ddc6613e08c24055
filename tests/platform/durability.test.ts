import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { rounds } from "../reliability/durability/rounds";

describe("platform: killed under load", () => {
  it("it has lost nothing that was acknowledged, and nothing is half done", async () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const say = (): void => undefined;
    const outcome = await rounds({ seed, kills: 3, clients: 6, longestMs: 800, deadline: Infinity, say });
    assert.deepEqual(outcome.failures, []);
    assert.ok(outcome.kills >= 3);
    assert.ok(outcome.acknowledged > 0, `seed ${seed}: nothing was acknowledged`);
  }).timeout(60_000);
});
