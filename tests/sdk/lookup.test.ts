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
    const refused = /HTTP 401: .* The API key is invalid or revoked/;
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

  it("names the argument that comes to nothing", async () => {
    const nothing = pulumi.output(undefined as unknown as string);
    const projectId = "some-project-1";
    const branchId = "br-some-1";
    const lookups: readonly [() => pulumi.Output<unknown>, string][] = [
      [() => neon.getBranchesOutput({ projectId: nothing }), "getBranches needs `projectId`."],
      [() => neon.getBranchOutput({ projectId: nothing, name: "main" }), "getBranch needs `projectId`."],
      [() => neon.getRolesOutput({ projectId, branchId: nothing }), "getRoles needs `branchId`."],
      [() => neon.getDatabasesOutput({ projectId, branchId: nothing }), "getDatabases needs `branchId`."],
      [() => neon.getEndpointsOutput({ projectId: nothing }), "getEndpoints needs `projectId`."],
      [() => neon.getEndpointOutput({ projectId: nothing, branchId }), "getEndpoint needs `projectId`."],
      [() => neon.getOperationsOutput({ projectId: nothing }), "getOperations needs `projectId`."],
      [() => neon.getOperationOutput({ projectId, operationId: nothing }), "getOperation needs `operationId`."],
      [() => neon.getJwksOutput({ projectId: nothing }), "getJwks needs `projectId`."],
      [() => neon.getPermissionsOutput({ projectId: nothing }), "getPermissions needs `projectId`."],
      [() => neon.getSnapshotsOutput({ projectId: nothing }), "getSnapshots needs `projectId`."],
      [
        () => neon.getBranchSchemaOutput({ projectId, branchId, databaseName: nothing }),
        "getBranchSchema needs `databaseName`.",
      ],
      [
        () => neon.compareSchemaOutput({ projectId, branchId, databaseName: nothing }),
        "compareSchema needs `databaseName`.",
      ],
    ];
    for (const [lookup, message] of lookups) {
      await assert.rejects(valueOf(lookup()), (error) => {
        assert.ok(pulumi.RunError.isInstance(error), String(error));
        assert.equal(error.message, message);
        return true;
      });
    }
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
      assert.equal(await isKnown(output), false);
    } finally {
      await pretendPreview(false);
    }
  });

  it("is not known in a preview that only foresees what it asks about, even where every argument is known", async () => {
    await pretendPreview(true, (name) =>
      name === "to-be-made" ? {} : { id: "id", createdAt: "2030-01-01T00:00:00Z" },
    );
    try {
      const asked = async (name: string): Promise<boolean> => {
        const project = new neon.Project(name, { name });
        return isKnown(neon.getProjectOutput({ name: project.name }));
      };
      assert.equal(await asked("to-be-made"), false);
      assert.equal(await asked("ours"), true);
    } finally {
      await pretendPreview(false);
    }
  });

  it("by a name that a preview foresees is not known, and by one that nobody foresees is an error", async () => {
    await pretendPreview(true, (name) => ({
      id: "id",
      ...(name === "stays" ? { createdAt: "2030-01-01T00:00:00Z" } : {}),
    }));
    try {
      const found = (logicalName: string, name: string): pulumi.Output<neon.ProjectResult> =>
        neon.getProjectOutput({ name: new neon.Project(logicalName, { name }).name });
      assert.equal(await isKnown(found("changes", "renamed")), false);
      assert.equal(await isKnown(found("changes", "ours")), true);
      await assertFails(valueOf(found("stays", "renamed")), /renamed/);
      await assertFails(valueOf(neon.getProjectOutput({ name: "renamed" })), /renamed/);
    } finally {
      await pretendPreview(false);
    }
  });
});

function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return (output as unknown as { readonly isKnown: Promise<boolean> }).isKnown;
}

/** Has resources registered in a preview, which tells of them what is given here besides what they declare. */
function pretendPreview(
  isPreview: boolean,
  told: (name: string) => { readonly id?: string; readonly createdAt?: string } = () => ({ id: "id" }),
): Promise<void> {
  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ name, inputs }) => {
      const { id, ...outputs } = told(name);
      return { id, state: { ...(inputs as Record<string, unknown>), ...outputs } };
    },
    call: () => ({}),
  };
  return pulumi.runtime.setMocks(mocks, "project", "stack", isPreview);
}
