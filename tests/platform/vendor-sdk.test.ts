import assert from "node:assert/strict";

import { createNeonClient, isNeonError, type NeonClient, raw } from "@neon/sdk";
import { before, describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { until } from "../support/until";
import { hostPattern } from "../support/postgres-files";
import { archiveOf } from "./support/function";
import { valuesOf } from "./support/responses";

/*
 * The SDK's work beyond single requests: it waits, follows pages, uploads, retries and maps errors. That its routes are
 * served is a test of `routes.test.ts`.
 */
describe("local platform: with the vendor's SDK", () => {
  const platform = suitePlatform({ operationTime: "5ms" });
  let neon: NeonClient<true>;
  let projectId: string;
  before(async () => {
    const { apiKey, apiUrl: baseUrl } = platform();
    neon = createNeonClient({
      apiKey,
      baseUrl,
      throwOnError: true,
      waitForReadiness: true,
      wait: { pollIntervalMs: 5, timeoutMs: 240_000 },
    });
    ({ id: projectId } = await neon.projects.create({ name: "by the SDK", region_id: "aws-eu-central-1" }));
  });

  /** The id of the default branch. */
  async function main(): Promise<string> {
    return (await neon.branches.getDefault({ projectId })).id;
  }

  it("creates, connects to, finds, updates, deletes and recovers a project", async () => {
    const { project, connectionString } = await neon.projects.createAndConnect({ name: "connected", pooled: true });
    assert.match(new URL(connectionString).hostname, hostPattern({ pooled: true }));
    await neon.projects.update({ projectId: project.id, name: "renamed" });
    assert.equal((await neon.projects.get({ projectId: project.id })).name, "renamed");
    const found = await neon.projects.list({ limit: 1 }).all();
    assert.deepEqual(found.map(({ name }) => name).sort(), ["by the SDK", "renamed"]);
    await neon.projects.delete({ projectId: project.id });
    assert.deepEqual(valuesOf(await neon.projects.list().all(), "id"), [projectId]);
    assert.equal((await neon.projects.recover({ projectId: project.id })).id, project.id);
  });

  it("waits until a branch is ready and connects to it", async () => {
    const { branch, endpoint, connectionString } = await neon.branches.createAndConnect({
      projectId,
      name: "dev",
      pooled: false,
      compute: { minCu: 0.25, maxCu: 1 },
    });
    assert.equal(new URL(connectionString).hostname, endpoint.host);
    const branches = { client: neon.client, path: { project_id: projectId } };
    assert.deepEqual((await raw.countProjectBranches(branches)).data, { count: 2 });
    const ready = await neon.branches.get({ projectId, branchId: branch.id });
    assert.equal(ready.current_state, "ready");
    const all = await neon.branches.list({ projectId, limit: 1 }).all();
    assert.deepEqual(all.map(({ name }) => name).sort(), ["dev", "main"]);
    await neon.branches.update({ projectId, branchId: branch.id, name: "renamed", protected: true });
    await neon.branches.update({ projectId, branchId: branch.id, protected: false });
    const reset = await neon.branches.resetFromParent({ projectId, branchId: branch.id });
    assert.equal(reset.name, "renamed");
    const { diff } = await neon.branches.compareSchema({ projectId, branchId: branch.id, databaseName: "neondb" });
    assert.equal(typeof diff, "string");
    await neon.branches.delete({ projectId, branchId: branch.id });
    // A repeated delete returns 204 without a body.
    await neon.branches.delete({ projectId, branchId: branch.id });
  });

  it("uploads, lists, downloads and deletes objects", async () => {
    const at = { projectId, branchId: await main(), bucketName: "files" };
    const { buckets, objects } = neon.storage;
    await buckets.create({ ...at, name: at.bucketName });
    for (const objectKey of ["a/1 ü", "a/2", "b"]) {
      const signed = await objects.presign({ ...at, objectKey, operation: "upload", content_type: "text/plain" });
      const { url, method, headers } = signed;
      assert.equal((await fetch(url, { method, headers, body: objectKey })).status, 200);
    }
    const listed = await objects.list({ ...at, delimiter: "/" });
    assert.deepEqual(
      [listed.folders, listed.objects.map(({ key }) => key), listed.is_truncated],
      [["a/"], ["b"], false],
    );
    assert.equal(await (await objects.get({ ...at, objectKey: "a/1 ü" })).text(), "a/1 ü");
    const refused = (error: unknown): boolean => isNeonError(error) && /not empty/.test(error.message);
    await assert.rejects(buckets.delete(at), refused);
    assert.deepEqual(await objects.deleteByPrefix({ ...at, prefix: "a/" }), { deleted: 2 });
    await objects.delete({ ...at, objectKey: "b" });
    await buckets.delete(at);
  });

  it("deploys, lists, renames and deletes a function with its triggers and its domain, and reads its logs", async () => {
    const at = { projectId, branchId: await main() };
    const of = { ...at, slug: "sdk" };
    const code = 'export default () => (console.log("called"), new Response("by the SDK"));';
    const zip = new Blob([archiveOf({ "index.mjs": code })]);
    const { id } = await neon.functions.deploy({ ...of, zip, environment: JSON.stringify({ A: "1" }) });
    await until(async () => (await neon.functions.get(of)).active_deployment?.id === id);
    const [found] = await neon.functions.list(at).all();
    assert.equal(await (await fetch(found?.invocation_url ?? "")).text(), "by the SDK");
    assert.equal((await neon.functions.update({ ...of, name: "Named" })).name, "Named");
    const schedule = {
      type: "schedule",
      function_slug: "sdk",
      name: "hourly",
      schedule: { cron: "0 * * * *" },
    } as const;
    const { trigger_id: triggerId } = await neon.triggers.create({ ...at, ...schedule });
    await neon.triggers.update({ ...at, triggerId, type: "schedule", enabled: false });
    assert.equal((await neon.triggers.get({ ...at, triggerId })).enabled, false);
    assert.equal((await neon.triggers.list(at)).length, 1);
    await neon.triggers.delete({ ...at, triggerId });
    const { customDomains } = neon.functions;
    const target = { domain: "sdk.example.com", entity_type: "function", entity_id: "sdk" };
    await customDomains.register({ ...at, ...target });
    assert.equal((await customDomains.list(at).all())[0]?.status, "pending");
    await customDomains.delete({ ...at, domain: target.domain });
    const query = { ...at, body_contains: "called" };
    await until(async () => (await neon.logs.query(query).all()).length === 1);
    assert.ok((await neon.logs.fields(at)).includes("scope_name"));
    await neon.logs.fieldValues({ ...at, fieldName: "scope_name" });
    assert.match((await neon.aiGateway.get(at)).base_url, /^https:/);
    await neon.functions.delete(of);
    assert.deepEqual(await neon.functions.list(at).all(), []);
  });

  it("creates, restores, previews and deletes snapshots", async () => {
    const at = { projectId, branchId: await main() };
    const { id: snapshotId, slug } = await neon.snapshots.create({ ...at, name: "before", slug: "before-launch" });
    assert.equal(slug, "before-launch");
    const of = { projectId, snapshotId };
    const restored = await neon.snapshots.restore({ ...of, name: "from the snapshot", finalize: false });
    assert.equal((await neon.branches.get({ projectId, branchId: restored.id })).current_state, "ready");
    const previewed: string[] = [];
    const taken = await neon.snapshots.restore({
      ...of,
      targetBranchId: restored.id,
      preview: ({ id }) => previewed.push(id) > 0,
    });
    assert.deepEqual(previewed, [taken.id]);
    const replaced = await neon.branches.get({ projectId, branchId: taken.id });
    assert.equal(replaced.name, "from the snapshot");
    assert.deepEqual(valuesOf(await neon.snapshots.list({ projectId }), "id"), [snapshotId]);
    await neon.snapshots.delete(of);
    assert.deepEqual(await neon.snapshots.list({ projectId }), []);
  });

  it("lists, reads and waits for operations", async () => {
    const all = await neon.operations.list({ projectId }).all();
    assert.ok(all.length > 0);
    const [latest] = all;
    assert.equal((await neon.operations.get({ projectId, operationId: latest?.id ?? "" })).status, "finished");
    const { data } = await raw.createProjectBranch({
      client: neon.client,
      path: { project_id: projectId },
      body: { branch: { name: "raw" } },
    });
    assert.ok(data);
    await neon.operations.waitFor({ operations: data.operations }, { pollIntervalMs: 5 });
    assert.equal((await neon.branches.get({ projectId, branchId: data.branch.id })).current_state, "ready");
  });

  it("maps error responses to its error classes", async () => {
    await assert.rejects(neon.projects.get({ projectId: "none" }), (error: unknown) => {
      assert.ok(isNeonError(error) && error.kind === "not_found");
      assert.equal(error.status, 404);
      assert.match(error.requestId ?? "", /\S/);
      return true;
    });
    const taken = { projectId, branchId: await main(), name: "neondb", owner_name: "neondb_owner" };
    await assert.rejects(neon.postgres.databases.create(taken), (error: unknown) => {
      assert.ok(isNeonError(error) && error.kind === "api");
      assert.equal(error.status, 409);
      return true;
    });
  });

  it("retries 423 and 429", async () => {
    await platform().fault({ method: "PATCH", times: 1, status: 423, body: { code: "", message: "busy" } });
    await platform().fault({ method: "PATCH", times: 1, status: 503, body: { code: "", message: "later" } });
    try {
      assert.equal((await neon.projects.update({ projectId, name: "after all" })).name, "after all");
    } finally {
      await platform().clearFaults();
    }
  });

  it("reports a failed operation", async () => {
    await platform().fault({ action: "create_branch", times: 1, end: "error" });
    await assert.rejects(neon.branches.create({ projectId, name: "broken", noCompute: true }), (error: unknown) => {
      assert.ok(isNeonError(error) && error.kind === "operation");
      assert.equal(error.status, "error");
      return true;
    });
  });
});
