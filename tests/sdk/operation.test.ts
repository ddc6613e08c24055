import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, suiteAccount, valueOf } from "./program";

/** With what a project starts with, more than one page of the size that is asked for. */
const many = 60;

describe("looking up operations", () => {
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

  it("§6.21 lists all of them, newest first, through every page", async () => {
    await platform().clearRequests();
    const all = await neon.getOperations({ projectId });
    assert.equal(new Set(all.map(({ id }) => id)).size, 2 * many + 2);
    const times = all.map(({ createdAt }) => createdAt);
    assert.deepEqual(times, [...times].sort().reverse());
    assert.ok((await platform().requests()).length >= 2);
  });

  it("lists at most so many as asked for, in one request if one page holds them", async () => {
    await platform().clearRequests();
    const latest = await neon.getOperations({ projectId, limit: 3 });
    assert.deepEqual(latest, (await neon.getOperations({ projectId })).slice(0, 3));
    assert.match((await platform().requests())[0]?.path ?? "", /operations\?limit=3$/);
    assert.equal((await neon.getOperations({ projectId, limit: 110 })).length, 110);
  });

  it("finds one by its id", async () => {
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

  it("fails where there is none", async () => {
    const operationId = "d8ac46eb-a757-42b1-9907-f78322ee394e";
    await assertFails(neon.getOperation({ projectId, operationId }), /HTTP 404: operation not found/);
    await assertFails(neon.getOperations({ projectId: "no-such-project-1" }), /HTTP 404: project not found/);
  });

  it("takes arguments that are outputs, in the forms that wait for them", async () => {
    const all = await valueOf(neon.getOperationsOutput({ projectId: pulumi.output(projectId), limit: 2 }));
    assert.equal(all.length, 2);
    const operationId = pulumi.output(all[0]?.id ?? "");
    assert.equal(await valueOf(neon.getOperationOutput({ projectId, operationId }).action), "start_compute");
  });
});
