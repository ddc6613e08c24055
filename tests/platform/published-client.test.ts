import assert from "node:assert/strict";
import { createApiClient, EndpointType } from "@neondatabase/api-client";
import { before, describe, it } from "mocha";
import { suitePlatform } from "../support/platform";

describe("platform: the vendor's own client", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let client: ReturnType<typeof createApiClient>;
  before(() => {
    client = createApiClient({ apiKey: platform().apiKey, baseURL: platform().apiUrl });
  });

  it("makes, finds, changes and deletes a project and what is in it", async () => {
    const { data: created } = await client.createProject({ project: { name: "by the client" } });
    const projectId = created.project.id;
    await platform().settled(projectId);
    const { data: found } = await client.listProjects({ search: "by the client" });
    assert.equal(found.projects[0]?.id, projectId);
    await client.updateProject(projectId, { project: { name: "renamed" } });
    assert.equal((await client.getProject(projectId)).data.project.name, "renamed");
    const { data: branch } = await client.createProjectBranch(projectId, {
      branch: { name: "dev" },
      endpoints: [{ type: EndpointType.ReadWrite }],
    });
    await platform().settled(projectId);
    const uri = await client.getConnectionUri({
      projectId,
      branch_id: branch.branch.id,
      database_name: "neondb",
      role_name: "neondb_owner",
    });
    assert.equal(uri.data.uri, branch.connection_uris?.[0]?.connection_uri);
    const first = await client.listProjectOperations({ projectId, limit: 3 });
    const cursor = first.data.pagination?.cursor ?? "";
    const second = await client.listProjectOperations({ projectId, limit: 3, cursor });
    assert.equal(first.data.operations.length + second.data.operations.length, 4);
    const branchId = branch.branch.id;
    assert.equal((await client.deleteProjectBranch({ projectId, branchId })).status, 200);
    assert.equal((await client.deleteProjectBranch({ projectId, branchId })).status, 204);
    assert.equal((await client.deleteProject(projectId)).data.project.id, projectId);
  });

  it("reads keys, regions and the user", async () => {
    const { data } = await client.createApiKey({ key_name: "another" });
    assert.ok((await client.listApiKeys()).data.some(({ id }) => id === data.id));
    assert.equal((await client.revokeApiKey(data.id)).data.revoked, true);
    assert.ok((await client.getActiveRegions({})).data.regions.length > 0);
    assert.ok((await client.getCurrentUserInfo()).data.email);
  });

  it("gets refusals it can read", async () => {
    const refused = client.getProject("none");
    await assert.rejects(refused, (error: Error & { response?: { status: number; data: { message: string } } }) => {
      assert.equal(error.response?.status, 404);
      assert.equal(error.response.data.message, "project not found");
      return true;
    });
  });
});
