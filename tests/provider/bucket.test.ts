import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { failsWith } from "../support/expected-errors";
import { HurriedClock } from "../support/hurried-clock";
import { suiteStage } from "../support/stage";

describe("Bucket", () => {
  const clock = new HurriedClock();
  const stage = suiteStage({ clock });

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
