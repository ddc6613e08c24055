import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";

import { installation, installedPackage, type Installation } from "../package/installation";
import { suitePlatform } from "../support/platform";
import { suiteStacks } from "../support/stack";

const library = `
  const neon = require("neon-pulumi");
  const pulumi = require("@pulumi/pulumi");
  exports.neon = neon;
  exports.Shop = class extends pulumi.ComponentResource {
    constructor(name, opts) {
      super("shared:index:Shop", name, {}, opts);
      this.project = new neon.Project(name, {}, { parent: this });
      this.registerOutputs({});
    }
  };
`;

describe("programs: a component library with a copy of the package of its own", function () {
  this.timeout(300_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();
  let installed: Installation;
  /** Only the library has the package, as with pnpm, or npm where versions differ. */
  let folder: string;
  before(async () => {
    installed = await installation();
    folder = mkdtempSync(join(tmpdir(), "neon-pulumi-nested-"));
    const own = join(folder, "node_modules", "shared-components");
    mkdirSync(join(own, "node_modules"), { recursive: true });
    writeFileSync(join(own, "index.js"), library);
    symlinkSync(installedPackage(installed), join(own, "node_modules", "neon-pulumi"), "junction");
    const sdk = join(installed.folder, "node_modules", "@pulumi");
    for (const modules of [join(folder, "node_modules"), join(own, "node_modules")]) {
      symlinkSync(sdk, join(modules, "@pulumi"), "junction");
    }
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("fails in one sentence that says what to install where, and works once that is done", async () => {
    const stack = await newStack({ platform: platform(), program: "", folder });
    const program = 'const { Shop } = require("shared-components");\nnew Shop("one");\nnew Shop("two");\n';
    writeFileSync(join(stack.folder, "index.js"), program);
    const message = `neon-pulumi is not installed in the program's folder (${stack.folder}), from which Pulumi loads the provider. Add it to the dependencies there, for example with \`npm install neon-pulumi\`.`;
    const { text } = await stack.failing("up");
    assert.ok(text.includes(`Project "one": ${message}`), text);
    assert.doesNotMatch(text, /Cannot find module|node:internal/);
    assert.deepEqual(await platform().requests(), []);

    for (const [described, statement] of [
      ['Provider "one"', 'new neon.Provider("one")'],
      ['BranchEnvironment "one"', 'new neon.BranchEnvironment("one", { projectId: "p" })'],
    ] as const) {
      writeFileSync(join(stack.folder, "index.js"), `const { neon } = require("shared-components");\n${statement};\n`);
      const failed = await stack.failing("up");
      assert.ok(failed.text.includes(`${described}: ${message}`), failed.text);
      const others = stack.everyResource().filter(({ type }) => !/^(pulumi:pulumi:Stack|shared:)/.test(type));
      assert.deepEqual(others, [], "something is registered");
    }
    writeFileSync(join(stack.folder, "index.js"), program);

    symlinkSync(installedPackage(installed), join(folder, "node_modules", "neon-pulumi"), "junction");
    await stack.up();
    assert.deepEqual([...stack.resources().keys()].sort(), ["one", "two"]);
  });
});
