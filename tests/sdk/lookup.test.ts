import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { suitePlatform } from "../support/platform";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

describe("a lookup", () => {
  const ours = suiteAccount();
  const theirs = suitePlatform({ operationTime: "0ms" });
  before(async () => {
    await ours().call("POST", "/projects", { project: { name: "ours" } });
    await theirs().call("POST", "/projects", { project: { name: "theirs" } });
  });

  const provider = (name: string): neon.Provider =>
    new neon.Provider(name, { apiKey: theirs().apiKey, apiUrl: theirs().apiUrl });
  const names = (projects: readonly neon.ProjectResult[]): string[] => projects.map(({ name }) => name);

  it("asks the stack's account", async () => {
    assert.deepEqual(names(await neon.getProjects()), ["ours"]);
  });

  it("asks the account of the provider that it is given, in both forms", async () => {
    const options = { provider: provider("explicit") };
    assert.deepEqual(names(await neon.getProjects({}, options)), ["theirs"]);
    assert.deepEqual(names(await valueOf(neon.getProjectsOutput({}, options))), ["theirs"]);
  });

  it("asks the account of its parent, unless it is given a provider", async () => {
    const parent = new pulumi.ComponentResource("shop:index:Shop", "shop", {}, { providers: [provider("inherited")] });
    assert.deepEqual(names(await neon.getProjects({}, { parent })), ["theirs"]);
    assert.deepEqual(names(await valueOf(neon.getProjectsOutput({}, { parent }))), ["theirs"]);
    const { apiKey, apiUrl } = ours();
    const own = new neon.Provider("own", { apiKey, apiUrl });
    assert.deepEqual(names(await neon.getProjects({}, { parent, provider: own })), ["ours"]);
  });

  it("asks the account of the environment where the stack says nothing", async () => {
    configure({});
    process.env["NEON_API_KEY"] = theirs().apiKey;
    process.env["NEON_API_HOST"] = theirs().apiUrl;
    assert.deepEqual(names(await neon.getProjects()), ["theirs"]);
  });

  it("without a key fails with one sentence that says how to set one", async () => {
    configure({});
    const missing =
      /^neon:apiKey is missing: set it with `pulumi config set --secret neon:apiKey`, or set NEON_API_KEY\.$/;
    await assertFails(neon.getProjects(), missing);
    await assertFails(valueOf(neon.getProjectsOutput()), missing);
  });

  it("with settings that cannot be right fails with each of them, and not with the key", async () => {
    configure({ apiKey: "hunter 2", apiUrl: "nowhere", operationTimeout: "10", logLevel: "loud" });
    await assert.rejects(neon.getProjects(), (error) => {
      assert.ok(pulumi.RunError.isInstance(error));
      const lines = error.message.split("\n");
      assert.deepEqual(
        lines.map((line) => line.split(" ", 1)[0]),
        ["neon:apiKey", "neon:apiUrl", "neon:operationTimeout", "neon:logLevel"],
      );
      assert.ok(!error.message.includes("hunter"));
      return true;
    });
  });

  it("§6.9 with a refused key fails: a 401 is never an empty list", async () => {
    configure({ apiKey: "napi_wrong", apiUrl: ours().apiUrl });
    const refused = /\(401\): .* The API key is missing, wrong or revoked/;
    const projectId = "some-project-1";
    const lookups: readonly (() => Promise<unknown>)[] = [
      () => neon.getProjects(),
      () => neon.getProject({ name: "ours" }),
      () => neon.getProject({ projectId }),
      () => neon.getBranches({ projectId }),
      () => neon.getBranch({ projectId, name: "main" }),
      () => neon.getOperations({ projectId }),
      () => neon.getOperation({ projectId, operationId: "d8ac46eb-a757-42b1-9907-f78322ee394e" }),
      () => valueOf(neon.getProjectsOutput()),
      () => valueOf(neon.getBranchOutput({ projectId, name: "main" })),
    ];
    for (const lookup of lookups) await assertFails(lookup(), refused);
  });

  it("tries again what the platform could not answer for a moment", async () => {
    await ours().fault({ method: "GET", path: "^/projects\\?", status: 503, times: 2 });
    assert.deepEqual(names(await neon.getProjects()), ["ours"]);
  });

  it("waits in its …Output form for a provider that is not known yet, and says so in the other", async () => {
    await pretendPreview(true);
    try {
      const unknown = pulumi.output(pulumi.unknown as unknown as string);
      const later = new neon.Provider("later", { apiKey: unknown, apiUrl: theirs().apiUrl });
      await assertFails(neon.getProjects({}, { provider: later }), /not known yet: use the lookup's `…Output` form/);
      const output = neon.getProjectsOutput({}, { provider: later });
      assert.equal(await (output as unknown as { readonly isKnown: Promise<boolean> }).isKnown, false);
    } finally {
      await pretendPreview(false);
    }
  });
});

function pretendPreview(isPreview: boolean): Promise<void> {
  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ inputs }) => ({ id: "id", state: inputs as Record<string, unknown> }),
    call: () => ({}),
  };
  return pulumi.runtime.setMocks(mocks, "project", "stack", isPreview);
}
