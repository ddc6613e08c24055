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
  /** A program whose library alone has the package, as with pnpm, or with npm if versions differ. */
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
    const program = join(stack.folder, "index.js");
    const shops = 'const { neon, Shop } = require("shared-components");\nnew Shop("one");\nnew Shop("two");\n';
    const caught = ['Provider("one")', 'BranchEnvironment("one", { projectId: "p" })'].map(
      (resource) => `try { new neon.${resource}; } catch (error) { console.log(error.message); }\n`,
    );
    writeFileSync(program, shops.replace("\n", `\n${caught.join("")}`));
    const message = `neon-pulumi is not installed in the program's folder (${stack.folder}), from which Pulumi loads the provider. Add it to the dependencies there, from where this program has it.`;
    const { text } = await stack.failing("up");
    for (const described of ['Project "one"', 'Provider "one"', 'BranchEnvironment "one"']) {
      assert.ok(text.includes(`${described}: ${message}`), text);
    }
    assert.doesNotMatch(text, /Cannot find module|node:internal/);
    assert.deepEqual(await platform().requests(), []);
    const others = stack.everyResource().filter(({ type }) => !/^(pulumi:pulumi:Stack|shared:)/.test(type));
    assert.deepEqual(others, [], "something is registered");

    writeFileSync(program, shops);
    symlinkSync(installedPackage(installed), join(folder, "node_modules", "neon-pulumi"), "junction");
    await stack.up();
    assert.deepEqual([...stack.resources().keys()].sort(), ["one", "two"]);
  });
});
