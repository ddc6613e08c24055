import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, suiteAccount } from "./program";

/** Restarts, of two operations each: more than fit on one page. */
const many = 60;

describe("getOperations and getOperation", () => {
  const platform = suiteAccount();
  let projectId = "";
  before(async () => {
    const { body } = await platform().call("POST", "/projects", { project: { name: "shop" } });
    projectId = body.project.id;
    const [endpoint] = body.endpoints;
    assert.ok(endpoint);
    for (let index = 0; index < many; index += 1) {
      await platform().call("POST", `/projects/${projectId}/endpoints/${endpoint.id}/restart`);
    }
  });

  it("getOperations reads all pages, newest first", async () => {
    await platform().clearRequests();
    const all = await neon.getOperations({ projectId });
    assert.equal(new Set(all.map(({ id }) => id)).size, 2 * many + 2);
    const times = all.map(({ createdAt }) => createdAt);
    assert.deepEqual(times, [...times].sort().reverse());
    const first = all.slice(-2).map(({ action }) => action);
    assert.deepEqual(first, ["start_compute", "create_timeline"]);
    assert.ok((await platform().requests()).length >= 2);
  });

  it("getOperations returns at most `limit` operations, in one request if they fit on one page", async () => {
    await platform().clearRequests();
    const latest = await neon.getOperations({ projectId, limit: 3 });
    assert.deepEqual(latest, (await neon.getOperations({ projectId })).slice(0, 3));
    assert.match((await platform().requests())[0]?.path ?? "", /operations\?limit=3$/);
    assert.equal((await neon.getOperations({ projectId, limit: 110 })).length, 110);
  });

  it("getOperation finds an operation by id", async () => {
    const [latest] = await neon.getOperations({ projectId, limit: 1 });
    assert.ok(latest);
    const one = await neon.getOperation({ projectId, operationId: latest.id });
    assert.deepEqual(one, latest);
    assert.equal(one.projectId, projectId);
    assert.equal(one.action, "start_compute");
    assert.equal(one.status, "finished");
    assert.equal(one.failuresCount, 0);
    assert.match(one.branchId ?? "", /^br-/);
    assert.match(one.endpointId ?? "", /^ep-/);
  });

  it("getOperation fails with 404 if the operation does not exist", async () => {
    const operationId = "d8ac46eb-a757-42b1-9907-f78322ee394e";
    await assertFails(neon.getOperation({ projectId, operationId }), /HTTP 404: operation not found/);
  });
});
