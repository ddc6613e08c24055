import type { VPCEndpointDetails, VPCEndpointsResponse } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { ManualPlatformClock } from "../support/platform-clock";
import { suiteAccounts } from "./support/accounts";
import { assertError, assertMembers } from "./support/responses";

const regionId = "aws-eu-central-1";

describe("local platform: VPC endpoints", () => {
  const clock = new ManualPlatformClock();
  const { platform, call, read, project } = suiteAccounts({ operationTime: "1s", clock });

  const setUp = async () => {
    const org_id = await platform().organization();
    const base = `/organizations/${org_id}/vpc`;
    const path = `${base}/region/${regionId}/vpc_endpoints/vpce-1`;
    const projectId = await project({ org_id });
    const ofProject = (id = projectId) => `/projects/${id}/vpc_endpoints`;
    return {
      org_id,
      path,
      projectId,
      assign: (region = regionId) => call("POST", `${base}/region/${region}/vpc_endpoints/vpce-1`, { label: "office" }),
      remove: () => call("DELETE", path),
      get: () => call("GET", path),
      details: () => read<VPCEndpointDetails>(path),
      list: async () => (await read<VPCEndpointsResponse>(`${base}/region/${regionId}/vpc_endpoints`)).endpoints,
      restrict: (label = "only", id?: string) => call("POST", `${ofProject(id)}/vpce-1`, { label }),
      lift: () => call("DELETE", `${ofProject()}/vpce-1`),
      restrictions: async () => (await read<VPCEndpointsResponse>(ofProject())).endpoints,
    };
  };

  it("an assigned endpoint has the state new until the connection is accepted", async () => {
    const { assign, details } = await setUp();
    assertMembers(await assign(), { status: 200, body: undefined });
    const expected = {
      vpc_endpoint_id: "vpce-1",
      label: "office",
      num_restricted_projects: 0,
      example_restricted_projects: [],
    };
    assert.deepEqual(await details(), { ...expected, state: "new" });
    clock.advance(1000);
    assert.deepEqual(await details(), { ...expected, state: "accepted" });
  });

  it("a deleted endpoint can be assigned to another organization only", async () => {
    const { assign, remove, list, get } = await setUp();
    await assign();
    assertMembers(await remove(), { status: 200, body: undefined });
    assert.deepEqual(await list(), []);
    for (const response of [await get(), await remove()]) assertError(response, 404, /VPC endpoint not found/);
    assertError(await assign(), 422, /vpce-1 was deleted from the organization and cannot be added back/);
    assert.equal((await (await setUp()).assign()).status, 200);
  });

  it("assigning rejects a region without VPC endpoints", async () => {
    const { assign } = await setUp();
    assertError(await assign("azure-eastus2"), 422, /azure-eastus2 has no VPC endpoints/);
    assertError(await assign("aws-moon-1"), 404, /region not found/);
  });

  it("an assigned endpoint can restrict a project of the organization", async () => {
    const { assign, restrict, restrictions, lift, details, projectId } = await setUp();
    assertError(await restrict(), 422, /vpce-1 is not assigned to the organization of the project/);
    await assign();
    for (const label of ["only", "renamed", ""]) {
      assertMembers(await restrict(label), { status: 200, body: undefined });
      assert.deepEqual(await restrictions(), [{ vpc_endpoint_id: "vpce-1", label }]);
    }
    const { num_restricted_projects: count, example_restricted_projects: examples } = await details();
    assert.deepEqual([count, examples], [1, [projectId]]);
    assert.equal((await lift()).status, 200);
    assert.deepEqual(await restrictions(), []);
    assertError(await lift(), 404, /VPC endpoint restriction not found/);
  });

  it("an endpoint cannot restrict the projects of another organization or of a user", async () => {
    const [{ assign }, other] = [await setUp(), await setUp()];
    await assign();
    for (const id of [other.projectId, await project()]) {
      assertError(await other.restrict("only", id), 422, /is not assigned/);
    }
  });

  it("delete rejects an endpoint that restricts a project", async () => {
    const { assign, restrict, remove, lift, projectId } = await setUp();
    await assign();
    await restrict();
    const message = new RegExp(`projects are restricted to VPC endpoint vpce-1: ${projectId}`);
    assertError(await remove(), 422, message);
    await lift();
    assert.equal((await remove()).status, 200);
  });

  it("the details have at most three restricted projects", async () => {
    const { assign, restrict, details, org_id } = await setUp();
    await assign();
    for (let count = 0; count < 4; count += 1) await restrict("only", await project({ org_id }));
    const { num_restricted_projects: count, example_restricted_projects: examples } = await details();
    assert.deepEqual([count, examples.length], [4, 3]);
  });
});
