import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

describe("looking up regions", () => {
  const platform = suiteAccount();

  it("lists all of them, and tells which one is meant by saying nothing", async () => {
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

  it("asks for the organization of the arguments, else of the stack", async () => {
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

  it("§6.9 fails where the key is refused, never with an empty list", async () => {
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getRegions(), /HTTP 401/);
  });
});
