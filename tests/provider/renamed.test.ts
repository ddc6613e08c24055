import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { kinds } from "../../provider/kinds";
import { urnOf } from "../support/door";
import type { Values } from "../support/provider-server";
import { EngineResource } from "../support/engine";
import { assertSays } from "../support/expected-errors";
import { renamed, suiteRuns } from "../support/runs";
import { titleOf } from "../support/sample";
import { samples, thereAlready } from "../support/samples";
import { suiteStage } from "../support/stage";

const stage = suiteStage();
const runs = suiteRuns(stage);

describe("a resource that the user renames", () => {
  async function mutationsBy(resource: EngineResource, step: () => Promise<unknown>): Promise<string[]> {
    return (await stage().sentBy(String(resource.outputs["projectId"]), step)).map(({ method, path }) =>
      [method, path.split("/").slice(3).join("/")].join(" "),
    );
  }

  /** The URN of a resource in a component. */
  function inComponent(urn: string): string {
    return urn.replace(/::([^:]+(?::[^:]+)*)::(?=[^:]+$)/, "::my:index:Shop$$$1::");
  }

  /** What the preview says of a resource that the program moves or renames without an alias. */
  async function saidOf(urn: string, moved: EngineResource, args: Values, isRefreshed = false): Promise<string> {
    const later = new EngineResource(moved.server, moved.kind, moved.name, urn);
    await runs().run([moved, later], async () => {
      if (isRefreshed) await moved.refresh();
      await later.preview(args);
    });
    return later.said("warning").join("\n");
  }

  for (const sample of thereAlready) {
    it(`without an alias is told which one to declare: ${titleOf(sample)}`, async () => {
      const declared = await sample.declare(stage());
      const { defaultName } = kinds[sample.kind];
      const resource = stage().resource(sample.kind);
      const args = defaultName === undefined ? declared : { [defaultName]: resource.name, ...declared };
      await resource.up(args);
      const alias = (urn: string): string => `\`aliases: [${JSON.stringify(urn)}]\``;
      const renamedUrn = urnOf(sample.kind, stage().name("renamed"));
      assertSays(await saidOf(inComponent(resource.urn), resource, args), alias(resource.urn));
      assertSays(await saidOf(renamedUrn, resource, args, true), alias(resource.urn));
    });
  }

  for (const kind of ["Branch", "Role"] as const) {
    it(`without an alias is told which one to declare if it was in a component: ${kind}`, async () => {
      const declared = await samples[kind].declare(stage());
      const urn = urnOf(kind, stage().name("outside"));
      const resource = new EngineResource(stage().server, kind, stage().name("inside"), inComponent(urn));
      await resource.up(declared);
      const alias = `\`aliases: [${JSON.stringify(resource.urn)}]\``;
      assertSays(await saidOf(urn, resource, declared, true), alias);
    });
  }

  it("without an alias is told which one to declare if its name was that of its object", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId });
    const later = urnOf("Branch", stage().name("renamed"));
    assertSays(
      await saidOf(later, branch, { projectId, name: branch.name }),
      `by Branch "${branch.name}"`,
      `\`aliases: [${JSON.stringify(branch.urn)}]\``,
    );
  });

  it("with an alias keeps its default name, and is replaced by an object with the new one before it is deleted", async () => {
    const { id: projectId } = await stage().project();
    const parent = await stage().branch(projectId);
    const branch = stage().resource("Branch");
    await branch.up({ projectId });
    const later = renamed(branch, stage().name("branch"));
    assert.equal(await later.up({ projectId }), "same");
    assert.equal(later.outputs["name"], branch.name);
    const old = String(later.outputs["branchId"]);
    const sent = await mutationsBy(later, async () =>
      assert.equal(await later.up({ projectId, parentId: parent.id }), "replace"),
    );
    assert.deepEqual(sent, ["POST branches", `DELETE branches/${old}`]);
    assert.equal(later.outputs["name"], later.name);
  });
});
