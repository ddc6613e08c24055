import assert from "node:assert/strict";

import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { valuesOf } from "../platform/support/responses";
import { assertFails, configure, suiteAccount } from "./program";

describe("getRegions", () => {
  const platform = suiteAccount();

  it("lists all regions, and marks the default one", async () => {
    const all = await neon.getRegions();
    assert.equal(all.length, 11);
    assert.deepEqual(
      all.find(({ regionId }) => regionId === "aws-eu-central-1"),
      {
        regionId: "aws-eu-central-1",
        name: "AWS Europe Central 1 (Frankfurt)",
        default: false,
        geoLat: "50.12",
        geoLong: "8.64",
      },
    );
    const { body } = await platform().call("POST", "/projects", { project: {} });
    const defaults = all.filter((region) => region.default);
    assert.deepEqual(valuesOf(defaults, "regionId"), [body.project.region_id]);
  });

  it("uses the organization of the arguments, then of the stack", async () => {
    const { apiKey, apiUrl } = platform();
    const ours = await platform().firstOrganization();
    const other = await platform().organization();
    await platform().clearRequests();
    configure({ apiKey, apiUrl, orgId: ours });
    await neon.getRegions();
    await neon.getRegions({ orgId: other });
    assert.deepEqual(
      (await platform().requests()).map(({ path }) => path.replace("/api/v2", "")),
      [ours, other].map((orgId) => `/regions?org_id=${orgId}`),
    );
    await assertFails(neon.getRegions({ orgId: "org-no-such-000001" }), /HTTP 404/);
  });
});
