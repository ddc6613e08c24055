import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { type KindName, kinds } from "../../provider/kinds";
import { suiteLanguage } from "../support/languages";
import { withPlugin } from "../support/plugin";
import type { Values } from "../support/provider-server";
import { type Sample, titleOf } from "../support/sample";
import { everySample } from "../support/samples";
import { suiteStage } from "../support/stage";
import { type Stack, suiteStacks } from "../support/stack";
import { changingNothing } from "../support/unchanged-account";

const nameOf = (sample: Sample): string => titleOf(sample).replaceAll(" ", "-");

/** A resource that exists without being in the stack. */
interface Existing {
  /** Its logical name. */
  readonly name: string;
  readonly kind: KindName;
  readonly id: string;
  /** The inputs without which the kind has none, the name, and the organization, which a setting could name instead. */
  readonly inputs: Values;
}

function minimal(kind: KindName, inputs: Values): Values {
  const isNeeded = (name: string): boolean => {
    const { [name]: _, ...others } = inputs;
    return ["orgId", kinds[kind].defaultName].includes(name) || !kinds[kind].inputs.safeParse(others).success;
  };
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => isNeeded(name)));
}

const javascript = (all: readonly Existing[], options = ""): string =>
  all
    .map(({ name, kind, inputs }) => `new neon.${kind}("${name}", ${JSON.stringify(inputs)}, { ${options} });`)
    .join("\n");

/** JSON is YAML, too. */
const yaml = (all: readonly Existing[], isImport = true): string =>
  JSON.stringify({
    resources: Object.fromEntries(
      all.map(({ name, kind, id, inputs }) => [
        name,
        { type: `neon:${kind}`, properties: inputs, options: isImport ? { import: id } : {} },
      ]),
    ),
  });

describe("an import through the plugin", function () {
  this.timeout(900_000);
  const stage = suiteStage({ door: "plugin" });
  const newStack = suiteStacks();

  /** An object of each sample. */
  const existing = (): Promise<readonly Existing[]> =>
    Promise.all(
      everySample.map(async (sample) => {
        const { kind } = sample;
        const resource = stage().resource(kind);
        await resource.up(await sample.declare(stage()));
        return { name: nameOf(sample), kind, id: resource.id, inputs: minimal(kind, resource.present.inputs) };
      }),
    );
  const onNode = (program: string): Promise<Stack> =>
    newStack({ platform: stage().platform, program, project: withPlugin });

  it("by the command is followed by no change, for every kind", async () => {
    const all = await existing();
    const stack = await onNode("");
    const file = join(stack.folder, "import.json");
    const resources = all.map(({ name, kind, id }) => ({ type: `neon:index:${kind}`, name, id }));
    writeFileSync(file, JSON.stringify({ resources }));
    await changingNothing(stage(), async () => {
      await stack.command("import", "--file", file, "--generate-code=false", "--protect=false", "--yes");
      stack.write(javascript(all));
      await stack.command("preview", "--expect-no-changes");
      await stack.up("--expect-no-changes");
      await stack.refresh("--expect-no-changes");
    });
  });

  describe("by the option in YAML", () => {
    suiteLanguage("yaml");

    it("is followed by no change, for every kind", async () => {
      const all = await existing();
      const stack = await newStack({
        platform: stage().platform,
        language: { name: "yaml", files: { "Main.yaml": yaml(all) }, project: withPlugin },
      });
      await changingNothing(stage(), async () => {
        const { text } = await stack.up();
        assert.match(text, new RegExp(`= ${String(all.length)} imported`));
        stack.writeFiles({ "Main.yaml": yaml(all, false) });
        await stack.command("preview", "--expect-no-changes");
        await stack.refresh("--expect-no-changes");
      });
    });
  });

  it("leaves a compute and an expiry that the program does not declare, and names the resource that has the object", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    await branch.up({ projectId, compute: {}, expiresAt });
    const program = (...names: readonly string[]): string =>
      names
        .map(
          (name) =>
            `new neon.Branch("${name}", { projectId: "${projectId}", name: "${branch.name}" }, options.${name});`,
        )
        .join("\n");
    const importing = `const options = { pr: { import: "${branch.id}" }, again: { import: "${branch.id}" } };\n`;
    const managed = /is already managed by Branch "(pr|again)"/;
    await changingNothing(stage(), async () => {
      const stack = await onNode(importing + program("pr"));
      assert.match((await stack.up()).text, /= 1 imported/);
      await stack.up("--expect-no-changes");
      stack.write(importing + program("pr", "again"));
      assert.match((await stack.failing("up")).text, managed);
      await stack.command("import", "neon:index:Branch", "again", branch.id, "--generate-code=false", "--yes");
      stack.write("const options = {};\n" + program("pr", "again"));
      const { text } = await stack.failing("up");
      assert.match(text, managed);
      assert.ok(text.includes("(pr)") || text.includes("(again)"), text);
    });
  });
});
