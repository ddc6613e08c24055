import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import type { Values } from "../support/provider-server";
import { pretendEngine } from "./registrations";

describe("a preview tells the provider where unknown arguments come from", () => {
  const registered = new Map<string, Record<string, unknown>>();
  before(() =>
    pretendEngine(({ name, inputs, id }) => {
      registered.set(name, inputs as Record<string, unknown>);
      // A resource that is created or replaced has no id in a preview. Of one that is updated, only arguments and id are known.
      const known = name.startsWith("new") ? undefined : (id ?? "") || "shop-1/br-1";
      return { id: known, state: inputs as object };
    }, true),
  );

  let names = 0;
  /** What the hidden inputs say of a credential with these arguments. */
  async function saidOf(args: Values): Promise<unknown> {
    names += 1;
    const name = `credential-${names}`;
    const credential = new neon.Credential(name, { projectId: "shop-1", branchId: "br-1", scopes: [], ...args });
    await new Promise((resolve) => credential.urn.apply(resolve));
    return (registered.get(name)?.["__neon"] as { readonly unknownInputs?: unknown } | undefined)?.unknownInputs;
  }
  const urnOf = (name: string): string => `urn:pulumi:stack::project::pulumi-nodejs:dynamic/neon:Branch::${name}`;
  const branch = (name: string, opts = {}): neon.Branch => new neon.Branch(name, { projectId: "shop-1" }, opts);
  const from = (path: readonly string[], ...urns: readonly string[]): unknown => [{ path, urns: urns.map(urnOf) }];

  it("at any depth of the arguments, and through apply, all, interpolate and promises", async () => {
    const kept = branch("kept");
    const { host } = kept;
    const shapes: readonly (readonly [string, unknown])[] = [
      ["an output", host],
      ["apply", host.apply((one) => one)],
      ["interpolate", pulumi.interpolate`${host}`],
      ["all", pulumi.all([host, kept.branchId]).apply(([one]) => one)],
      ["a promise", Promise.resolve(host)],
    ];
    for (const [title, value] of shapes) {
      assert.deepEqual(await saidOf({ branchId: value }), from(["branchId"], "kept"), title);
    }
    assert.deepEqual(await saidOf({ scopes: ["a", host] }), from(["scopes", "1"], "kept"));
    assert.deepEqual(await saidOf({ some: { of: { it: host } } }), from(["some", "of", "it"], "kept"));
    const both = pulumi.all([host, branch("kept-too").host]).apply(([one]) => one);
    assert.deepEqual(await saidOf({ branchId: both }), from(["branchId"], "kept", "kept-too"));
  });

  it("for a resource that is only read, as the resources that its id comes from", async () => {
    const { host } = branch("source");
    const read = neon.Branch.get("read", pulumi.interpolate`shop-1/${host}`);
    assert.deepEqual(await saidOf({ branchId: read.branchId }), from(["branchId"], "source"));
    assert.deepEqual(await saidOf({ branchId: read.host }), from(["branchId"], "source"));
  });

  it("but not if the resource is created or replaced, nor of values that are known or secret", async () => {
    const { host } = branch("stays");
    const replaced = branch("new");
    assert.equal(await saidOf({ branchId: replaced.host }), undefined);
    assert.equal(await saidOf({ branchId: pulumi.all([host, replaced.id]).apply(([one]) => one) }), undefined);
    assert.equal(await saidOf({ branchId: neon.Branch.get("new-read", replaced.id).host }), undefined);
    assert.equal(await saidOf({ branchId: pulumi.secret(host) }), undefined);
    assert.equal(await saidOf({ branchId: branch("known").branchId }), undefined);
    assert.equal(await saidOf({ branchId: "br-1" }), undefined);
  });
});
