import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suiteLanguage } from "../support/languages";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { suiteStacks } from "../support/stack";

describe("settings of the plugin", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();
  suiteLanguage("yaml");

  /** The names of all projects that a key reaches. */
  const names = async (key: string): Promise<readonly string[]> =>
    (await platform().call("GET", "/projects", undefined, { key })).body.projects.map(({ name }) => name);

  it("are rejected if unknown, come from an explicit provider if there is one, and lead to the command for a rotated key", async () => {
    const { apiUrl } = platform();
    const otherKey = await platform().signIn("other@example.com");
    const own = { provider: "${other}" };
    const search = { function: "neon:getProjects", arguments: { search: "${theirs.name}" }, return: "projects" };
    const program = {
      resources: {
        rotated: { type: "neon:Project" },
        pr: { type: "neon:Branch", properties: { projectId: "${rotated.id}" } },
        other: { type: "pulumi:providers:neon", properties: { apiKey: otherKey, apiUrl } },
        theirs: { type: "neon:Project", options: own },
      },
      variables: { found: { "fn::invoke": { ...search, options: own } } },
      outputs: { found: "${found[0].name}" },
    };
    const stack = await newStack({
      platform: platform(),
      config: { "neon:apiUrll": "x" },
      language: { name: "yaml", project: withPlugin, files: { "Main.yaml": JSON.stringify(program) } },
    });
    const { text } = await stack.failing("up");
    assert.match(text, /neon:apiUrll: is no setting; did you mean apiUrl\?/);
    stack.unset("neon:apiUrll");
    await stack.up();
    assert.deepEqual(stack.outputs(), { found: "theirs" });
    assert.deepEqual(await names(platform().apiKey), ["rotated"]);
    assert.deepEqual(await names(otherKey), ["theirs"]);

    const { body } = await platform().call("POST", "/api_keys", { key_name: "fresh" });
    const { key } = body as unknown as { readonly key: string };
    const old = (await platform().call("GET", "/api_keys")).body as unknown as readonly { id: number; name: string }[];
    for (const { id, name } of old)
      if (name !== "fresh") await platform().call("DELETE", `/api_keys/${id}`, undefined, { key });
    stack.configure({}, { "neon:apiKey": key });
    assert.match(
      (await stack.failing("refresh")).text,
      /HTTP 401.*Set the key with `pulumi config set --secret neon:apiKey`, then run `pulumi up --refresh=false`/,
    );
    await stack.refresh("--run-program", "--expect-no-changes");
    await stack.refresh("--expect-no-changes");
    await stack.destroy();
    assert.deepEqual([await names(key), await names(otherKey)], [[], []]);
  });
});
