import assert from "node:assert/strict";
import { join } from "node:path";

import { describe, it } from "mocha";

import { writeFiles } from "../support/files";
import { suiteFolder } from "../support/folder";
import { pythonMetadata, suiteGenerator, suiteLanguage } from "../support/languages";
import { suitePlatform, type TestPlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { suiteStacks } from "../support/stack";

describe("settings of the plugin", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();
  const generateSdk = suiteGenerator();
  const sdk = suiteFolder("neon-pulumi-sdk-");

  describe("in python", () => {
    suiteLanguage("python");

    it("are those of an explicit provider for the resources and functions that use it", async () => {
      await generateSdk("python", join("plugin", "schema.json"), sdk);
      writeFiles(sdk, pythonMetadata("neon_pulumi", "0.1.0"));
      const apiKey = await platform().signIn("python@example.com");
      const stack = await newStack({
        platform: platform(),
        language: {
          name: "python",
          project: withPlugin,
          files: {
            "__main__.py": `
import pulumi
import neon_pulumi as neon

other = neon.Provider("other", api_key="${apiKey}", api_url="${platform().apiUrl}")
neon.Project("ours")
theirs = neon.Project("theirs", opts=pulumi.ResourceOptions(provider=other))
found = neon.get_projects_output(search=theirs.name, opts=pulumi.InvokeOutputOptions(provider=other))
pulumi.export("found", found.projects.apply(lambda all: all[0].name))
`,
          },
        },
        environment: { PYTHONPATH: sdk },
      });
      await stack.up();
      assert.deepEqual(stack.outputs(), { found: "theirs" });
      assert.deepEqual(await names(platform(), platform().apiKey), ["ours"]);
      assert.deepEqual(await names(platform(), apiKey), ["theirs"]);
      await stack.up("--expect-no-changes");
      await stack.destroy();
      assert.deepEqual(await names(platform(), apiKey), []);
    });
  });

  describe("of a stack", () => {
    suiteLanguage("yaml");

    it("name an unknown one, and a rotated key with the command that uses it", async () => {
      const account = platform();
      const stack = await newStack({
        platform: account,
        config: { "neon:apiUrll": "x" },
        language: {
          name: "yaml",
          project: withPlugin,
          files: {
            "Main.yaml":
              'resources: { rotated: { type: neon:Project }, pr: { type: neon:Branch, properties: { projectId: "${rotated.id}" } } }',
          },
        },
      });
      const { text } = await stack.failing("up");
      assert.match(text, /neon:apiUrll: is no setting; did you mean apiUrl\?/);
      stack.unset("neon:apiUrll");
      await stack.up();

      const { body } = await account.call("POST", "/api_keys", { key_name: "fresh" });
      const { key } = body as unknown as { readonly key: string };
      const old = (await account.call("GET", "/api_keys")).body as unknown as readonly { id: number; name: string }[];
      for (const { id, name } of old)
        if (name !== "fresh") await account.call("DELETE", `/api_keys/${id}`, undefined, { key });
      stack.configure({}, { "neon:apiKey": key });
      assert.match(
        (await stack.failing("refresh")).text,
        /HTTP 401.*Set the key with `pulumi config set --secret neon:apiKey`, then run `pulumi up --refresh=false`/,
      );
      await stack.refresh("--run-program", "--expect-no-changes");
      await stack.refresh("--expect-no-changes");
      await stack.destroy();
      assert.deepEqual(await names(account, key), []);
    });
  });
});

/** The names of all projects that a key reaches. */
async function names(platform: TestPlatform, key: string): Promise<readonly string[]> {
  return (await platform.call("GET", "/projects", undefined, { key })).body.projects.map(({ name }) => name);
}
