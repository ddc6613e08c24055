import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import { NeonClient } from "../../../api/client";
import { tagAnnotation } from "../../../api/schemas/branch";
import type { KindName } from "../../../provider/frozen-entry";
import { kinds } from "../../../provider/kinds";
import { type Maker, makerOf, parentOf } from "../../../provider/lifecycle/existing/maker";
import { Work } from "../../../provider/lifecycle/work";
import { newTag, tagText } from "../../../provider/ownership/ownership-tag";
import type { Values } from "../../../provider/values";
import { urnOf } from "../../support/door";
import { HurriedClock } from "../../support/hurried-clock";
import { callFor, servicesWith } from "../../support/services";
import { suiteStage } from "../../support/stage";

const [own, declared, unknown] = ["this", "declared", "unknown"].map((name) => urnOf("Branch", name)) as [
  string,
  string,
  string,
];

/** The resource and the stack in a branch's tag, and the makers that follow for the branch and for a role on it. */
const cases: readonly (readonly [
  urn: string | undefined,
  stack: string | undefined,
  by: Maker["by"],
  ofRole: Maker["by"],
])[] = [
  [undefined, undefined, "unknown", "unknown"],
  [own, "ours", "this-resource", "unknown"],
  [own, undefined, "this-urn", "another-resource"],
  [own, "theirs", "another-stack", "another-resource"],
  [declared, "ours", "another-resource", "unknown"],
  [declared, undefined, "another-resource", "unknown"],
  [declared, "theirs", "another-resource", "another-resource"],
  [unknown, "ours", "this-stack", "unknown"],
  [unknown, undefined, "unknown-stack", "another-resource"],
];

describe("existing › maker", () => {
  const clock = new HurriedClock();
  const stage = suiteStage({ isServed: false, clock });
  let projectId: string;
  let mainId: string;
  before(async () => ({ id: projectId, branchId: mainId } = await stage().project()));

  function workOf(kind: KindName, claims: readonly Values[] = []): Work {
    const { apiKey, apiUrl } = stage().platform;
    const services = { ...servicesWith({ client: new NeonClient({ apiKey, apiUrl }) }), stack: () => "ours" };
    services.registry.declare(declared);
    for (const outputs of claims) {
      const key = { kind: "branchId" in outputs ? "Branch" : "Project", id: Object.values(outputs).join("/") };
      services.registry.claim({ ...key, urn: declared, origin: undefined, as: "managed" });
    }
    return new Work({ kind: kinds[kind], services }, callFor(urnOf(kind, "this")), "preview");
  }

  for (const [urn, stack, by, ofRole] of cases) {
    const of =
      urn === undefined ? "no tag" : `the tag of ${urn.split("::").at(-1) ?? ""} in ${stack ?? "no certain"} stack`;
    it(`says ${by} of a branch with ${of}, and ${ofRole} of a role on it`, async () => {
      const tag = urn === undefined ? {} : { annotation_value: { [tagAnnotation]: tagText(newTag(urn, stack)) } };
      const { id: branchId, name, parent_id: parentId } = await stage().branch(projectId, tag);
      const maker = await makerOf(workOf("Branch"), { projectId, branchId, name, parentId });
      assert.equal(maker.by, by);
      assert.equal(maker.urn, urn === declared && stack !== "theirs" ? declared : undefined);
      const role = { projectId, branchId, name: "neondb_owner" };
      assert.equal((await makerOf(workOf("Role"), role)).by, ofRole);
      assert.equal((await makerOf(workOf("Role", [{ projectId, branchId }]), role)).by, "unknown");
    });
  }

  it("says of a first branch that it came with the project that a resource has", async () => {
    const annotations = { [tagAnnotation]: tagText(newTag(urnOf("Project", "shop"), "ours")) };
    const { id, branchId } = await stage().project({ branch: { annotations } });
    const main = { projectId: id, branchId, name: "main" };
    assert.deepEqual(await makerOf(workOf("Branch"), main), { by: "this-stack", urn: undefined });
    assert.deepEqual(await makerOf(workOf("Branch", [{ id }]), main), { by: "this-project", urn: declared });
  });

  it("finds the former URN of a branch that the program has moved into a component", async () => {
    const tag = tagText(newTag(own, "ours"));
    const { id: branchId, name } = await stage().branch(projectId, { annotation_value: { [tagAnnotation]: tag } });
    const { kind, services } = workOf("Branch");
    const moved = callFor(own.replace("::pulumi-nodejs", "::shop:index:Shop$pulumi-nodejs"));
    const maker = await makerOf(new Work({ kind, services }, moved, "preview"), {
      projectId,
      branchId,
      name,
      parentId: "b",
    });
    assert.deepEqual(maker, { by: "this-stack", urn: own });
  });

  it("says which parent a branch has a role from, unless the parent got it later", async () => {
    const { id: branchId } = await stage().branch(projectId);
    const of = (name: string) => parentOf(workOf("Role"), { projectId, branchId, name });
    assert.deepEqual(await of("neondb_owner"), { by: "parent-branch", parent: mainId });
    // Times of roles have whole seconds.
    clock.putForward(1_100);
    for (const id of [branchId, mainId]) {
      await stage().platform.call("POST", `/projects/${projectId}/branches/${id}/roles`, { role: { name: "later" } });
      await stage().settled(projectId);
    }
    assert.equal(await of("later"), undefined);
  });
});
