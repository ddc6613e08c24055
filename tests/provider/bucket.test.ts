import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { NeonClient } from "../../api";
import { s3 } from "../../api/schemas/s3";
import { failsWith } from "../support/expected-errors";
import { HurriedClock } from "../support/hurried-clock";
import { suiteServer, suiteStage } from "../support/stage";

describe("Bucket", () => {
  const clock = new HurriedClock();
  const stage = suiteStage({ clock });
  const destroying = suiteServer(stage);

  /** A branch with a bucket that it has from its parent. */
  async function inherited() {
    const { id: projectId, branchId } = await stage().project();
    const name = stage().name("avatars");
    const body = { name, access_level: "public_read" };
    const parent = `/projects/${projectId}/branches/${branchId}/buckets`;
    assert.equal((await stage().platform.call("POST", parent, body)).status, 201);
    const child = await stage().branch(projectId);
    return { projectId, branchId: child.id, name };
  }

  it("is not deleted if another program has created another one of its name since, which a refresh takes with a warning", async () => {
    const resource = stage().resource("Bucket");
    const { id: projectId, branchId } = await stage().project();
    const list = `/projects/${projectId}/branches/${branchId}/buckets`;
    await resource.up({ projectId, branchId });
    const replaceByAnother = async (): Promise<void> => {
      await stage().platform.call("DELETE", `${list}/${resource.name}`);
      // Times of buckets have whole seconds.
      clock.putForward(1_100);
      await stage().platform.call("POST", list, { name: resource.name });
    };
    await replaceByAnother();
    assert.equal(await resource.refresh(), "same");
    assert.match(resource.warning, /another one of the same name .* The state holds this one now/);
    await replaceByAnother();
    await resource.destroy();
    assert.match(resource.said("warning").at(-1) ?? "", /was not deleted: it is not the one in the state/);
    const { body } = await stage().platform.call("GET", list);
    assert.match(JSON.stringify(body), new RegExp(resource.name));
  });

  it("is created with its CORS rules, and shows and reverts what somebody else has set", async () => {
    const resource = stage().resource("Bucket");
    const { id: projectId, branchId } = await stage().project();
    const cors = [{ allowedOrigins: ["https://shop.example.com"], allowedMethods: ["GET"], maxAgeSeconds: 60 }];
    const args = { projectId, branchId, cors };
    const client = new NeonClient({ apiKey: stage().platform.apiKey, apiUrl: stage().platform.apiUrl, clock });
    const address = { projectId, branchId, bucketName: resource.name };
    const rules = async () => (await client.send(s3.cors(address))).CORSConfiguration.CORSRule;
    assert.equal(await resource.up(args), "create");
    assert.deepEqual(await rules(), cors);
    assert.equal(await resource.refresh(), "same");
    await client.send(s3.putCors(address, [{ allowedOrigins: ["*"], allowedMethods: ["GET"] }]));
    assert.equal(await resource.refresh(), "changed");
    assert.equal(await resource.up(args), "update");
    assert.deepEqual(await rules(), cors);
    await client.send(s3.deleteCors(address));
    assert.equal(await resource.refresh(), "changed");
    assert.equal(resource.outputs["cors"], undefined);
    assert.equal(await resource.up(args), "update");
    assert.equal(await resource.up({ projectId, branchId }), "update");
    await assert.rejects(rules(), /NoSuchCORSConfiguration/);
    assert.equal(await resource.up({ projectId, branchId }), "same");
  });

  it("sets CORS rules on a bucket that the branch has from its parent", async () => {
    const args = await inherited();
    const resource = stage().resource("Bucket");
    const cors = [{ allowedOrigins: ["*"], allowedMethods: ["GET"] }];
    assert.equal(await resource.up({ ...args, cors, adopt: true }), "create");
    assert.deepEqual(resource.outputs["cors"], cors);
    assert.equal(resource.outputs["accessLevel"], "public_read");
    assert.equal(await resource.refresh(), "same");
  });

  it("with a slash in its name is managed, except for CORS rules", async () => {
    const resource = stage().resource("Bucket", stage().name("a/b"));
    const { id: projectId, branchId } = await stage().project();
    const args = { projectId, branchId };
    assert.equal(await resource.up(args), "create");
    assert.equal(await resource.refresh(), "same");
    const cors = [{ allowedOrigins: ["*"], allowedMethods: ["GET"] }];
    await assert.rejects(
      resource.up({ ...args, cors }),
      failsWith("cannot be reached over S3: its bucket has a slash"),
    );
    assert.equal(await resource.up(args), "same");
    await resource.destroy();
  });

  it("with forceDestroy is emptied with one request for each folder, and one for 100 other objects", async () => {
    const parent = await stage().project();
    const name = stage().name("files");
    const listOf = (branchId: string) => `/projects/${parent.id}/branches/${branchId}/buckets`;
    await stage().platform.call("POST", listOf(parent.branchId), { name });
    const upload = async (branchId: string, key: string): Promise<void> => {
      const path = `${listOf(branchId)}/${name}/objects/${encodeURIComponent(key)}/presign`;
      const { body } = await stage().platform.call("POST", path, { operation: "upload" });
      assert.ok((await fetch(body.url, { method: "PUT", body: "1" })).ok);
    };
    // Deleting by folder leaves the objects of the parent, and a key with dot segments has no address.
    const own = [...Array.from({ length: 120 }, (_, index) => `b${index}`), "..", "a & b", "<c>"];
    for (const key of own) await upload(parent.branchId, key).catch(() => undefined);
    for (let index = 0; index < 30; index += 1) await upload(parent.branchId, `inherited/${index}`);
    const { id: branchId } = await stage().branch(parent.id);
    for (let index = 0; index < 30; index += 1) await upload(branchId, `own/${index}`);
    const resource = stage().resource("Bucket", name);
    await resource.up({ projectId: parent.id, branchId, adopt: true, forceDestroy: true });
    resource.server = destroying();
    const sent = await stage().sentBy(branchId, () => resource.destroy());
    const counts = new Map<string, number>();
    for (const { method, path } of sent) {
      const what = path.includes("objects-by-prefix") ? "folder" : path.endsWith("?delete=") ? "batch" : "bucket";
      counts.set(`${method} ${what}`, (counts.get(`${method} ${what}`) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(counts), { "DELETE folder": 2, "POST batch": 2, "DELETE bucket": 1 });
    const { body } = await stage().platform.call("GET", listOf(branchId));
    assert.deepEqual(body.buckets, []);
  });

  it("stays in the state if the platform does not delete it, with the reason that it has to be empty", async () => {
    const resource = stage().resource("Bucket");
    const { id: projectId, branchId } = await stage().project();
    await resource.up({ projectId, branchId });
    for (const status of [409, 422]) {
      const body = { code: "", message: "the bucket is not empty" };
      await stage().platform.fault({ method: "DELETE", path: "/buckets/", status, body });
      const reason = `The bucket ${resource.name} was not deleted (`;
      await assert.rejects(resource.destroy(), failsWith(reason, "the bucket is not empty", "only empty buckets"));
      assert.ok(resource.state);
      await stage().platform.clearFaults();
    }
    await resource.destroy();
  });
});
