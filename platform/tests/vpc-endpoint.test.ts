import assert from "node:assert/strict";
import type {
  VPCEndpointDetails,
  VPCEndpointsResponse,
  VPCEndpointsWithRegionResponse,
} from "@neondatabase/api-client";
import { describe, it } from "mocha";
import { suitePlatform, type Answer } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";

const bare = ({ body }: Answer): unknown => body;
const refused = ({ status, body }: Answer, expected: number, message: RegExp) => {
  assert.equal(status, expected, JSON.stringify(body));
  assert.match(body.message, message);
};
const regionId = "aws-eu-central-1";

describe("platform: VPC endpoints", () => {
  const time = new ManualPlatformClock();
  const platform = suitePlatform({ operationTime: "1s", clock: time });

  const ground = async () => {
    const orgId = await platform().organization();
    const base = `/organizations/${orgId}/vpc`;
    const pathOf = (id: string, region = regionId) => `${base}/region/${region}/vpc_endpoints/${id}`;
    const { body } = await platform().call("POST", "/projects", { project: { org_id: orgId } });
    const ofProject = `/projects/${body.project.id}/vpc_endpoints`;
    return {
      orgId,
      projectId: body.project.id,
      pathOf,
      assign: async (id: string, label = "office", region = regionId, key?: string) =>
        platform().call("POST", pathOf(id, region), { label }, { key }),
      remove: async (id: string, key?: string) => platform().call("DELETE", pathOf(id), undefined, { key }),
      details: async (id: string) => bare(await platform().call("GET", pathOf(id))) as VPCEndpointDetails,
      list: async (region = regionId) =>
        (bare(await platform().call("GET", `${base}/region/${region}/vpc_endpoints`)) as VPCEndpointsResponse)
          .endpoints,
      listAll: async () =>
        (bare(await platform().call("GET", `${base}/vpc_endpoints`)) as VPCEndpointsWithRegionResponse).endpoints,
      restrict: async (id: string, label = "only", project = ofProject) =>
        platform().call("POST", `${project}/${id}`, { label }),
      lift: async (id: string) => platform().call("DELETE", `${ofProject}/${id}`),
      restrictions: async () => (bare(await platform().call("GET", ofProject)) as VPCEndpointsResponse).endpoints,
    };
  };

  it("are assigned to an organization with an empty answer, and new until the connection is accepted", async () => {
    const { assign, details } = await ground();
    const { status, body } = await assign("vpce-1");
    assert.deepEqual([status, body], [200, undefined]);
    const expected = {
      vpc_endpoint_id: "vpce-1",
      label: "office",
      num_restricted_projects: 0,
      example_restricted_projects: [],
    };
    assert.deepEqual(await details("vpce-1"), { ...expected, state: "new" });
    time.advance(1000);
    assert.deepEqual(await details("vpce-1"), { ...expected, state: "accepted" });
  });

  it("are labelled anew by assigning them again", async () => {
    const { assign, details, list } = await ground();
    await assign("vpce-1");
    time.advance(1000);
    assert.equal((await assign("vpce-1", "head office")).status, 200);
    const { label, state } = await details("vpce-1");
    assert.deepEqual([label, state], ["head office", "accepted"]);
    assert.deepEqual(await list(), [{ vpc_endpoint_id: "vpce-1", label: "head office" }]);
  });

  it("are listed by region, and over all regions", async () => {
    const { assign, list, listAll } = await ground();
    await assign("vpce-1");
    await assign("vpce-2", "lab", "aws-us-east-1");
    assert.deepEqual(await list(), [{ vpc_endpoint_id: "vpce-1", label: "office" }]);
    assert.deepEqual(await list("aws-us-east-2"), []);
    assert.deepEqual(await listAll(), [
      { vpc_endpoint_id: "vpce-1", label: "office", region_id: regionId },
      { vpc_endpoint_id: "vpce-2", label: "lab", region_id: "aws-us-east-1" },
    ]);
  });

  it("that are deleted can never be added back to the organization, but to another one", async () => {
    const { assign, remove, list, pathOf } = await ground();
    await assign("vpce-1");
    const { status, body } = await remove("vpce-1");
    assert.deepEqual([status, body], [200, undefined]);
    assert.deepEqual(await list(), []);
    refused(await platform().call("GET", pathOf("vpce-1")), 404, /VPC endpoint not found/);
    refused(await remove("vpce-1"), 404, /VPC endpoint not found/);
    refused(await assign("vpce-1"), 422, /vpce-1 was deleted from the organization and cannot be added back/);
    assert.equal((await (await ground()).assign("vpce-1")).status, 200);
  });

  it("are refused in a region that has none, without a label, and to members", async () => {
    const { assign, remove, pathOf, orgId } = await ground();
    refused(await assign("vpce-1", "office", "azure-eastus2"), 422, /azure-eastus2 has no VPC endpoints/);
    refused(await assign("vpce-1", "office", "aws-moon-1"), 404, /region not found/);
    refused(await assign("vpce-1", ""), 400, /label/);
    refused(await platform().call("POST", pathOf("vpce-1")), 400, /body/);
    await platform().member(orgId, "member@example.com");
    const key = await platform().signIn("member@example.com");
    const only = /only administrators of the organization/;
    refused(await assign("vpce-1", "office", regionId, key), 403, only);
    assert.equal((await assign("vpce-1")).status, 200);
    refused(await remove("vpce-1", key), 403, only);
    assert.equal((await platform().call("GET", pathOf("vpce-1"), undefined, { key })).status, 200);
  });

  it("restrict a project of the organization once they are assigned to it", async () => {
    const { assign, restrict, restrictions, lift, details, projectId } = await ground();
    const missing = /vpce-1 is not assigned to the organization of the project/;
    refused(await restrict("vpce-1"), 422, missing);
    await assign("vpce-1");
    const { status, body } = await restrict("vpce-1");
    assert.deepEqual([status, body], [200, undefined]);
    assert.deepEqual(await restrictions(), [{ vpc_endpoint_id: "vpce-1", label: "only" }]);
    assert.equal((await restrict("vpce-1", "renamed")).status, 200);
    assert.deepEqual(await restrictions(), [{ vpc_endpoint_id: "vpce-1", label: "renamed" }]);
    const { num_restricted_projects: count, example_restricted_projects: examples } = await details("vpce-1");
    assert.deepEqual([count, examples], [1, [projectId]]);
    assert.equal((await lift("vpce-1")).status, 200);
    assert.deepEqual(await restrictions(), []);
    refused(await lift("vpce-1"), 404, /VPC endpoint restriction not found/);
    refused(await restrict("vpce-1", ""), 400, /label/);
  });

  it("of one organization do not restrict the projects of another, nor a user's own", async () => {
    const [{ assign }, other] = [await ground(), await ground()];
    await assign("vpce-1");
    refused(await other.restrict("vpce-1"), 422, /is not assigned/);
    const { body } = await platform().call("POST", "/projects", { project: {} });
    refused(
      await other.restrict("vpce-1", "only", `/projects/${body.project.id}/vpc_endpoints`),
      422,
      /is not assigned/,
    );
  });

  it("cannot be deleted while a project is restricted to them", async () => {
    const { assign, restrict, remove, lift, projectId } = await ground();
    await assign("vpce-1");
    await restrict("vpce-1");
    refused(await remove("vpce-1"), 422, new RegExp(`projects are restricted to VPC endpoint vpce-1: ${projectId}`));
    await lift("vpce-1");
    assert.equal((await remove("vpce-1")).status, 200);
  });

  it("tell at most three of the projects that are restricted to them", async () => {
    const { assign, restrict, details, orgId } = await ground();
    await assign("vpce-1");
    for (let count = 0; count < 4; count += 1) {
      const { body } = await platform().call("POST", "/projects", { project: { org_id: orgId } });
      await restrict("vpce-1", "only", `/projects/${body.project.id}/vpc_endpoints`);
    }
    const { num_restricted_projects: count, example_restricted_projects: examples } = await details("vpce-1");
    assert.deepEqual([count, examples.length], [4, 3]);
  });
});
