import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { suiteFolder } from "../support/folder";
import { cliFolder } from "../support/cli";

describe("programs: the schema of the plugin", () => {
  const home = suiteFolder("neon-pulumi-home-");

  it("`pulumi schema check` accepts it without a warning", async () => {
    const pulumi = join(cliFolder(), "pulumi");
    const env = { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "1" };
    const { stdout, stderr } = await promisify(execFile)(pulumi, ["schema", "check", "plugin/schema.json"], { env });
    assert.equal(stdout + stderr, "");
  });

  it("Pulumi reads it from the plugin's folder, as `pulumi package add` and `pulumi install` do", async () => {
    const env = { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "1" };
    const args = ["package", "get-schema", `${process.cwd()}/plugin`];
    const { stdout } = await promisify(execFile)(join(cliFolder(), "pulumi"), args, { env, maxBuffer: 1e8 });
    const schemaOf = (text: string): readonly string[] =>
      Object.keys((JSON.parse(text) as { readonly resources: object }).resources);
    assert.deepEqual(schemaOf(stdout), schemaOf(readFileSync("plugin/schema.json", "utf8")));
  });

  it("names the package whose classes programs import, as `pulumi import` prints them", () => {
    const { language, resources } = JSON.parse(readFileSync("plugin/schema.json", "utf8")) as {
      readonly language: { readonly nodejs: { readonly packageName: string } };
      readonly resources: object;
    };
    const { name } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly name: string };
    assert.equal(language.nodejs.packageName, name);
    for (const token of Object.keys(resources)) {
      assert.equal(
        typeof (neon as Readonly<Record<string, unknown>>)[token.replace("neon:index:", "")],
        "function",
        token,
      );
    }
  });
});
