import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { type Change, changesBetween, objectsOf } from "../support/account";
import type { EngineResource } from "../support/engine";
import type { Values } from "../support/provider-server";
import { hasInput, type Sample, titleOf } from "../support/sample";
import { thereAlready } from "../support/samples";
import { suiteServer, suiteStage } from "../support/stage";

/** Roles that Neon creates with the first Data API or JWKS URL of a branch, and keeps. */
const ofNeon = /\/roles\/(authenticator|authenticated|anonymous)$/;

/** What a branch has from its parent. */
const copied: readonly (readonly [KindName, Values])[] = [
  ["Role", { name: "neondb_owner" }],
  ["Database", { name: "neondb", ownerName: "neondb_owner" }],
];

describe("destroying a stack that has adopted an object", () => {
  const stage = suiteStage();
  /** Another program, which makes the object. */
  const maker = suiteServer(stage);
  /** The run that destroys the stack. */
  const later = suiteServer(stage);

  /** What a step changes in the account. */
  async function changedBy(step: () => Promise<void>): Promise<readonly Change[]> {
    const { platform } = stage();
    const before = await objectsOf(platform, [platform]);
    await step();
    const changes = changesBetween(before, await objectsOf(platform, [platform]));
    return changes.filter(({ path }) => !ofNeon.test(path));
  }

  /** An object of another program, adopted by the stack. */
  async function adopted({ kind }: Sample, args: Values): Promise<EngineResource> {
    const made = stage().resourceOf(maker(), kind);
    await made.up(args);
    const resource = stage().resource(kind);
    await resource.up({ ...args, adopt: made.id });
    return resource;
  }

  async function destroy(resource: EngineResource): Promise<void> {
    resource.server = later();
    await resource.destroy();
    assert.equal(resource.state, undefined);
  }

  for (const sample of thereAlready) {
    const { kind } = sample;
    it(`deletes it and nothing else: ${titleOf(sample)}`, async () => {
      const declared = await sample.declare(stage());
      const changes = await changedBy(async () => destroy(await adopted(sample, declared)));
      assert.deepEqual(changes, []);
    });

    if (!hasInput(sample, "branchId") || kind === "JwksUrl") continue;
    it(`deletes it with its branch, and nothing else: ${titleOf(sample)}`, async () => {
      const declared = await sample.declare(stage());
      const { projectId } = declared;
      const changes = await changedBy(async () => {
        const branch = stage().resource("Branch");
        const compute = kind === "Endpoint" ? {} : { compute: {} };
        await branch.up({ projectId, initSource: "schema-only", ...compute });
        const { branchId } = branch.outputs;
        await sample.prepareBranch?.(stage(), { ...declared, branchId });
        const resource = await adopted(sample, { ...declared, branchId });
        await destroy(resource);
        await destroy(branch);
      });
      assert.deepEqual(changes, []);
    });
  }

  for (const [kind, args] of copied) {
    it(`deletes with its branch what the branch has from its parent: ${kind}`, async () => {
      const { id: projectId } = await stage().project();
      const changes = await changedBy(async () => {
        const branch = stage().resource("Branch");
        await branch.up({ projectId, compute: {} });
        const resource = stage().resource(kind);
        await resource.up({ projectId, branchId: branch.outputs["branchId"], ...args, adopt: true });
        await destroy(resource);
        await destroy(branch);
      });
      assert.deepEqual(changes, []);
    });
  }
});
