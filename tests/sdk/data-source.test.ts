import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { after, before, beforeEach, describe, it } from "mocha";

import * as neon from "../../sdk";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { Registrations } from "./registrations";

const many = 120;

describe("data sources", () => {
  let platform: TestPlatform;
  let projectId: string;

  before(async () => {
    platform = await startTestPlatform({ operationTime: "1ms" });
    const made = await platform.call("POST", "/projects", { project: { name: "shop" } });
    projectId = made.body.project.id;
    await platform.settled(projectId);
  });
  after(() => platform.close());
  beforeEach(() => configure(platform.platform.apiUrl, platform.platform.apiKey));

  it("§6.21 list every page: more projects than the platform gives at once", async () => {
    for (let index = 0; index < many; index += 1) {
      await platform.call("POST", "/projects", { project: { name: `many-${index}` } });
    }
    await platform.clearRequests();
    const found = await neon.getProjects({ search: "many-" });
    assert.equal(new Set(found.map(({ id }) => id)).size, many);
    assert.ok((await platform.requests()).length > 1);
  });

  it("tell only what is documented, without counters that move by themselves", async () => {
    const [shop] = await neon.getProjects({ search: "shop" });
    assert.equal(shop?.name, "shop");
    assert.ok(!("cpuUsedSec" in shop) && !("cpu_used_sec" in shop));
  });

  it("find a project by its id, or by its name if only one has it", async () => {
    assert.equal((await neon.getProject({ projectId })).name, "shop");
    assert.equal((await neon.getProject({ name: "shop" })).id, projectId);
    await platform.call("POST", "/projects", { project: { name: "twin" } });
    await platform.call("POST", "/projects", { project: { name: "twin" } });
    await assert.rejects(neon.getProject({ name: "twin" }), says(/2 projects named "twin"/));
    await assert.rejects(neon.getProject({ name: "sho" }), says(/no project named "sho"/));
    await assert.rejects(neon.getProject({ projectId: "no-such-project-1" }), says(/404/));
    await assert.rejects(neon.getProject({}), says(/either `projectId` or `name`/));
  });

  it("§6.22 find a branch by its id or name, and never answer another one", async () => {
    const [main] = await neon.getBranches({ projectId });
    assert.equal(main?.name, "main");
    assert.equal((await neon.getBranch({ projectId, branchId: main.id })).name, "main");
    assert.equal((await neon.getBranch({ projectId, name: "main" })).id, main.id);
    await assert.rejects(neon.getBranch({ projectId, name: "mai" }), says(/no branch named "mai"/));
    await assert.rejects(neon.getBranch({ projectId, branchId: "br-none-none-123456" }), says(/404/));
  });

  it("list the operations of a project, newest first, all or so many, and fetch one", async () => {
    const all = await neon.getOperations({ projectId });
    assert.deepEqual(
      all.map(({ action }) => action),
      ["start_compute", "create_timeline"],
    );
    const [latest] = await neon.getOperations({ projectId, limit: 1 });
    assert.deepEqual(latest, all[0]);
    assert.deepEqual(await neon.getOperation({ projectId, operationId: all[1]?.id ?? "" }), all[1]);
  });

  it("have twins for arguments that are outputs", async () => {
    const later = pulumi.output(Promise.resolve(projectId));
    assert.equal((await valueOf(neon.getProjectOutput({ projectId: later }))).id, projectId);
    assert.equal((await valueOf(neon.getProjectsOutput({ search: later }))).length, 1);
    const branches = await valueOf(neon.getBranchesOutput({ projectId: later }));
    const branchId = branches[0]?.id ?? "";
    assert.equal((await valueOf(neon.getBranchOutput({ projectId: later, branchId }))).id, branchId);
    const operations = await valueOf(neon.getOperationsOutput({ projectId: later, limit: 1 }));
    const operationId = operations[0]?.id ?? "";
    assert.equal((await valueOf(neon.getOperationOutput({ projectId: later, operationId }))).id, operationId);
  });

  it("ask the account of an explicit provider", async () => {
    const other = await startTestPlatform({ operationTime: "1ms" });
    try {
      new Registrations().listen();
      await other.call("POST", "/projects", { project: { name: "theirs" } });
      const provider = new neon.Provider("other", {
        apiUrl: other.platform.apiUrl,
        apiKey: pulumi.secret(other.platform.apiKey),
      });
      assert.deepEqual(names(await neon.getProjects({}, { provider })), ["theirs"]);
      assert.deepEqual(names(await valueOf(neon.getProjectsOutput({}, { provider }))), ["theirs"]);
    } finally {
      await other.close();
    }
  });

  it("§6.9 a refused key is an error, never an empty list, and shown without a stack", async () => {
    configure(platform.platform.apiUrl, "napi_wrong");
    await assert.rejects(neon.getProjects(), says(/401/));
  });

  it("without a key say which setting is missing", async () => {
    pulumi.runtime.setAllConfig({});
    await assert.rejects(neon.getProjects(), says(/neon:apiKey is missing: set it with `pulumi config set --secret/));
  });
});

function configure(apiUrl: string, apiKey: string): void {
  pulumi.runtime.setAllConfig({ "neon:apiUrl": apiUrl, "neon:apiKey": apiKey });
}

/** An error for the user: one that Pulumi shows without a stack. */
function says(text: RegExp): (error: unknown) => boolean {
  return (error) => pulumi.RunError.isInstance(error) && text.test(error.message);
}

function names(projects: readonly { readonly name: string }[]): readonly string[] {
  return projects.map(({ name }) => name);
}

function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => output.apply(resolve as (value: unknown) => void));
}
