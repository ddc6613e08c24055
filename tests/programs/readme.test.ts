import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { describe, it } from "mocha";
import ts from "typescript";

import { suitePlatform } from "../support/platform";
import { branchNames, inventory, suiteStacks } from "../support/stack";

/** The pieces of TypeScript in the README. The first one is the quickstart, which is run as an example. */
function blocks(): string[] {
  const text = readFileSync("README.md", "utf8");
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block).slice(1);
}

describe("programs: the README", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const other = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("shows programs that do what it says", async () => {
    const { project } = await platform().project({ name: "by-hand" });
    const programs = blocks().filter((block) => block.includes('from "neon-pulumi"'));
    assert.ok(programs.length >= 3);
    const stack = await newStack({
      platform: platform(),
      environment: { TS_NODE_TRANSPILE_ONLY: "true" },
      program: "",
    });
    await stack.configure({}, { otherApiKey: platform().apiKey });
    for (const [index, block] of programs.entries()) {
      writeFileSync(join(stack.folder, `block${index}.ts`), block.replaceAll("spring-example-302709", project.id));
    }
    stack.write(programs.map((_, index) => `export * from "./block${index}";`).join("\n"), "index.ts");
    await stack.up();
    assert.deepEqual(Object.keys(await inventory(platform())).sort(), ["archive", "shop"]);
    assert.deepEqual(await branchNames(platform(), "shop"), ["main", "pr-42"]);
    const { host, databaseUrl } = await stack.outputs();
    assert.match(String(host), /^ep-/);
    assert.match(String(databaseUrl), /^postgresql:\/\/[^@]+@ep-[\w-]+-pooler\./);
  });

  it("shows scripts that run", async () => {
    const scripts = blocks().filter((block) => /from "neon-pulumi\/\w+"/.test(block));
    assert.equal(scripts.length, 2);
    await other().project({ name: "workshop" });
    for (const script of scripts) {
      const { outputText } = ts.transpileModule(script, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
      // The README leaves the base URL out, which is the vendor's: here it must not be.
      const code = outputText.replace(
        "PlatformClient({",
        `PlatformClient({ apiUrl: ${JSON.stringify(other().apiUrl)},`,
      );
      const { stdout } = await promisify(execFile)(process.execPath, ["-e", code], {
        env: { ...process.env, NEON_API_KEY: other().apiKey },
      });
      assert.match(stdout, /workshop|http:\/\/127\.0\.0\.1/);
    }
    assert.ok((await inventory(other()))["shop"]);
  });
});
