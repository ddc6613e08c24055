import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

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
    assert.deepEqual(
      all.filter((region) => region.default).map(({ regionId }) => regionId),
      [body.project.region_id],
    );
  });

  it("uses the organization of the arguments, then of the stack", async () => {
    const { apiKey, apiUrl } = platform();
    const ours = await platform().firstOrganization();
    const other = await platform().organization();
    await platform().clearRequests();
    configure({ apiKey, apiUrl, orgId: ours });
    await neon.getRegions();
    await neon.getRegions({ orgId: other });
    await valueOf(neon.getRegionsOutput({ orgId: pulumi.output(other) }));
    assert.deepEqual(
      (await platform().requests()).map(({ path }) => path.replace("/api/v2", "")),
      [ours, other, other].map((orgId) => `/regions?org_id=${orgId}`),
    );
    await assertFails(neon.getRegions({ orgId: "org-no-such-000001" }), /HTTP 404/);
  });

  it("fails with 401 instead of returning an empty list if the API key is invalid", async () => {
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getRegions(), /HTTP 401/);
  });
});
