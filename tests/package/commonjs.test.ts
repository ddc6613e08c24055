import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { builtinModules, createRequire } from "node:module";
import { promisify } from "node:util";

import { describe, it } from "mocha";

import { filesIn } from "../support/files";

/** What the files of the packages require from elsewhere, also in functions, and where Node finds it. */
function requiredFiles(): readonly string[] {
  const compiled = ["api", "bundle", "provider", "sdk", "platform"].flatMap((folder) => filesIn(`dist/${folder}`));
  const found = new Set<string>();
  for (const file of compiled.filter((name) => name.endsWith(".js") && !name.includes("/tests/"))) {
    const { resolve } = createRequire(`${process.cwd()}/${file}`);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/(?<![.\w])require\("([^".][^"]*)"\)/g)) {
      if (!name.startsWith("node:") && !builtinModules.includes(name)) found.add(resolve(name));
    }
  }
  return [...found].sort();
}

/** Some loaders of CommonJS do not ask Node for `require` of ES modules: that of Jest, for one. */
describe("package: loaders of CommonJS", () => {
  it("no file of the packages requires an ES module", async () => {
    const files = requiredFiles();
    assert.ok(files.length > 10, `only ${files.join(", ")}`);
    const script = `
      const failed = ${JSON.stringify(files)}.filter((file) => {
        try { require(file); } catch (error) { if (error.code === "ERR_REQUIRE_ESM") return true; throw error; }
      });
      process.stdout.write(JSON.stringify(failed), () => process.exit());
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ["--no-experimental-require-module", "-e", script]);
    assert.deepEqual(JSON.parse(stdout), []);
  });
});
