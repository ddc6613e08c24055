import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { describe, it } from "mocha";

import { filesIn } from "../support/files";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { inventory, type Stack, suiteStacks, unattended } from "../support/stack";
import { until } from "../support/until";

/** A value of a variable, which may stand nowhere in clear. */
const secret = "t0p-of-the-environment";

/** What the steps change of the program. */
interface Edit {
  readonly code?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly name?: string;
  readonly text?: string;
  /** The time limit of the function's changes. */
  readonly update?: string;
}

/** All kinds of a branch that run, or are read by, its functions. */
function program(project: string, { code = "one", variables = {}, name, text = "<svg/>", update }: Edit = {}): string {
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
    const api = new neon.Function("api", { ...at, code, environment, name: ${JSON.stringify(name)} }, {
      customTimeouts: ${JSON.stringify(update === undefined ? {} : { update })},
    });
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
    it(`live through every change and failure, through the ${door}`, async () => {
      const stack = await newStack({ platform: platform(), program: program(project), ...options });
      stack.configure({}, { token: secret });
      const logs: string[] = [];
      /** Runs a command that has to end well. */
      const run = async (...args: readonly string[]): Promise<string> => {
        const { text } = await stack.command(...args);
        logs.push(text);
        return text;
      };
      const up = (...flags: readonly string[]): Promise<string> => run("up", ...unattended, ...flags);
      const failingUp = async (): Promise<string> => {
        const { text } = await stack.failing("up");
        logs.push(text);
        return text;
      };
      const answer = async (): Promise<unknown> => (await fetch(urlOf(stack))).json();
      const deployments = async (step: () => Promise<unknown>): Promise<number> => {
        const before = await platform().latestRequest();
        await step();
        return (await platform().requests(before)).filter(({ path }) => path.endsWith("/deployments")).length;
      };
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

      // Each edit changes the function in place, as its preview says, and its URL stays.
      for (const [change, input, expected, count] of [
        [{ code: "two" }, "code", ["two", "info", secret.length], 1],
        [{ variables: { LOG_LEVEL: "debug" } }, "environment", ["two", "debug", secret.length], 1],
        [{ variables: {} }, "environment", ["two", null, secret.length], 1],
        [{ name: "The API" }, "name", ["two", null, secret.length], 0],
      ] as const) {
        write(change);
        const preview = await run("preview", "--diff");
        assert.match(preview, /~ 1 to update\n +\d+ unchanged/, input);
        assert.match(preview, new RegExp(`^ +[~+-] ${input}\\b`, "m"));
        assert.equal(await deployments(() => up()), count, input);
        assert.deepEqual(await answer(), expected);
        assert.equal(urlOf(stack), url);
      }
      await run("refresh", ...unattended);
      assert.deepEqual(await requests(() => up()), []);

      // The build fails: the version before answers on, until the next `up`.
      write({ code: "broken" });
      assert.match(await failingUp(), /Deployment \d+ of the function api failed: .*(SyntaxError|Unexpected)/);
      assert.deepEqual(await answer(), ["two", null, secret.length]);
      write({ code: "three" });
      assert.equal(await deployments(() => up()), 1);
      assert.deepEqual(await answer(), ["three", null, secret.length]);

      // It hangs past the time limit: the next `up` waits for the same deployment.
      await platform().fault({ action: "deploy_function", end: "stuck" });
      write({ code: "four", update: "1s" });
      assert.match(await failingUp(), /Deployment \d+ of the function api did not end in time/);
      await platform().clearFaults();
      write({ update: "5m" });
      assert.equal(await deployments(() => up()), 0);
      assert.deepEqual(await answer(), ["four", null, secret.length]);

      // The answer to an upload is lost: what was stored is found.
      await platform().fault({ method: "PUT", path: "logo\\.svg", reset: "after" });
      write({ text: "<svg>2</svg>" });
      const uploads = (await requests(() => up())).filter((one) => one.startsWith("PUT "));
      assert.equal(uploads.length, 1, "it is uploaded once");
      assert.deepEqual((await platform().local("GET", "/faults")).body, { faults: [] }, "the answer was lost");
      assert.deepEqual(await requests(() => up()), []);

      // All of it is killed while a new function is deployed: consent takes it over.
      await platform().fault({ action: "deploy_function", end: "stuck" });
      stack.write(`${program(project, edit)}\nnew neon.Function("again", { ...at, code, environment });`);
      const killed = stack.start(["up", ...unattended], true);
      await until(async () => (await pathsOf()).some((path) => path.endsWith("/functions/again/deployments")));
      stack.kill(killed.pid);
      await killed.ended;
      stack.unlock();
      await platform().clearFaults();
      stack.environment["NEON_ADOPT"] = "true";
      await up();
      delete stack.environment["NEON_ADOPT"];
      assert.deepEqual(await requests(() => up()), []);
      const { projectId, branchId } = stack.resource("again").outputs as Readonly<Record<string, string>>;
      const { body } = await platform().call("GET", `/projects/${projectId}/branches/${branchId}/functions`);
      assert.deepEqual(body.functions.map(({ slug }) => slug).sort(), ["again", "api"]);

      const kept = [...logs, ...filesIn(stack.kept).map((file) => readFileSync(file, "latin1"))];
      assert.ok(!kept.some((text) => text.includes(secret)), "the value of a variable is in clear");
      await run("destroy", ...unattended);
      stack.assertEmpty();
      assert.equal((await inventory(platform()))[project], undefined);
    });
  }

  const pathsOf = async (): Promise<string[]> => (await platform().requests()).map(({ path }) => path);
});

/** The URL of the function. */
function urlOf(stack: Stack): string {
  return String(stack.outputs()["url"]);
}
