import { createApiClient, EndpointType } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../../tests/support/platform";

// vendor-sdk.test.ts sends the other requests: the vendor's SDK and commands use the same routes.
describe("local platform: with the vendor's API client", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const connect = () => createApiClient({ apiKey: platform().apiKey, baseURL: platform().apiUrl });

  it("creates, finds, updates and deletes a project and its objects", async () => {
    const client = connect();
    const { data: created } = await client.createProject({ project: { name: "by the client" } });
    const projectId = created.project.id;
    const settled = () => platform().settled(projectId);
    await settled();
    const { data: found } = await client.listProjects({ search: "by the client" });
    assert.equal(found.projects[0]?.id, projectId);
    const { data: child } = await client.createProjectBranch(projectId, {
      branch: { name: "dev" },
      endpoints: [{ type: EndpointType.ReadWrite }],
    });
    await settled();
    const branchId = child.branch.id;
    const query = { projectId, branch_id: branchId, database_name: "neondb", role_name: "neondb_owner" };
    assert.equal((await client.getConnectionUri(query)).data.uri, child.connection_uris?.[0]?.connection_uri);
    const { data: role } = await client.createProjectBranchRole(projectId, branchId, { role: { name: "app" } });
    await settled();
    const told = await client.getProjectBranchRolePassword(projectId, branchId, "app");
    assert.equal(told.data.password, role.role.password);
    await client.createProjectBranchDatabase(projectId, branchId, { database: { name: "shop", owner_name: "app" } });
    await settled();
    await client.updateProjectBranchDatabase(projectId, branchId, "shop", { database: { name: "store" } });
    await settled();
    const { data: database } = await client.getProjectBranchDatabase(projectId, branchId, "store");
    assert.equal(database.database.owner_name, "app");
    const first = await client.listProjectOperations({ projectId, limit: 4 });
    const second = await client.listProjectOperations({ projectId, cursor: first.data.pagination?.cursor ?? "" });
    assert.equal(first.data.operations.length + second.data.operations.length, 8);
    assert.equal((await client.deleteProjectBranch({ projectId, branchId })).status, 200);
    assert.equal((await client.deleteProjectBranch({ projectId, branchId })).status, 204);
    assert.equal((await client.deleteProject(projectId)).data.project.id, projectId);
  });

  it("reads error responses", async () => {
    const rejected = connect().getProject("none");
    await assert.rejects(rejected, (error: Error & { response?: { status: number; data: { message: string } } }) => {
      assert.equal(error.response?.status, 404);
      assert.equal(error.response.data.message, "project not found");
      return true;
    });
  });
});
