import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { before, describe, it } from "mocha";

import { suiteFolder } from "../support/folder";

const goTools = pathToFileURL(join(process.cwd(), "tools", "cli", "go.mjs")).href;

describe("tools: programs from Go modules", () => {
  const folder = suiteFolder("neon-pulumi-go-");
  before(function () {
    if (spawnSync("go", ["version"]).status !== 0) this.skip();
  });

  it("are in the cache after a build, and nothing that Go keeps is", () => {
    writeFileSync(join(folder, "go.mod"), "module example\n\ngo 1.25.11\n");
    writeFileSync(join(folder, "main.go"), 'package main\n\nfunc main() { println("built") }\n');
    const program = {
      name: "built",
      title: "built",
      folder: "programs",
      module: folder,
      program: ".",
      flags: "-s -w",
    };
    const cache = join(folder, "cache");
    const build = `await (await import(${JSON.stringify(goTools)})).buildMissing([${JSON.stringify(program)}])`;
    execFileSync(process.execPath, ["--input-type=module", "-e", build], {
      env: { ...process.env, NEON_PULUMI_CACHE: cache },
    });
    assert.deepEqual(readdirSync(cache), ["programs"]);
    const { stderr } = spawnSync(join(cache, "programs", "built"), { encoding: "utf8" });
    assert.equal(stderr, "built\n");
  });
});
