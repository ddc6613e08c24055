import assert from "node:assert/strict";

import { inYaml } from "../support/contents";
import { describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import type { Door } from "../support/door";
import { suiteLanguage } from "../support/languages";
import { withPlugin } from "../support/plugin";
import type { Values } from "../support/provider-server";
import { titleOf } from "../support/sample";
import { everySample } from "../support/samples";
import { suiteStage } from "../support/stage";
import { type Stack, suiteStacks } from "../support/stack";
import { changingNothing } from "../support/unchanged-account";

describe("a stack that moves between dynamic providers, the plugin and languages", function () {
  this.timeout(900_000);
  const stage = suiteStage({ isServed: false });
  const newStack = suiteStacks();
  suiteLanguage("yaml");

  it("changes no resource of any kind, and finishes a creation that has failed halfway", async () => {
    const { id: projectId } = await stage().project();
    const declared = await Promise.all(
      everySample.map(async (sample) => {
        const name = titleOf(sample).replaceAll(" ", "-");
        return [name, [sample.kind, await sample.declare(stage())]] as const;
      }),
    );
    const finished = Object.fromEntries(declared) as Resources;
    const resources: Resources = { ...finished, half: ["Branch", { projectId, name: "half", compute: {} }] };
    const program = javascript(resources);
    const stack = await newStack({ platform: stage().platform, program: javascript(finished) });
    await stack.up();
    stack.write(program);
    await stage().platform.fault({ action: "start_compute", end: "error" });
    await stack.failing("up");
    await stage().platform.clearFaults();

    through(stack, "plugin", program);
    assert.match((await stack.up()).text, new RegExp(`~ 1 updated\\n +${declared.length + 1} unchanged`));
    assert.equal((await stage().branches(projectId)).length, 2);
    await changingNothing(stage(), async () => {
      await assertUnchanged(stack);
      through(stack, "dynamic", program);
      await assertUnchanged(stack);
      await stack.useLanguage({ name: "yaml", files: { "Main.yaml": yaml(resources) }, project: withPlugin });
      await assertUnchanged(stack);
    });
  });

  it("changes nothing of a component, an explicit provider, references, and resources that get another name or parent in the same update", async () => {
    const name = stage().name("moved");
    const program = (roles: string): string => `
      const project = new neon.Project("moved", { name: "${name}" });
      const pr = new neon.Branch("pr", { projectId: project.id, parentId: project.defaultBranchId, compute: {} });
      const owner = new neon.Role("owner", { projectId: project.id, branchId: pr.branchId });
      new neon.Database("orders", { projectId: project.id, branchId: pr.branchId, ownerName: owner.name });
      new neon.BranchEnvironment("env", { projectId: project.id }, { provider: new neon.Provider("other", {}) });
      const site = new pulumi.ComponentResource("shop:index:Site", "site");
      const role = (name, options) =>
        new neon.Role(name, { projectId: project.id, branchId: pr.branchId, name: name[0] }, options);
      ${roles}
    `;
    const stack = await newStack({
      platform: stage().platform,
      program: program('role("app"); role("job"); role("etl");'),
    });
    await stack.up();
    const { urn } = stack.resource("etl");
    const sent = await stage().sentBy("", async () => {
      const moved = `
        role("application", { aliases: [{ name: "app" }] });
        role("job", { parent: site, aliases: [pulumi.output({ parent: pulumi.rootStackResource })] });
        role("export", { aliases: ["${urn}"] });
      `;
      const renamed = `
        role("a", { aliases: [{ name: "application" }] });
        role("j", { aliases: [{ name: "job", parent: site }] });
        role("export");
      `;
      for (const [door, roles] of [
        ["plugin", moved],
        ["dynamic", renamed],
      ] as const) {
        through(stack, door, program(roles));
        const { text } = await stack.up();
        assert.doesNotMatch(text, /neon:\w+ .* (replaced?|updated?|created?|deleted?)\b(?!.*providers)/, door);
      }
    });
    assert.deepEqual(sent, []);
    for (const logicalName of ["a", "export", "j"]) assert.ok(stack.resource(logicalName));
  });

  it("previews the way back from the plugin as updates, also of resources that refer to those that the plugin has created", async () => {
    const program = `
      const project = new neon.Project("back", { name: "${stage().name("back")}" });
      const pr = new neon.Branch("pr", { projectId: project.id, parentId: project.defaultBranchId, compute: {} });
      new neon.Role("app", { projectId: project.id, branchId: project.defaultBranchId }, { protect: true });
      new neon.Snapshot("first", { projectId: project.id, branchId: project.defaultBranchId, name: pr.host });
    `;
    const stack = await newStack({ platform: stage().platform, program, project: withPlugin });
    await stack.up();
    stack.environment["NEON_PULUMI_PROVIDER"] = "dynamic";
    const { steps } = await stack.preview();
    const ops = steps.flatMap(({ op, urn }) => (urn.includes("dynamic/neon:") ? [op] : []));
    assert.deepEqual(ops, Array(4).fill("update"));
    assert.deepEqual(await stage().sentBy("", () => stack.up()), []);
    stack.write(program.replace(", { protect: true }", ""));
    await stack.up();
  });
});

/** Makes the stack use dynamic providers or the plugin from its next run on. */
function through(stack: Stack, door: Door, program: string): void {
  stack.project = door === "plugin" ? withPlugin : {};
  stack.write(program);
}

/** Asserts that a run with a refresh changes nothing. */
async function assertUnchanged(stack: Stack): Promise<void> {
  await stack.up("--expect-no-changes");
  await stack.refresh("--expect-no-changes");
}

/** A program as data: names, kinds and inputs. */
type Resources = Readonly<Record<string, readonly [kind: KindName, inputs: Values]>>;

function javascript(resources: Resources): string {
  return Object.entries(resources)
    .map(([name, [kind, inputs]]) => `new neon.${kind}("${name}", ${JSON.stringify(inputs)});`)
    .join("\n");
}

/** JSON is YAML, too. */
function yaml(resources: Resources): string {
  const declared: Values = Object.fromEntries(
    Object.entries(resources).map(([name, [kind, properties]]) => [name, { type: `neon:${kind}`, properties }]),
  );
  return JSON.stringify({ resources: declared }, (_, value: unknown) => inYaml(value));
}
