import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { inventory, suiteStacks, type CliResult } from "../support/stack";

/** What a failed run complains about, line by line, without the engine's own summing up. */
function complaints({ text }: CliResult): string[] {
  const diagnostics = text.slice(text.indexOf("Diagnostics:"));
  return [...diagnostics.matchAll(/^ +error: (.*)$/gm)]
    .map(([, line = ""]) => line)
    .filter((line) => !/^(preview|update|refresh|destroy) failed$|^Resource monitor has terminated/.test(line));
}

describe("programs: keys, settings and inputs that are wrong", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("a rotated key works after one `up`, and what comes before says so", async () => {
    const stack = await newStack({
      platform: platform(),
      program: `
        const project = new neon.Project("rotated", {});
        new neon.Branch("pr", { projectId: project.id });
      `,
    });
    await stack.up();
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
        /^(GET|DELETE) \S+ failed with HTTP 401: .*API key is invalid or revoked.* Set the key with `pulumi config set --secret neon:apiKey`, then run `pulumi up --refresh=false`: `refresh` and `destroy` use the (key|settings) of the last `up`\.$/,
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

describe("programs: settings that are missing or wrong", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("give one error each that names the setting and says what to do", async () => {
    const stack = await newStack({
      program: `
        const project = new neon.Project("never", {});
        new neon.Branch("pr", { projectId: project.id });
      `,
    });
    assert.deepEqual(complaints(await stack.failing("preview")), [
      "pulumi-nodejs:dynamic/neon:Project resource 'never': property neon:apiKey value {<nil>} has a problem: is missing: set it with `pulumi config set --secret neon:apiKey`, or set NEON_API_KEY",
    ]);

    const { apiKey, apiUrl } = platform();
    const wrong = {
      "neon:apiUrl": platform().platform.consoleUrl,
      "neon:operationTimeout": "soon",
      "neon:logLevel": "loud",
    };
    stack.configure(wrong, { "neon:apiKey": apiKey });
    const misnamed = { "neon:apiHost": apiUrl, "neon:regoin": "x" };
    stack.configure(misnamed);
    const refused = await stack.failing("preview");
    assert.match(
      refused.text,
      /warning: The setting neon:apiHost does not exist and is ignored\. Did you mean neon:apiUrl\?/,
    );
    assert.match(
      refused.text,
      /warning: The setting neon:regoin does not exist .* The settings are apiKey, apiUrl, orgId, /,
    );
    assert.doesNotMatch(refused.text, /plain text/);
    const several = complaints(refused);
    assert.equal(several.length, 3);
    for (const setting of Object.keys(wrong)) {
      assert.equal(
        several.filter((line) => line.includes(`property ${setting} `) && line.includes("must be")).length,
        1,
      );
    }

    stack.unconfigure("neon:operationTimeout", "neon:logLevel", ...Object.keys(misnamed));
    stack.configure({ "neon:apiUrl": apiUrl });
    stack.write(`
      const provider = new neon.Provider("unreachable", { apiUrl: "http://127.0.0.1:9/api/v2" });
      new neon.Project("unreachable", {}, { provider });
    `);
    const unreachable = complaints(await stack.failing("up"));
    assert.equal(unreachable.length, 1, unreachable.join("\n"));
    assert.match(
      unreachable[0] ?? "",
      /http:\/\/127\.0\.0\.1:9\/api\/v2 has never returned a response\. Check the base URL\./,
    );

    assert.deepEqual(await inventory(platform()), {});
    stack.assertEmpty();
  });

  it("and so do inputs, options and lookups", async () => {
    const stack = await newStack({
      platform: platform(),
      program: `
        new neon.Project("wrong", {
          regionID: "aws-eu-central-1",
          pgVersion: "17",
          historyRetentionSeconds: 99999999,
          settings: { maintenanceWindow: { weekdays: [9], startTime: "25:00", endTime: "06:00" } },
        });
      `,
    });
    const inputs = complaints(await stack.failing("preview"));
    const property = (path: string, reason: string): boolean =>
      inputs.filter((line) => line.includes(`property ${path} value`) && line.includes(reason)).length === 1;
    assert.ok(property("regionID", "there is no such property here; did you mean regionId?"), inputs.join("\n"));
    assert.ok(property("pgVersion", "must be a number, not a string"), inputs.join("\n"));
    assert.ok(property("historyRetentionSeconds", "must be at most 2592000"), inputs.join("\n"));
    assert.ok(property("settings.maintenanceWindow.weekdays.0", "must be at most 7"), inputs.join("\n"));
    assert.ok(property("settings.maintenanceWindow.startTime", "must be a time of day in UTC"), inputs.join("\n"));
    assert.equal(inputs.length, 5);

    stack.write(
      'new neon.Branch("wrong", { projectId: undefined, compute: { autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 } });',
    );
    const missing = complaints(await stack.failing("preview"));
    assert.match(missing.join("\n"), /property projectId value \{<nil>\} has a problem: is required/);
    assert.match(missing.join("\n"), /property compute .*the minimum of 4 CU is above the maximum of 2 CU/);
    assert.equal(missing.length, 2);

    stack.configure({}, { "neon:apiKey": "napi_mistyped" });
    stack.write("exports.all = neon.getProjectsOutput();");
    assert.match(
      (await stack.failing("preview")).text,
      /GET \/projects failed with HTTP 401: .*The API key is invalid or revoked/,
    );
    assert.deepEqual(await inventory(platform()), {});
  });
});
