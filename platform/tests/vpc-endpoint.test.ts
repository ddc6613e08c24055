import type {
  VPCEndpointDetails,
  VPCEndpointsResponse,
  VPCEndpointsWithRegionResponse,
} from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";
import { assertError, bodyOf } from "./support/responses";

const regionId = "aws-eu-central-1";

describe("local platform: VPC endpoints", () => {
  const time = new ManualPlatformClock();
  const platform = suitePlatform({ operationTime: "1s", clock: time });

  const setUp = async () => {
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
      details: async (id: string) => bodyOf(await platform().call("GET", pathOf(id))) as VPCEndpointDetails,
      list: async (region = regionId) =>
        (bodyOf(await platform().call("GET", `${base}/region/${region}/vpc_endpoints`)) as VPCEndpointsResponse)
          .endpoints,
      listAll: async () =>
        (bodyOf(await platform().call("GET", `${base}/vpc_endpoints`)) as VPCEndpointsWithRegionResponse).endpoints,
      restrict: async (id: string, label = "only", project = ofProject) =>
        platform().call("POST", `${project}/${id}`, { label }),
      lift: async (id: string) => platform().call("DELETE", `${ofProject}/${id}`),
      restrictions: async () => (bodyOf(await platform().call("GET", ofProject)) as VPCEndpointsResponse).endpoints,
    };
  };

  it("an assigned endpoint has the state new until the connection is accepted", async () => {
    const { assign, details } = await setUp();
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

  it("assigning again changes the label", async () => {
    const { assign, details, list } = await setUp();
    await assign("vpce-1");
    time.advance(1000);
    assert.equal((await assign("vpce-1", "head office")).status, 200);
    const { label, state } = await details("vpce-1");
    assert.deepEqual([label, state], ["head office", "accepted"]);
    assert.deepEqual(await list(), [{ vpc_endpoint_id: "vpce-1", label: "head office" }]);
  });

  it("endpoints are listed for one region and for all", async () => {
    const { assign, list, listAll } = await setUp();
    await assign("vpce-1");
    await assign("vpce-2", "lab", "aws-us-east-1");
    assert.deepEqual(await list(), [{ vpc_endpoint_id: "vpce-1", label: "office" }]);
    assert.deepEqual(await list("aws-us-east-2"), []);
    assert.deepEqual(await listAll(), [
      { vpc_endpoint_id: "vpce-1", label: "office", region_id: regionId },
      { vpc_endpoint_id: "vpce-2", label: "lab", region_id: "aws-us-east-1" },
    ]);
  });

  it("a deleted endpoint can be assigned to another organization only", async () => {
    const { assign, remove, list, pathOf } = await setUp();
    await assign("vpce-1");
    const { status, body } = await remove("vpce-1");
    assert.deepEqual([status, body], [200, undefined]);
    assert.deepEqual(await list(), []);
    assertError(await platform().call("GET", pathOf("vpce-1")), 404, /VPC endpoint not found/);
    assertError(await remove("vpce-1"), 404, /VPC endpoint not found/);
    assertError(await assign("vpce-1"), 422, /vpce-1 was deleted from the organization and cannot be added back/);
    assert.equal((await (await setUp()).assign("vpce-1")).status, 200);
  });

  it("assigning rejects a region without VPC endpoints, a missing label and members", async () => {
    const { assign, remove, pathOf, orgId } = await setUp();
    assertError(await assign("vpce-1", "office", "azure-eastus2"), 422, /azure-eastus2 has no VPC endpoints/);
    assertError(await assign("vpce-1", "office", "aws-moon-1"), 404, /region not found/);
    assertError(await assign("vpce-1", ""), 400, /label/);
    assertError(await platform().call("POST", pathOf("vpce-1")), 400, /body/);
    await platform().member(orgId, "member@example.com");
    const key = await platform().signIn("member@example.com");
    const only = /only administrators of the organization/;
    assertError(await assign("vpce-1", "office", regionId, key), 403, only);
    assert.equal((await assign("vpce-1")).status, 200);
    assertError(await remove("vpce-1", key), 403, only);
    assert.equal((await platform().call("GET", pathOf("vpce-1"), undefined, { key })).status, 200);
  });

  it("an assigned endpoint can restrict a project of the organization", async () => {
    const { assign, restrict, restrictions, lift, details, projectId } = await setUp();
    const missing = /vpce-1 is not assigned to the organization of the project/;
    assertError(await restrict("vpce-1"), 422, missing);
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
    assertError(await lift("vpce-1"), 404, /VPC endpoint restriction not found/);
    assertError(await restrict("vpce-1", ""), 400, /label/);
  });

  it("an endpoint cannot restrict the projects of another organization or of a user", async () => {
    const [{ assign }, other] = [await setUp(), await setUp()];
    await assign("vpce-1");
    assertError(await other.restrict("vpce-1"), 422, /is not assigned/);
    const { body } = await platform().call("POST", "/projects", { project: {} });
    assertError(
      await other.restrict("vpce-1", "only", `/projects/${body.project.id}/vpc_endpoints`),
      422,
      /is not assigned/,
    );
  });

  it("delete rejects an endpoint that restricts a project", async () => {
    const { assign, restrict, remove, lift, projectId } = await setUp();
    await assign("vpce-1");
    await restrict("vpce-1");
    assertError(
      await remove("vpce-1"),
      422,
      new RegExp(`projects are restricted to VPC endpoint vpce-1: ${projectId}`),
    );
    await lift("vpce-1");
    assert.equal((await remove("vpce-1")).status, 200);
  });

  it("the details have at most three restricted projects", async () => {
    const { assign, restrict, details, orgId } = await setUp();
    await assign("vpce-1");
    for (let count = 0; count < 4; count += 1) {
      const { body } = await platform().call("POST", "/projects", { project: { org_id: orgId } });
      await restrict("vpce-1", "only", `/projects/${body.project.id}/vpc_endpoints`);
    }
    const { num_restricted_projects: count, example_restricted_projects: examples } = await details("vpce-1");
    assert.deepEqual([count, examples.length], [4, 3]);
  });
});
