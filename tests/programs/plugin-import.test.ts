import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { kinds } from "../../provider/kinds";
import { decoded } from "../../provider/pulumi/wire";
import { inYaml } from "../support/contents";
import { suiteLanguage } from "../support/languages";
import { withPlugin } from "../support/plugin";
import type { Values } from "../support/provider-server";
import { type Sample, titleOf } from "../support/sample";
import { everySample } from "../support/samples";
import { suiteStage } from "../support/stage";
import { type Stack, suiteStacks } from "../support/stack";
import { suite } from "../support/suite";
import { changingNothing } from "../support/unchanged-account";

/** A resource that exists without being in the stack. */
interface Existing {
  /** Its logical name. */
  readonly name: string;
  readonly kind: KindName;
  readonly id: string;
  /** The required inputs, the name, and the organization, which a setting could name instead. */
  readonly inputs: Values;
}

describe("an import through the plugin", function () {
  this.timeout(900_000);
  const stage = suiteStage({ door: "plugin" });
  const newStack = suiteStacks();

  /** An object of each sample. */
  const existing = suite((): Promise<readonly Existing[]> =>
    Promise.all(
      everySample.map(async (sample) => {
        const { kind } = sample;
        const resource = stage().resource(kind);
        await resource.up(await sample.declare(stage()));
        return { name: nameOf(sample), kind, id: resource.id, inputs: minimal(kind, resource.present.inputs) };
      }),
    ),
  );
  const onNode = (program: string): Promise<Stack> =>
    newStack({ platform: stage().platform, program, project: withPlugin });

  describe("by the option in YAML", () => {
    suiteLanguage("yaml");

    it("is followed by no change, for every kind", async () => {
      const all = existing();
      const stack = await newStack({
        platform: stage().platform,
        language: { name: "yaml", files: { "Main.yaml": yaml(all, true) }, project: withPlugin },
      });
      await changingNothing(stage(), async () => {
        const { text } = await stack.up();
        assert.match(text, new RegExp(`= ${String(all.length)} imported`));
        stack.writeFiles({ "Main.yaml": yaml(all, false) });
        await stack.up("--refresh", "--expect-no-changes");
      });
    });
  });

  it("keeps an undeclared compute and expiry, and names the resource that manages the object already", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    await branch.up({ projectId, compute: {}, expiresAt });
    const program = (...names: readonly string[]): string => {
      const inputs = JSON.stringify({ projectId, name: branch.name });
      return names.map((name) => `new neon.Branch("${name}", ${inputs}, { import: "${branch.id}" });`).join("\n");
    };
    await changingNothing(stage(), async () => {
      const stack = await onNode(program("pr"));
      assert.match((await stack.up()).text, /= 1 imported/);
      stack.write(program("pr", "again"));
      assert.match((await stack.failing("up")).text, /is already managed by Branch "(pr|again)"/);
    });
  });

  it("by the command, of objects that the stack manages already, makes the next preview fail, and removing the first resources deletes nothing", async () => {
    const { id: projectId, branchId } = await stage().project();
    const program = (...names: readonly string[]): string =>
      names
        .flatMap((name) => [
          `new neon.Branch("${name}", ${JSON.stringify({ projectId, name: "pr" })});`,
          `new neon.Role("${name}-role", ${JSON.stringify({ projectId, branchId, name: "app" })});`,
        ])
        .join("\n");
    const stack = await onNode(program("first"));
    await stack.up();
    const { id = "" } = stack.resource("first");
    const isByAnother = /Another Pulumi resource created the branch .* `pulumi state delete` removes the other one/;
    const named = /is already managed by (Branch|Role) "(first|second)/;
    await changingNothing(stage(), async () => {
      const command = ["--generate-code=false", "--protect=false", "--yes"];
      const imported = await stack.command("import", "neon:index:Branch", "second", id, ...command);
      assert.match(imported.text, isByAnother);
      await stack.command("import", "neon:index:Role", "second-role", `${projectId}/${branchId}/app`, ...command);
      stack.write(program("first", "second"));
      assert.match((await stack.failing("preview")).text, named);
      stack.write(program("second"));
      assert.match((await stack.up()).text, /not deleted: Role "second-role" also manages it/);
      await stack.up("--expect-no-changes");
    });
  });
});

function nameOf(sample: Sample): string {
  return titleOf(sample).replaceAll(" ", "-");
}

function minimal(kind: KindName, inputs: Values): Values {
  const isNeeded = (name: string): boolean => {
    const { [name]: _, ...others } = inputs;
    return (
      ["orgId", kinds[kind].defaultName].includes(name) ||
      !kinds[kind].inputs().safeParse(decoded(others).value).success
    );
  };
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => isNeeded(name)));
}

/** JSON is YAML, too. */
function yaml(all: readonly Existing[], isImport: boolean): string {
  const resources: Values = Object.fromEntries(
    all.map(({ name, kind, id, inputs: properties }) => [
      name,
      { type: `neon:${kind}`, properties, options: isImport ? { import: id } : {} },
    ]),
  );
  return JSON.stringify({ resources }, (_, value: unknown) => inYaml(value));
}
