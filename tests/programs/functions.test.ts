import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { describe, it } from "mocha";

import { filesIn } from "../support/files";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { inventory, type Stack, suiteStacks, unattended } from "../support/stack";

/** The value of a variable, which may be nowhere in plain text. */
const secret = "t0p-of-the-environment";

/** The parts of the program that the steps change. */
interface Edit {
  readonly code?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** A program with each kind that concerns functions of a branch. */
function program(project: string, { code = "one", variables = {}, text = "<svg/>" }: Edit = {}): string {
  const handler =
    code === "broken"
      ? "export default {"
      : `export default { fetch: () => Response.json(["${code}", process.env.LOG_LEVEL, process.env.TOKEN?.length]) };`;
  return `
    const project = new neon.Project("${project}", { regionId: "aws-us-east-2" });
    const at = { projectId: project.id, branchId: project.defaultBranchId };
    const uploads = new neon.Bucket("uploads", at);
    const token = new pulumi.Config().requireSecret("token");
    const code = new pulumi.asset.AssetArchive({ "index.mjs": new pulumi.asset.StringAsset(${JSON.stringify(handler)}) });
    const environment = { ...${JSON.stringify(variables)}, TOKEN: token };
    const api = new neon.Function("api", { ...at, code, environment });
    new neon.Trigger("hourly", { ...at, functionSlug: api.slug, schedule: { cron: "0 3 1 1 *" } });
    new neon.Trigger("thumbnails", { ...at, functionSlug: api.slug, storageObjectCreated: { bucketName: uploads.name, prefix: "in/" }, functionPath: "/thumbnail" });
    new neon.CustomDomain("www", { ...at, domain: "${project}.example.com", entityId: api.slug });
    new neon.BucketObject("logo", { ...at, bucketName: uploads.name, key: "logo.svg", source: new pulumi.asset.StringAsset(${JSON.stringify(text)}), contentType: "image/svg+xml" });
    exports.url = api.invocationUrl;
    exports.deployment = api.deploymentId;
  `;
}

describe("programs: functions and the objects of a branch", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  for (const [door, project, options] of [
    ["dynamic provider", "shop", {}],
    ["plugin", "store", { project: withPlugin }],
  ] as const) {
    it(`change in place, keep the version before a failed build, and show no value of a variable, through the ${door}`, async () => {
      const stack = await newStack({ platform: platform(), program: program(project), ...options });
      stack.configure({}, { token: secret });
      const logs: string[] = [];
      /** Runs a command that must succeed. */
      const run = async (...args: readonly string[]): Promise<string> => {
        const { text } = await stack.command(...args);
        logs.push(text);
        return text;
      };
      const up = (...flags: readonly string[]): Promise<string> => run("up", ...unattended, ...flags);
      const answer = async (): Promise<unknown> => (await fetch(urlOf(stack))).json();
      const requests = async (step: () => Promise<unknown>): Promise<readonly string[]> => {
        const before = await platform().latestRequest();
        await step();
        return (await platform().requests(before)).map(({ method, path }) => `${method} ${path}`);
      };
      let edit: Edit = { variables: { LOG_LEVEL: "info" } };
      const write = (changed: Edit): void => stack.write(program(project, (edit = { ...edit, ...changed })));

      write({});
      await up();
      const url = urlOf(stack);
      assert.deepEqual(await answer(), ["one", "info", secret.length]);
      assert.deepEqual(await requests(() => up()), []);

      // An edit changes the function and the object in place, as its preview announces, and the URL stays.
      write({ code: "two", variables: { LOG_LEVEL: "debug" }, text: "<svg>2</svg>" });
      const preview = await run("preview", "--diff");
      assert.match(preview, /~ 2 to update\n +\d+ unchanged/);
      for (const input of ["code", "environment", "source"]) {
        assert.match(preview, new RegExp(`^ +[~+-] ${input}\\b`, "m"));
      }
      const sent = await requests(() => up());
      assert.equal(sent.filter((one) => one.endsWith("/deployments")).length, 1);
      assert.deepEqual(await answer(), ["two", "debug", secret.length]);
      assert.equal(urlOf(stack), url);
      await run("refresh", ...unattended);
      assert.deepEqual(await requests(() => up()), []);

      // The build fails. The previous version still answers, until the next `up`.
      write({ code: "broken" });
      const failed = await stack.failing("up");
      logs.push(failed.text);
      assert.match(failed.text, /Deployment \d+ of the function api failed: .*(SyntaxError|Unexpected)/);
      assert.deepEqual(await answer(), ["two", "debug", secret.length]);
      write({ code: "three", variables: {} });
      await up();
      assert.deepEqual(await answer(), ["three", null, secret.length]);

      const kept = [...logs, ...filesIn(stack.kept).map((file) => readFileSync(file, "latin1"))];
      assert.ok(!kept.some((text) => text.includes(secret)), "the value of a variable is in clear");
      await run("destroy", ...unattended);
      stack.assertEmpty();
      assert.equal((await inventory(platform()))[project], undefined);
    });
  }
});

/** The URL of the function. */
function urlOf(stack: Stack): string {
  return String(stack.outputs()["url"]);
}
