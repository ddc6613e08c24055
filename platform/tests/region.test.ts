import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../../tests/support/platform";

describe("local platform: regions", () => {
  const platform = suitePlatform();

  it("lists all regions, of which one is the default of new projects", async () => {
    const { body } = await platform().call("GET", "/regions");
    assert.equal(body.regions.length, 11);
    const [standard, other] = body.regions.filter((region) => region.default);
    assert.equal(other, undefined);
    const { body: created } = await platform().call("POST", "/projects", { project: {} });
    assert.equal(created.project.region_id, standard?.region_id);
  });
});
