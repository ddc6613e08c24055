import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { census, growth } from "../reliability/census";
import { CallError, type Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { suiteHome } from "../support/home";
import { entriesIn, journalIn, killWriters } from "../support/journal";
import { changed, titleOf } from "../support/sample";
import { everySample } from "../support/samples";
import { suiteServer, suiteStage } from "../support/stage";

describe("a change that was sent but not recorded before everything was killed", () => {
  const home = suiteHome();
  const stage = suiteStage({ home });
  /** The next run on the same machine. */
  const later = suiteServer(stage, { home });

  /** Does something in one process, whose result nobody records, and again in the next one. */
  async function unrecorded<Result>(resource: EngineResource, work: () => Promise<Result>): Promise<Result> {
    const { state } = resource;
    resource.server = stage().server;
    await work();
    killWriters(journalIn(home));
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
    it(`is performed exactly once: ${titleOf(sample)}`, async () => {
      const declared = await sample.declare(stage());
      const project = typeof declared["projectId"] === "string" ? declared["projectId"] : undefined;
      const there = await census(stage(), project);
      const resource = stage().resource(sample.kind);
      assert.equal(await unrecorded(resource, () => resource.up(declared)), "create");
      const made = await census(stage(), project);
      assert.equal(await resource.up(declared), "same");
      assert.deepEqual(entriesIn(journalIn(home)), []);

      let args = declared;
      for (const { input, to } of sample.inPlace(declared, resource.outputs)) {
        args = changed(args, input, to);
        assert.equal(await unrecorded(resource, () => up(resource, args)), "update", input);
        assert.equal(await resource.up(args), "same", input);
        assert.equal(await resource.refresh(), "same", input);
      }

      await unrecorded(resource, () => resource.destroy());
      // The roles for tokens outlive what they came with.
      const { roles = 0, ...left } = growth(there, await census(stage(), project));
      const counts = Object.values(left).filter((count) => count !== 0);
      assert.deepEqual([counts, ["JwksUrl", "DataApi"].includes(sample.kind) ? 0 : roles], [[], 0]);
      // More than one would have been counted here, too.
      const again = stage().resource(sample.kind);
      if (sample.replacement !== undefined) return;
      await again.up(declared);
      assert.deepEqual(growth(made, await census(stage(), project)), {});
      await again.destroy();
    });
  }
});
