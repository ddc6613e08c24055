import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

import { afterEach, describe, it } from "mocha";

import { toWire } from "../../api/core/camel-case";
import type { KindName } from "../../provider/frozen-entry";
import { EngineResource } from "../support/engine";
import { suiteGated } from "../support/gated";
import { samples } from "../support/samples";
import { suiteStage } from "../support/stage";
import { until } from "../support/until";

const stage = suiteStage({ isServed: false });
const { gate, server, overtaken } = suiteGated(stage);
afterEach(() => stage().platform.clearFaults());

const exists = /already exists: /;
const isAnother = /is not as in the state any more: another program may have set it/;

for (const {
  kind,
  facts: { twice },
} of Object.values(samples)) {
  if (twice !== "the same") continue;
  describe(`setting › a ${kind} that another program sets`, () => {
    for (const [title, fate, by] of [
      ["while the request that creates ours is lost, is not overwritten", "is lost", "them"],
      ["differently, while the creation of ours waits, is neither overwritten nor taken over", "waits", "them"],
      ["as declared here, while the creation of ours waits, is neither overwritten nor taken over", "waits", "us"],
    ] as const) {
      it(title, async () => {
        const { resource, args, set, setBy } = await prepared(kind);
        const created = overtaken(
          fate,
          () => set(by),
          () => resource.up(args),
        );
        await assert.rejects(created, exists);
        assert.equal(resource.state, undefined);
        assert.equal(await setBy(), by);
      });
    }

    for (const fate of ["is lost", "waits"] as const) {
      it(`while the request that deletes ours ${fate}, is not deleted`, async () => {
        const { resource, args, set, setBy } = await prepared(kind);
        await resource.up(args);
        const destroyed = overtaken(
          fate,
          () => set("them"),
          () => resource.destroy(),
        );
        await assert.rejects(destroyed, isAnother);
        assert.equal(await setBy(), "them");
      });
    }

    // A VPC endpoint that was deleted from an organization can never be assigned to it again.
    if (kind === "VpcEndpointAssignment") return;
    for (const answer of ["is lost", "arrives"] as const) {
      it(`after the platform has deleted ours, is not deleted if the response ${answer}`, async () => {
        const { resource, args, set, setBy, isConfirmed } = await prepared(kind);
        await resource.up(args);
        gate().afterNextChange(async () => {
          await set("them");
          if (answer === "is lost") throw new Error("the connection is closed");
        });
        if (isConfirmed && answer === "arrives") await resource.destroy();
        else await assert.rejects(resource.destroy(), isAnother);
        assert.equal(await setBy(), "them");
      });
    }
  });
}

/** A resource of this program, what it declares, and what another program does. */
async function prepared(kind: KindName) {
  const inputs = await samples[kind].declare(stage());
  const { input, us, them, set, at, read, isConfirmed } = samples[kind].overwritable?.(inputs) ?? assert.fail();
  const values = { us, them };
  const [method, path] = set;
  return {
    resource: new EngineResource(server(), kind, stage().name(kind.toLowerCase())),
    args: { ...inputs, [input]: us },
    isConfirmed,
    /** Sets the object as another program does. */
    set: async (by: "us" | "them") => {
      const { status } = await stage().platform.call(method, path, toWire({ [input]: values[by] }));
      assert.ok(status < 300, `${method} ${path}: ${status}`);
    },
    /** Who has set what is there. */
    setBy: async () => {
      let found: unknown;
      await until(async () => {
        found = read((await stage().platform.call("GET", at ?? path)).body as never);
        return found !== undefined;
      });
      return (["us", "them"] as const).find((by) => isDeepStrictEqual(found, values[by]));
    },
  };
}
