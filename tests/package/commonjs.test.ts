import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { builtinModules, createRequire } from "node:module";
import { promisify } from "node:util";

import { describe, it } from "mocha";

import { filesIn } from "../support/files";
import { suitePlatform } from "../support/platform";

/** Node without `require` of ES modules, as loaders of CommonJS are that do not ask Node: that of Jest, for one. */
async function commonJsOnly(script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const args = ["--no-experimental-require-module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  return stdout;
}

/** What the files of the packages require from elsewhere, also in functions, and where Node finds it. */
function requiredFiles(): readonly string[] {
  const compiled = ["api", "provider", "sdk", "platform"].flatMap((folder) => filesIn(`dist/${folder}`));
  const found = new Set<string>();
  for (const file of compiled.filter((name) => name.endsWith(".js") && !name.includes("/tests/"))) {
    const { resolve } = createRequire(`${process.cwd()}/${file}`);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/\brequire\("([^".][^"]*)"\)/g)) {
      if (!name.startsWith("node:") && !builtinModules.includes(name)) found.add(resolve(name));
    }
  }
  return [...found].sort();
}

describe("package: loaders of CommonJS", () => {
  const platform = suitePlatform({ operationTime: "20ms" });

  it("no file of the packages requires an ES module", async () => {
    const files = requiredFiles();
    assert.ok(files.length > 10, `only ${files.join(", ")}`);
    const script = `
      const failed = ${JSON.stringify(files)}.filter((file) => {
        try { require(file); } catch (error) { if (error.code === "ERR_REQUIRE_ESM") return true; throw error; }
      });
      process.stdout.write(JSON.stringify(failed), () => process.exit());
    `;
    assert.deepEqual(JSON.parse(await commonJsOnly(script)), []);
  });

  it("the client sends requests without ES modules", async () => {
    await platform().project({ name: "plain" });
    const { apiKey, apiUrl } = platform();
    const script = `
      for (const entry of ["sdk", "api", "platform", "provider/v1"]) require(process.cwd() + "/dist/" + entry);
      const { NeonClient, projects } = require(process.cwd() + "/dist/api");
      const client = new NeonClient({ apiKey: process.env.KEY, apiUrl: process.env.URL });
      (async () => {
        for await (const { name } of client.list(projects.list())) console.log(name);
        process.exit();
      })();
    `;
    assert.equal(await commonJsOnly(script, { KEY: apiKey, URL: apiUrl }), "plain\n");
  });
});
