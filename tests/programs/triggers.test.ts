import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { withPlugin } from "../support/plugin";
import { branchWithFunctions } from "../support/samples/function";
import { branchPath } from "../support/samples/object";
import { suiteStage } from "../support/stage";
import { suiteStacks } from "../support/stack";

describe("programs: triggers and custom domains", function () {
  this.timeout(900_000);
  const stage = suiteStage({ isServed: false });
  const newStack = suiteStacks();

  for (const [door, options] of [
    ["dynamic provider", {}],
    ["plugin", { project: withPlugin }],
  ] as const) {
    it(`live through every change, with few requests, through the ${door}`, async () => {
      const at = await branchWithFunctions(stage());
      const count = 10;
      const domain = stage().name("api");
      const program = (slug: string, block: string, cron = "0 3 1 1 *"): string => `
        const at = ${JSON.stringify(at)};
        for (let index = 0; index < ${count}; index += 1) {
          new neon.Trigger("yearly-" + index, { ...at, functionSlug: "api", schedule: { cron: "${cron}" } });
          new neon.CustomDomain("www-" + index, { ...at, domain: index + ".${domain}.example.com", entityId: "${slug}" });
        }
        const one = new neon.Trigger("one", { ...at, functionSlug: "${slug}", ${block} });
        exports.type = one.type;
      `;
      const schedule = 'schedule: { cron: "0 3 1 1 *" }';
      const stack = await newStack({ platform: stage().platform, program: program("api", schedule), ...options });
      const requests = async (step: () => Promise<unknown>) => {
        await stage().platform.clearRequests();
        await step();
        return (await stage().requests(at.branchId)).map(
          ({ method, path }) =>
            `${method} ${path.replace(`/api/v2${branchPath(at)}`, "").replace(/trigger-[\w-]+/, "ID")}`,
        );
      };
      await stack.up();
      assert.deepEqual(await requests(() => stack.up()), []);
      // The first trigger alone, and one list of each.
      const read = await requests(() => stack.refresh());
      assert.ok(
        read.filter((one) => one.startsWith("GET /triggers?") || one === "GET /triggers").length <= 1,
        read.join("\n"),
      );
      assert.equal(read.filter((one) => one.startsWith("GET /custom-domains")).length, 1, read.join("\n"));
      assert.equal(stack.resource("www-0").outputs["status"], "pending");
      assert.deepEqual(await requests(() => stack.up()), []);

      stack.write(program("api", 'storageObjectCreated: { bucketName: "uploads" }', "30 3 1 1 *"));
      const { text: preview } = await stack.command("preview");
      assert.match(preview, /~ 10 to update/);
      assert.match(preview, /one replace|\+-.*one/);
      await stack.up();
      assert.equal(stack.outputs()["type"], "storage_object_created");
      assert.equal(stack.resource("yearly-3").outputs["type"], "schedule");

      stack.write(program("web", 'storageObjectCreated: { bucketName: "uploads" }', "30 3 1 1 *"));
      const sent = await requests(() => stack.up());
      assert.equal(sent.filter((one) => one.startsWith("DELETE /custom-domains/")).length, count);
      assert.equal(sent.filter((one) => one === "PATCH /triggers/ID").length, 1);
      assert.deepEqual(await requests(() => stack.up()), []);
      await stack.destroy();
      for (const [path, member] of [
        ["triggers", "triggers"],
        ["custom-domains", "custom_domains"],
      ] as const) {
        const { body } = await stage().platform.call("GET", `${branchPath(at)}/${path}`);
        assert.deepEqual((body as unknown as Record<string, unknown>)[member], []);
      }
    });
  }
});
