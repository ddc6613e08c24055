import assert from "node:assert/strict";
import { join } from "node:path";

import { beforeEach, describe, it } from "mocha";

import { assetArchive, codeOf, fileArchive, fileAsset, stringAsset } from "../support/contents";
import { EngineResource } from "../support/engine";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { writeFiles } from "../support/files";
import { suiteFolder } from "../support/folder";
import { ProviderServer, unknownText, type Values } from "../support/provider-server";
import { ScriptedFunctions } from "../support/scripted-functions";
import { ScriptedServer } from "../support/scripted-server";
import { suite } from "../support/suite";

const at = { projectId: "shop-1", branchId: "br-1" };
const hello = codeOf("export default { fetch: () => new Response('Hello') };");
const bye = codeOf("export default { fetch: () => new Response('Bye') };");

describe("Function", () => {
  const platform = suite(
    () => ScriptedServer.start(),
    (server) => server.close(),
  );
  const provider = suite(
    () => ProviderServer.start({ config: { apiKey: "key-1234567890123456", apiUrl: platform().apiUrl } }),
    (server) => server.stop(),
  );
  const folder = suiteFolder("neon-pulumi-function-");
  let functions: ScriptedFunctions;
  let count = 0;
  beforeEach(() => {
    functions = new ScriptedFunctions();
    platform().answer(functions.script);
  });

  const resource = (): EngineResource => new EngineResource(provider(), "Function", `api${(count += 1)}`);

  /** A function that was created as declared. */
  async function created(args: Values): Promise<EngineResource> {
    const made = resource();
    assert.equal(await made.up({ ...at, ...args }), "create");
    return made;
  }

  it("is created by a deployment that is waited for, and an unchanged program sends nothing", async () => {
    const environment = { LOG_LEVEL: "info", TOKEN: "secret-token" };
    functions.polls = 3;
    const one = await created({ code: hello, environment });
    assert.deepEqual(functions.deployments, [{ hasZip: true, environment, runtime: undefined }]);
    const { outputs } = one;
    assert.equal(outputs["deploymentId"], 1);
    assert.equal(outputs["name"], one.name);
    assert.deepEqual(outputs["environmentNames"], ["LOG_LEVEL", "TOKEN"]);
    assert.match(String(outputs["codeHash"]), /^[0-9a-f]{64}$/);
    assert.equal(outputs["code"], undefined);
    platform().requests.length = 0;
    assert.equal(await one.up({ ...at, code: hello, environment }), "same");
    assert.deepEqual(platform().requests, []);
    assert.equal(await one.refresh(), "same");
    assert.equal(await one.up({ ...at, code: hello, environment }), "same");
  });

  it("sends only what has changed, and a dropped variable as an empty value", async () => {
    const environment = { A: "1", B: "2" };
    const one = await created({ code: hello, environment });
    assert.equal(await one.up({ ...at, code: bye, environment }), "update");
    assert.equal(await one.up({ ...at, code: bye, environment: { A: "3" } }), "update");
    assert.equal(await one.up({ ...at, code: bye, environment: { A: "3" }, name: "The API" }), "update");
    assert.equal(await one.up({ ...at, code: bye }), "update");
    assert.deepEqual(functions.deployments.slice(1), [
      { hasZip: true, environment: undefined, runtime: undefined },
      { hasZip: false, environment: { A: "3", B: "" }, runtime: undefined },
      { hasZip: false, environment: { A: "" }, runtime: undefined },
    ]);
    assert.deepEqual(functions.changes, ['PATCH {"name":"The API"}', 'PATCH {"name":null}']);
    assert.equal(one.outputs["deploymentId"], 4);
    assert.deepEqual(one.outputs["environmentNames"], []);
  });

  it("keeps the code that `ignoreChanges` names, whatever its files are by now, and still changes the rest", async () => {
    const code = fileArchive(join(folder, "ignored"));
    writeFiles(folder, { "ignored/index.mjs": "export default { fetch: () => new Response('Hello') };" });
    const one = await created({ code });
    writeFiles(folder, { "ignored/index.mjs": "export default { fetch: () => new Response('Bye') };" });
    const options = { ignoreChanges: ["code"] };
    assert.equal(await one.up({ ...at, code }, options), "same");
    assert.equal(await one.up({ ...at, code, environment: { A: "1" } }, options), "update");
    assert.deepEqual(functions.deployments.slice(1), [{ hasZip: false, environment: { A: "1" }, runtime: undefined }]);
    assert.equal(await one.up({ ...at, code, environment: { A: "1" } }), "update");
    assert.equal(functions.deployments.at(-1)?.hasZip, true);
  });

  it("is named right after the first deployment", async () => {
    const one = await created({ code: hello, name: " The API " });
    assert.equal(one.outputs["name"], "The API");
    assert.equal(await one.refresh(), "same");
    assert.equal(await one.up({ ...at, code: hello, name: " The API " }), "same");
    assert.equal(functions.deployments.length, 1);
  });

  it("reports a failed deployment with Neon's reason but without values of variables, and deploys again with the next run", async () => {
    const one = await created({ code: hello });
    const args = { ...at, code: bye, environment: { TOKEN: "secret-token" } };
    functions.ends = "failed";
    functions.error = "Error: bad secret-token";
    await assert.rejects(
      one.up(args),
      failsWith("Deployment 2 of the function", "failed: Error: bad [secret]", "resumes from here"),
    );
    assert.doesNotMatch(JSON.stringify(one.present.failed), /secret-token/);
    functions.ends = "completed";
    assert.equal(await one.up(args), "update");
    assert.deepEqual(functions.deployments.at(-1), {
      hasZip: true,
      environment: { TOKEN: "secret-token" },
      runtime: undefined,
    });
    assert.equal(await one.up(args), "same");
    assert.equal(one.outputs["deploymentId"], 3);
  });

  it("is deployed again with the next run if its first deployment has failed", async () => {
    const one = resource();
    functions.ends = "failed";
    await assert.rejects(one.up({ ...at, code: hello }), failsWith("Deployment 1 of the function", "SyntaxError"));
    functions.ends = "completed";
    assert.equal(await one.refresh(), "changed");
    assert.equal(await one.up({ ...at, code: hello }), "update");
    assert.equal(await one.up({ ...at, code: hello }), "same");
    assert.equal(functions.deployments.length, 2);
  });

  it("waits for a deployment that hung past the time limit, and does not deploy the same again", async () => {
    const one = await created({ code: hello });
    functions.ends = "building";
    const timeouts = { create: "1s", update: "1s" };
    await assert.rejects(one.up({ ...at, code: bye }, { timeouts }), failsWith("did not end in time: it is building"));
    const other = resource();
    await assert.rejects(other.up({ ...at, code: hello }, { timeouts }), failsWith("did not end in time"));
    assert.equal(functions.deployments.length, 3);
    functions.ends = "completed";
    functions.polls = 0;
    for (const [pending, code] of [
      [one, bye],
      [other, hello],
    ] as const) {
      assert.equal(await pending.up({ ...at, code }), "update");
      assert.equal(await pending.up({ ...at, code }), "same");
    }
    assert.equal(functions.deployments.length, 3);
    assert.equal(one.outputs["deploymentId"], 2);
  });

  it("does not take somebody else's deployment for one whose answer was lost", async () => {
    const one = await created({ code: hello });
    functions.losesNext = true;
    functions.onDeploy = () => {
      functions.onDeploy = () => undefined;
      functions.deploy(one.name, ["FOREIGN"]);
    };
    assert.equal(await one.up({ ...at, code: bye }), "update");
    assert.equal(functions.deployments.length, 2);
    assert.equal(one.outputs["deploymentId"], 3);
  });

  it("is not taken for its own if somebody else has created it, and the answer was lost", async () => {
    const one = resource();
    functions.losesNext = true;
    functions.onDeploy = () => functions.deploy(one.name, ["FOREIGN"]);
    await assert.rejects(one.up({ ...at, code: hello }), failsWith("already exists"));
    assert.equal(functions.deployments.length, 0);
  });

  it("reports that somebody else has deployed while it waited", async () => {
    const one = await created({ code: hello });
    functions.ends = "building";
    functions.onRead = () => functions.deploy(one.name);
    await assert.rejects(
      one.up({ ...at, code: bye }, { timeouts: { update: "20s" } }),
      failsWith("was overtaken by deployment 3"),
    );
  });

  it("is waited for if it is not found right after its first deployment", async () => {
    functions.misses = 3;
    const one = await created({ code: hello });
    assert.equal(functions.misses, 0);
    assert.equal(one.outputs["deploymentId"], 1);
  });

  it("shows somebody else's deployment in a refresh, and deploys again what is declared", async () => {
    const args = { ...at, code: hello, environment: { A: "1" } };
    const one = await created(args);
    functions.deploy(one.name, ["A", "FOREIGN"]);
    assert.equal(await one.refresh(), "changed");
    assert.equal(await one.up(args), "update");
    assert.deepEqual(functions.deployments.at(-1), {
      hasZip: true,
      environment: { A: "1", FOREIGN: "" },
      runtime: undefined,
    });
    assert.equal(await one.refresh(), "same");
    assert.equal(await one.up(args), "same");
  });

  it("is deployed with the declared code if somebody else, such as a killed run, has deployed since the state was written", async () => {
    const one = await created({ code: hello, environment: { A: "1" } });
    assert.equal(await one.up({ ...at, code: hello, environment: { A: "2" } }), "update");
    assert.equal(functions.deployments.at(-1)?.hasZip, false);
    functions.deploy(one.name, ["A"]);
    assert.equal(await one.up({ ...at, code: hello, environment: { A: "3" } }), "update");
    assert.equal(functions.deployments.at(-1)?.hasZip, true);
  });

  it("keeps undeclared variables when it is adopted, and is deployed only if code is declared", async () => {
    for (const [code, count] of [
      [{}, 0],
      [{ code: hello }, 1],
    ] as const) {
      const one = resource();
      functions.deploy(one.name, ["OLD"]);
      assert.equal(await one.up({ ...at, ...code, adopt: one.name }), "create");
      assert.equal(functions.deployments.length, count);
      assert.deepEqual(one.outputs["environmentNames"], ["OLD"]);
      assert.equal(await one.up({ ...at, ...code }), "same");
    }
  });

  it("is previewed with a file that is not known yet", async () => {
    const code = assetArchive({ "index.mjs": stringAsset("import './host.mjs'"), "host.mjs": unknownText });
    assert.equal((await resource().preview({ ...at, code })).step, "create");
    const one = await created({ code: hello });
    assert.equal((await one.preview({ ...at, code })).step, "update");
  });

  it("is refused in a preview without code, and warned of a slug that Neon's documentation excludes", async () => {
    await assert.rejects(resource().preview(at), refusesInputs({ code: "is required to create a function" }));
    const hyphen = new EngineResource(provider(), "Function", `my-api${(count += 1)}`);
    assert.equal((await hyphen.preview({ ...at, code: hello })).step, "create");
    assert.match(hyphen.warning, /1 to 20 lower-case letters and digits, so it may refuse "my-api/);
    await assert.rejects(
      resource().preview({ ...at, code: hello, environment: { A: "" } }),
      refusesInputs({ "environment.A": /^must not be empty/ }),
    );
    await assert.rejects(resource().preview({ ...at, code: "./dist" }), refusesInputs({ code: /^must be an archive/ }));
  });

  it("is refused in a preview with code that Neon cannot run", async () => {
    const code = assetArchive({ "main.ts": stringAsset("1") });
    const refused = refusesInputs({ code: /^must have index\.mjs or index\.js at its root/ });
    await assert.rejects(resource().preview({ ...at, code }), refused);
    const one = await created({ code: hello });
    await assert.rejects(one.preview({ ...at, code }), refused);
  });

  it("is refused in a preview with code that cannot be read, and with what else is wrong", async () => {
    const preview = (args: Values) => resource().preview({ ...at, environment: { A: "" }, ...args });
    const others = { "environment.A": /^must not be empty/ };
    await assert.rejects(
      preview({ code: fileArchive("missing") }),
      refusesInputs({ code: /^cannot be read: ENOENT/, ...others }),
    );
    const file = fileAsset("missing");
    await assert.rejects(preview({ code: file }), refusesInputs({ code: /^must be an archive/, ...others }));
  });

  it("is previewed with a warning if its code has files that usually hold secrets", async () => {
    const code = assetArchive({
      "index.mjs": stringAsset("1"),
      ".env": stringAsset("A=1"),
      ".git/config": stringAsset(""),
    });
    const one = resource();
    assert.equal((await one.preview({ ...at, code })).step, "create");
    assert.match(
      one.warning,
      /^The code has \.env and 1 more, which is uploaded with it\. Declare secrets in `environment`/,
    );
    const other = resource();
    assert.equal((await other.preview({ ...at, code: hello })).step, "create");
    assert.throws(() => other.warning, /there was no warning/);
  });
});
