import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { census, growth } from "../reliability/census";
import { CallError, type Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { changed, titleOf } from "../support/sample";
import { everySample } from "../support/samples";
import { suiteServer, suiteStage } from "../support/stage";

describe("a change that was sent but not recorded before everything was killed", () => {
  const stage = suiteStage();
  /** The next run, on any machine. */
  const later = suiteServer(stage);

  /** Does something in one process, whose result nobody records, and again in the next one. */
  async function unrecorded<Result>(resource: EngineResource, work: () => Promise<Result>): Promise<Result> {
    const { state } = resource;
    resource.server = stage().server;
    await work();
    resource.state = state;
    resource.server = later();
    return work();
  }

  /** `up`, and what it asks for, if it does. */
  async function up(resource: EngineResource, args: Values): Promise<string> {
    return resource.up(args).catch(async (error: unknown) => {
      if (!(error instanceof CallError) || !error.message.includes("run `pulumi refresh`")) throw error;
      await resource.refresh();
      return resource.up(args);
    });
  }

  for (const sample of everySample) {
    it(`is found or made again by the next run, and a restore is never repeated: ${titleOf(sample)}`, async () => {
      const declared = await sample.declare(stage());
      const project = typeof declared["projectId"] === "string" ? declared["projectId"] : undefined;
      const there = await census(stage(), project);
      const resource = stage().resource(sample.kind);
      await resource.up(declared);

      let args = declared;
      for (const { input, to, sends } of sample.inPlace(declared, resource.outputs)) {
        args = changed(args, input, to);
        const sent = await stage().sentBy("/restore", async () => {
          assert.equal(await unrecorded(resource, () => up(resource, args)), "update", input);
        });
        assert.equal(sent.length, sends.filter(({ path }) => path.source.includes("restore")).length, input);
        assert.equal(await resource.up(args), "same", input);
        assert.equal(await resource.refresh(), "same", input);
      }

      await unrecorded(resource, () => resource.destroy());
      // The roles for tokens outlive what they came with.
      const { Role: roles = 0, ...left } = growth(there, await census(stage(), project));
      const hasTokens = ["JwksUrl", "DataApi"].includes(sample.kind);
      assert.deepEqual(hasTokens ? left : { Role: roles, ...left }, hasTokens ? {} : { Role: 0 });
    });
  }
});
