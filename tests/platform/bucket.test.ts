import { describe, it } from "mocha";
import assert from "node:assert/strict";

import { suiteProjects } from "./support/project";
import { assertError, assertMembers } from "./support/responses";

describe("local platform: buckets", () => {
  const { platform, project: newProject, finish, time } = suiteProjects();

  const project = async () => {
    const fixture = await newProject();
    const path = (branchId: string) => `/branches/${branchId}/buckets`;
    const list = async (branchId: string) => (await fixture.call("GET", path(branchId))).body.buckets;
    const namesOf = async (branchId: string) => (await list(branchId)).map(({ name }) => name);
    return { ...fixture, path, list, namesOf };
  };

  it("create returns a private bucket unless it is asked for another one, and refuses its name a second time", async () => {
    const { call, main, path, list } = await project();
    const { status, body } = await call("POST", path(main.id), { name: "a/ b" });
    assert.equal(status, 201);
    const { bucket } = body;
    assertMembers(bucket, { name: "a/ b", access_level: "private" });
    assert.deepEqual(await list(main.id), [bucket]);
    assertError(await call("POST", path(main.id), { name: "a/ b" }), 409, /"a\/ b" already exists/);
    assert.equal((await call("DELETE", `${path(main.id)}/a%2F%20b`)).status, 204);
    assertError(await call("DELETE", `${path(main.id)}/a%2F%20b`), 404, /bucket not found/);
  });

  it("a child starts with the buckets of its parent and their times, and neither changes the other", async () => {
    const { call, done, main, path, list, namesOf } = await project();
    await call("POST", path(main.id), { name: "kept" });
    await call("POST", path(main.id), { name: "dropped" });
    const { branch: child } = await done("POST", "/branches", { branch: { name: "child" } });
    assert.deepEqual(await list(child.id), await list(main.id));
    const kept = (await list(child.id)).find(({ name }) => name === "kept");
    const { status, body } = await call("POST", path(child.id), { name: "kept", access_level: "public_read" });
    assert.deepEqual([status, body.bucket], [201, kept]);
    assertError(await call("POST", path(child.id), { name: "kept" }), 409, /already exists/);
    await call("DELETE", `${path(child.id)}/dropped`);
    await call("POST", path(main.id), { name: "later" });
    assert.deepEqual([await namesOf(child.id), await namesOf(main.id)], [["kept"], ["dropped", "kept", "later"]]);
    const empty = await done("POST", "/branches", { branch: { name: "empty", init_source: "schema-only" } });
    assert.deepEqual(await namesOf(empty.branch.id), []);
  });

  it("a child of an earlier moment has the buckets of that moment", async () => {
    const { call, done, main, path, namesOf } = await project();
    await call("POST", path(main.id), { name: "early" });
    finish();
    const moment = time();
    finish();
    await call("POST", path(main.id), { name: "late" });
    const { branch } = await done("POST", "/branches", { branch: { parent_timestamp: moment } });
    assert.deepEqual([await namesOf(branch.id), await namesOf(main.id)], [["early"], ["early", "late"]]);
  });

  it("storage names the branch in its endpoint, and the region as S3 does", async () => {
    const { call, main } = await project();
    const { body } = await call("GET", `/branches/${main.id}/storage`);
    const { s3_endpoint: endpoint, ...rest } = body;
    assert.equal(endpoint, `${platform().platform.consoleUrl}/storage/${main.id}`);
    assert.deepEqual(rest, { enabled: true, region: "us-east-2", force_path_style: true });
  });
});
