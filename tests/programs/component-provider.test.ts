import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { writeFiles } from "../support/files";
import { suiteFolder } from "../support/folder";
import { suiteLanguage } from "../support/languages";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { suiteStacks } from "../support/stack";

/** A component in JavaScript that programs in every language can use. */
const component = `
  const pulumi = require(${JSON.stringify(require.resolve("@pulumi/pulumi"))});
  const neon = require(${JSON.stringify(require.resolve("../../sdk"))});
  class Shop extends pulumi.ComponentResource {
    constructor(name, inputs, options) {
      super("shop-components:index:Shop", name, inputs, options);
      new neon.Project(name, { regionId: inputs.region }, { parent: this });
    }
  }
  const resources = {
    "shop-components:index:Shop": { isComponent: true, inputProperties: { region: { type: "string" } } },
  };
  const schema = JSON.stringify({ name: "shop-components", version: "1.0.0", resources });
  const construct = async (name, type, inputs, options) => ({ urn: new Shop(name, inputs, options).urn, state: {} });
  pulumi.provider.main({ version: "1.0.0", schema, construct }, process.argv.slice(2));
`;
const program = `
resources:
  shop: { type: "shop-components:Shop", properties: { region: aws-eu-central-1 } }
`;

describe("programs: a component in TypeScript that a program in YAML uses", function () {
  this.timeout(300_000);
  suiteLanguage("yaml");
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();
  const folder = suiteFolder("neon-pulumi-component-");
  /** The folder of programs, from which the package is not found. */
  const programs = suiteFolder("neon-pulumi-programs-");

  const pluginLine = { name: "shop-components", path: folder };
  function writeComponent(): void {
    const executable = join(folder, "pulumi-resource-shop-components");
    writeFiles(folder, {
      "component.js": component,
      "pulumi-resource-shop-components": `#!/bin/sh\nexec "${process.execPath}" "${folder}/component.js" "$@"\n`,
    });
    chmodSync(executable, 0o755);
  }

  it("fails in one sentence that names the plugin, and works with it", async () => {
    writeComponent();
    const files = { "Main.yaml": program };
    const without = await newStack({
      folder: programs,
      language: { name: "yaml", files, project: { plugins: { providers: [pluginLine] } } },
      platform: platform(),
    });
    const { text } = await without.failing("up");
    assert.match(
      text,
      /Project "shop": neon-pulumi is not installed in the program's folder \(\S+\), from which Pulumi loads the provider\. A component that a program in another language uses needs the provider plugin: locate it with `plugins` in the program's Pulumi\.yaml, and set NEON_PULUMI_PROVIDER=plugin\./,
    );
    const [neon] = withPlugin.plugins.providers;
    const stack = await newStack({
      folder: programs,
      language: { name: "yaml", files, project: { plugins: { providers: [pluginLine, neon] } } },
      platform: platform(),
    });
    await stack.up();
    const types = stack.everyResource().map(({ type }) => type);
    assert.ok(types.includes("neon:index:Project"), types.join(", "));
    await stack.destroy();
  });
});
