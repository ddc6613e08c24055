import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { inventory, suiteStacks, type CliResult } from "../support/stack";

/** The errors of a failed run by line, without the engine's summary. */
function complaints({ text }: CliResult): string[] {
  const diagnostics = text.slice(text.indexOf("Diagnostics:"));
  return [...diagnostics.matchAll(/^ +error: (.*)$/gm)]
    .map(([, line = ""]) => line)
    .filter((line) => !/^(preview|update|refresh|destroy) failed$|^Resource monitor has terminated/.test(line));
}

describe("programs: settings", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("a rotated key works after one `up`, as commands before it say, and an unknown setting is named", async () => {
    const stack = await newStack({
      platform: platform(),
      config: { "neon:regoin": "x" },
      program: `
        const project = new neon.Project("rotated", {});
        new neon.Branch("pr", { projectId: project.id });
      `,
    });
    assert.match(
      (await stack.up()).text,
      /warning: The setting neon:regoin does not exist .* The settings are apiKey, apiUrl, orgId, /,
    );
    const before = await inventory(platform());
    const old = (await platform().call("GET", "/api_keys")).body as unknown as readonly { id: number }[];
    const made = (await platform().call("POST", "/api_keys", { key_name: "fresh" })).body as unknown as { key: string };
    const call = { key: made.key };
    stack.configure({}, { "neon:apiKey": made.key });
    for (const { id } of old) await platform().call("DELETE", `/api_keys/${id}`, undefined, call);

    for (const command of ["refresh", "destroy"] as const) {
      const failed = complaints(await stack.failing(command));
      assert.equal(new Set(failed.map((line) => line.replace(/(GET|DELETE) \S+|\[request \S+\]/g, "…"))).size, 1);
      assert.match(
        failed[0] ?? "",
        /^(GET|DELETE) \S+ failed with HTTP 401: supplied credentials do not pass authentication.* Set the key with `pulumi config set --secret neon:apiKey`, then run `pulumi up --refresh=false`: `refresh` and `destroy` use the (key|settings) of the last `up`\.( See neon-pulumi\/docs\/troubleshooting\.md#[\w-]+\.)?$/,
      );
    }
    const { projects } = (await platform().call("GET", "/projects", undefined, call)).body;
    assert.deepEqual(
      projects.map(({ id }) => id),
      [before["rotated"]?.id],
      "nothing was changed",
    );

    await stack.up();
    await stack.destroy();
    assert.deepEqual((await platform().call("GET", "/projects", undefined, call)).body.projects, []);
  });
});
