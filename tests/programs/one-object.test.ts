import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { withPlugin } from "../support/plugin";
import { suitePlatform } from "../support/platform";
import { suiteStacks } from "../support/stack";

describe("programs: two resources that adopt one object", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "1ms" });
  const newStack = suiteStacks();

  for (const [door, project] of [
    ["dynamic", undefined],
    ["plugin", withPlugin],
  ] as const) {
    it(`are rejected by the preview and by up, which lets one of them adopt it, even in two provider processes: ${door} provider`, async () => {
      const { project: shop } = await platform().project({ name: "shop" });
      const program = `
        const own = new neon.Provider("own");
        new neon.Project("x", { name: "shop", adopt: "${shop.id}" });
        new neon.Project("y", { name: "shop", adopt: "${shop.id}" }, { provider: own });`;
      const stack = await newStack({ platform: platform(), program, ...(project && { project }) });
      for (const command of ["preview", "up"] as const) {
        const { text } = await stack.failing(command, ...(command === "up" ? ["--skip-preview"] : []));
        assert.match(text.replace(/\s+/g, " "), new RegExp(`${shop.id} is already managed by Project "[xy]"`));
      }
      assert.ok(stack.everyResource().filter(({ id }) => id === shop.id).length <= 1);
    });
  }
});
