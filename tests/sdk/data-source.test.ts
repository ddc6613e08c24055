import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { suitePlatform } from "../support/platform";
import { assertFails, configure, suiteAccount, valueOf } from "./program";
import { pretendEngine } from "./registrations";

describe("a data source", () => {
  const ours = suiteAccount();
  const theirs = suitePlatform({ operationTime: "0ms" });
  before(async () => {
    await ours().call("POST", "/projects", { project: { name: "ours" } });
    await theirs().call("POST", "/projects", { project: { name: "theirs" } });
  });

  const provider = (name: string): neon.Provider =>
    new neon.Provider(name, { apiKey: theirs().apiKey, apiUrl: theirs().apiUrl });
  const names = (projects: readonly neon.ProjectResult[]): string[] => projects.map(({ name }) => name);

  it("reads from the account of the stack's configuration by default", async () => {
    assert.deepEqual(names(await neon.getProjects()), ["ours"]);
  });

  it("reads from the account of the option `provider`, in both forms", async () => {
    const options = { provider: provider("explicit") };
    assert.deepEqual(names(await neon.getProjects({}, options)), ["theirs"]);
    assert.deepEqual(names(await valueOf(neon.getProjectsOutput({}, options))), ["theirs"]);
  });

  it("reads from the account of its parent's provider, unless it has the option `provider`", async () => {
    const parent = new pulumi.ComponentResource("shop:index:Shop", "shop", {}, { providers: [provider("inherited")] });
    assert.deepEqual(names(await neon.getProjects({}, { parent })), ["theirs"]);
    assert.deepEqual(names(await valueOf(neon.getProjectsOutput({}, { parent }))), ["theirs"]);
    const { apiKey, apiUrl } = ours();
    const own = new neon.Provider("own", { apiKey, apiUrl });
    assert.deepEqual(names(await neon.getProjects({}, { parent, provider: own })), ["ours"]);
  });

  it("reads from the account of the environment if the stack configures none", async () => {
    configure({});
    process.env["NEON_API_KEY"] = theirs().apiKey;
    process.env["NEON_API_HOST"] = theirs().apiUrl;
    assert.deepEqual(names(await neon.getProjects()), ["theirs"]);
  });

  it("reads from the account that `envVarMappings` of its provider names", async () => {
    configure({});
    const { apiKey, apiUrl } = theirs();
    Object.assign(process.env, { NEON_API_KEY: ours().apiKey, NEON_API_HOST: ours().apiUrl });
    Object.assign(process.env, { THEIR_KEY: apiKey, THEIR_HOST: apiUrl });
    try {
      const envVarMappings = { THEIR_KEY: "NEON_API_KEY", THEIR_HOST: "NEON_API_HOST", NOT_SET: "NEON_ORG_ID" };
      const mapped = new neon.Provider("mapped", {}, { envVarMappings });
      const parent = new pulumi.ComponentResource("shop:index:Shop", "mapped", {}, { providers: [mapped] });
      for (const options of [{ provider: mapped }, { parent }]) {
        assert.deepEqual(names(await neon.getProjects({}, options)), ["theirs"]);
        assert.deepEqual(names(await valueOf(neon.getProjectsOutput({}, options))), ["theirs"]);
      }
      assert.deepEqual(names(await neon.getProjects()), ["ours"]);
    } finally {
      for (const name of ["THEIR_KEY", "THEIR_HOST"]) Reflect.deleteProperty(process.env, name);
    }
  });

  it("fails without an API key, and says how to set one", async () => {
    configure({});
    const missing =
      "neon:apiKey is missing: set it with `pulumi config set --secret neon:apiKey`, or set NEON_API_KEY.";
    await assertFails(neon.getProjects(), missing);
    await assertFails(valueOf(neon.getProjectsOutput()), missing);
  });

  it("says where a key comes from that the platform refuses", async () => {
    const { apiUrl } = ours();
    process.env["NEON_API_KEY"] = "napi_wrong";
    configure({ apiUrl });
    await assertFails(neon.getProjects(), /HTTP 401.* environment variable NEON_API_KEY\. Set a valid one there\.$/);
    configure({ apiUrl, apiKey: "napi_wrong" });
    await assertFails(neon.getProjects(), /HTTP 401.* Set the key with `pulumi config set --secret neon:apiKey`\.$/);
    const provider = new neon.Provider("refused", { apiKey: "napi_wrong", apiUrl });
    const ofProvider =
      /HTTP 401.* The key is the `apiKey` of Provider "refused" in the program\. Declare a valid one there\.$/;
    await assertFails(neon.getProjects({}, { provider }), ofProvider);
    await assertFails(valueOf(neon.getProjectsOutput({}, { provider })), ofProvider);
  });

  it("says how to set the organization that an account needs", async () => {
    const body = { message: "org_id is required" };
    await ours().fault({ method: "GET", path: "^/projects\\?", status: 400, body });
    await assertFails(
      neon.getProjects(),
      /must name an organization\. Set it with `pulumi config set neon:orgId <id>`, or pass `orgId`\.$/,
    );
  });

  it("names every invalid setting in its error, without the API key", async () => {
    configure({ apiKey: "hunter 2", apiUrl: "nowhere", operationTimeout: "10", logLevel: "loud" });
    await assert.rejects(neon.getProjects(), (error) => {
      assert.ok(pulumi.RunError.isInstance(error));
      const settings = error.message.split("\n").map((line) => line.split(" ", 1)[0]);
      assert.deepEqual(settings, ["neon:apiKey", "neon:apiUrl", "neon:operationTimeout", "neon:logLevel"]);
      assert.ok(!error.message.includes("hunter"));
      return true;
    });
  });

  it("retries a request after a 503", async () => {
    await ours().fault({ method: "GET", path: "^/projects\\?", status: 503, times: 2 });
    assert.deepEqual(names(await neon.getProjects()), ["ours"]);
  });

  it("waits in its output form for unknown provider settings, and fails in its direct form", async () => {
    pretendPreview();
    const unknown = pulumi.output(pulumi.unknown as unknown as string);
    const later = new neon.Provider("later", { apiKey: unknown, apiUrl: theirs().apiUrl });
    await assertFails(
      neon.getProjects({}, { provider: later }),
      /not known yet\. Use the data source's `…Output` form/,
    );
    const output = neon.getProjectsOutput({}, { provider: later });
    assert.equal(await isKnown(output), false);
  });

  it("is unknown in a preview if an argument comes from a resource that does not exist yet", async () => {
    pretendPreview((name) => (name === "not-created" ? {} : { id: "id", __neon: { version: 1 } }));
    const isResultKnown = async (name: string): Promise<boolean> => {
      const project = new neon.Project(name, { name });
      return isKnown(neon.getProjectOutput({ name: project.name }));
    };
    assert.equal(await isResultKnown("not-created"), false);
    assert.equal(await isResultKnown("ours"), true);
  });

  it("is unknown in a preview if an argument comes from a resource that changes, and fails if no resource changes", async () => {
    pretendPreview((name) => ({ id: "id", ...(name === "stays" ? { __neon: { version: 1 } } : {}) }));
    const found = (logicalName: string, name: string): pulumi.Output<neon.ProjectResult> =>
      neon.getProjectOutput({ name: new neon.Project(logicalName, { name }).name });
    assert.equal(await isKnown(found("changes", "renamed")), false);
    assert.equal(await isKnown(found("changes", "ours")), false);
    await assertFails(valueOf(found("stays", "renamed")), /renamed/);
    await assertFails(valueOf(neon.getProjectOutput({ name: "renamed" })), /renamed/);
  });
});

function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return (output as unknown as { readonly isKnown: Promise<boolean> }).isKnown;
}

/**
 * Simulates a preview until the next test.
 *
 * @param known the outputs that the preview knows of a resource, besides its inputs
 */
function pretendPreview(
  known: (name: string) => { readonly id?: string; readonly __neon?: object } = () => ({ id: "id" }),
): void {
  pretendEngine(({ name, inputs }) => {
    const { id, ...outputs } = known(name);
    return { id, state: { ...(inputs as Record<string, unknown>), ...outputs } };
  }, true);
}
