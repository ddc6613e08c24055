import { describe, it } from "mocha";

import { suitePlatform } from "../../support/platform";
import { suiteStacks } from "../../support/stack";
import { shortCase, titleOf } from "./cases";
import { check } from "./check";

describe("package: compatibility", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it(`works with ${titleOf(shortCase)}`, async () => {
    await check(shortCase, platform(), newStack);
  });
});
