import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";

import { installation } from "../package/installation";
import { filesIn } from "../support/files";
import { suitePlatform } from "../support/platform";
import { type Stack, suiteStacks } from "../support/stack";

describe("programs: the messages of Pulumi itself that docs/troubleshooting.md explains", function () {
  this.timeout(600_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();
  const shown = new Set<string>();
  let stack: Stack;
  /** The program in a folder from which the package is not found. */
  let elsewhere: string;
  before(async () => {
    stack = await newStack({ platform: platform(), program: 'new neon.Project("shop", {});' });
    await stack.up();
    elsewhere = mkdtempSync(join(tmpdir(), "neon-pulumi-elsewhere-"));
    cpSync(stack.folder, elsewhere, { recursive: true });
  });
  after(() => {
    rmSync(elsewhere, { recursive: true, force: true });
  });

  async function says(texts: readonly string[], args: readonly string[]): Promise<void> {
    const { code, text: output } = await stack.run(args);
    assert.notEqual(code, 0, output);
    for (const text of texts) {
      assert.ok(output.includes(text), output);
      shown.add(text);
    }
  }

  it("`pulumi import` says nothing about imports", async () => {
    const texts = ["Cannot read properties of undefined (reading 'toJavaScript')"];
    const [type, id] = ["pulumi-nodejs:dynamic/neon:Project", "calm-tree-12345678"];
    await says(texts, ["import", type, "imported", id, "--yes"]);
  });

  it("a refresh in a folder without packages cannot load the provider", async () => {
    const texts = ["Cannot find module '@pulumi/pulumi/cmd/dynamic-provider'", "could not load provider for resource"];
    await says(texts, ["--cwd", elsewhere, "refresh", "--yes"]);
  });

  it("a refresh in a folder without this package cannot find it", async () => {
    mkdirSync(join(elsewhere, "node_modules"));
    const { folder } = await installation();
    symlinkSync(join(folder, "node_modules", "@pulumi"), join(elsewhere, "node_modules", "@pulumi"), "junction");
    await says(["Cannot find module 'neon-pulumi/provider/v1'"], ["--cwd", elsewhere, "refresh", "--yes"]);
  });

  it("a locked stack names the lock", async () => {
    const folder = join(stack.kept, "backend", ".pulumi", "locks", "organization", "programs", "dev");
    mkdirSync(folder, { recursive: true });
    const lock = { pid: 1, username: "somebody", hostname: "elsewhere", timestamp: new Date(0).toISOString() };
    writeFileSync(join(folder, "lock.json"), JSON.stringify(lock));
    await says(["the stack is currently locked by"], ["up", "--yes"]);
    stack.unlock();
  });

  it("a state file that is empty after a kill cannot be read", async () => {
    const [file] = filesIn(join(stack.kept, "backend", ".pulumi", "stacks")).filter((name) => name.endsWith(".json"));
    assert.ok(file);
    const whole = readFileSync(file, "utf8");
    writeFileSync(file, "");
    await says(["failed to load checkpoint", "unexpected end of JSON input"], ["up", "--yes"]);
    writeFileSync(file, whole);
  });

  it("are on the page", () => {
    const page = readFileSync("docs/troubleshooting.md", "utf8");
    assert.deepEqual(
      [...shown].filter((text) => !page.includes(text)),
      [],
    );
  });
});
