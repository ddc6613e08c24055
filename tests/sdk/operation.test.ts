import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertMembers, idsOf } from "../platform/support/responses";
import { pagesOf, suiteAccount } from "./program";

describe("getOperations and getOperation", () => {
  const platform = suiteAccount();
  let projectId = "";
  before(async () => {
    const { body } = await platform().call("POST", "/projects", { project: { name: "shop" } });
    projectId = body.project.id;
    const [endpoint] = body.endpoints;
    assert.ok(endpoint);
    await platform().call("POST", `/projects/${projectId}/endpoints/${endpoint.id}/restart`);
  });

  it("getOperations reads all pages, newest first", async () => {
    const newestFirst = (await platform().call("GET", `/projects/${projectId}/operations`)).body.operations;
    const [latest, ...others] = newestFirst;
    await pagesOf(platform(), "/operations\\?", [
      { operations: [latest], pagination: { cursor: latest?.created_at } },
      { operations: others, pagination: {} },
    ]);
    const all = await neon.getOperations({ projectId });
    assert.equal(all.length, 4);
    assert.deepEqual(idsOf(all), idsOf(newestFirst));
    const first = all.slice(-2).map(({ action }) => action);
    assert.deepEqual(first, ["start_compute", "create_timeline"]);
  });

  it("getOperations returns at most `limit` operations, in one request if they fit on one page", async () => {
    await platform().clearRequests();
    const latest = await neon.getOperations({ projectId, limit: 3 });
    assert.deepEqual(latest, (await neon.getOperations({ projectId })).slice(0, 3));
    assert.match((await platform().requests())[0]?.path ?? "", /operations\?limit=3$/);
  });

  it("getOperation finds an operation by id", async () => {
    const [latest] = await neon.getOperations({ projectId, limit: 1 });
    assert.ok(latest);
    const one = await neon.getOperation({ projectId, operationId: latest.id });
    assert.deepEqual(one, latest);
    assertMembers(one, { projectId, action: "start_compute", status: "finished", failuresCount: 0 });
    assert.match(one.branchId ?? "", /^br-/);
    assert.match(one.endpointId ?? "", /^ep-/);
  });
});
