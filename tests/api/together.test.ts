import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { together } from "../../api/core/together";

describe("together", () => {
  it("returns the results in their order", async () => {
    assert.deepEqual(await together([Promise.resolve(1), "two", Promise.resolve(3)]), [1, "two", 3]);
  });

  it("fails with the first failure, once what goes on beside it has ended", async () => {
    let finish = (): void => undefined;
    let isEnded = false;
    const slow = new Promise<void>((resolve) => (finish = resolve)).then(() => (isEnded = true));
    const both = together([Promise.reject(new Error("the first one")), slow]).finally(() => assert.ok(isEnded));
    setImmediate(finish);
    await assert.rejects(both, { message: "the first one" });
  });
});
