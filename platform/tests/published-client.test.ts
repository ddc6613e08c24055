import { createApiClient, EndpointType } from "@neondatabase/api-client";
import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../../tests/support/platform";

describe("local platform: with the vendor's API client", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let client: ReturnType<typeof createApiClient>;
  before(() => {
    client = createApiClient({ apiKey: platform().apiKey, baseURL: platform().apiUrl });
  });

  it("creates, finds, updates and deletes a project and its objects", async () => {
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

  it("creates, updates and deletes the objects of a branch", async () => {
    const { data: created } = await client.createProject({ project: { name: "contents" } });
    const [projectId, branchId] = [created.project.id, created.branch.id];
    const settled = () => platform().settled(projectId);
    await settled();
    const { data: made } = await client.createProjectEndpoint(projectId, {
      endpoint: { branch_id: branchId, type: EndpointType.ReadOnly },
    });
    await settled();
    const endpointId = made.endpoint.id;
    await client.updateProjectEndpoint(projectId, endpointId, { endpoint: { name: "reader" } });
    await settled();
    for (const act of ["suspendProjectEndpoint", "startProjectEndpoint", "restartProjectEndpoint"] as const) {
      assert.equal((await client[act](projectId, endpointId)).data.endpoint.name, "reader");
      await settled();
    }
    assert.equal((await client.listProjectEndpoints(projectId)).data.endpoints.length, 2);
    assert.equal((await client.deleteProjectEndpoint(projectId, endpointId)).status, 200);
    await settled();

    const { data: role } = await client.createProjectBranchRole(projectId, branchId, { role: { name: "app" } });
    await settled();
    const told = await client.getProjectBranchRolePassword(projectId, branchId, "app");
    assert.equal(told.data.password, role.role.password);
    const reset = await client.resetProjectBranchRolePassword(projectId, branchId, "app");
    assert.notEqual(reset.data.role.password, role.role.password);
    await settled();
    await client.createProjectBranchDatabase(projectId, branchId, { database: { name: "shop", owner_name: "app" } });
    await settled();
    await client.updateProjectBranchDatabase(projectId, branchId, "shop", { database: { name: "store" } });
    await settled();
    const { data: found } = await client.getProjectBranchDatabase(projectId, branchId, "store");
    assert.equal(found.database.owner_name, "app");
    assert.equal((await client.deleteProjectBranchDatabase(projectId, branchId, "store")).status, 200);
    await settled();
    assert.equal((await client.deleteProjectBranchDatabase(projectId, branchId, "store")).status, 204);
    assert.equal((await client.deleteProjectBranchRole(projectId, branchId, "app")).status, 200);
    await settled();
    const { data: left } = await client.listProjectBranchRoles(projectId, branchId);
    assert.deepEqual(
      left.roles.map(({ name }) => name),
      ["neondb_owner"],
    );
  });

  it("restores a branch, compares schemas and changes the default branch", async () => {
    const { data: created } = await client.createProject({ project: { name: "history" } });
    const projectId = created.project.id;
    const settled = () => platform().settled(projectId);
    await settled();
    const { data: child } = await client.createProjectBranch(projectId, { branch: { name: "dev" } });
    await settled();
    const branchId = child.branch.id;
    const restored = await client.restoreProjectBranch(projectId, branchId, { source_branch_id: created.branch.id });
    assert.ok(restored.data.operations.length > 0);
    await settled();
    const { data: compared } = await client.getProjectBranchSchemaComparison({
      projectId,
      branchId,
      db_name: "neondb",
    });
    assert.equal(typeof compared.diff, "string");
    assert.equal((await client.setDefaultProjectBranch(projectId, branchId)).data.branch.default, true);
    await settled();
    assert.equal((await client.getProjectBranch(projectId, created.branch.id)).data.branch.default, false);
    assert.equal((await client.countProjectBranches({ projectId })).data.count, 2);
  });

  it("reads keys, regions and the user", async () => {
    const { data } = await client.createApiKey({ key_name: "another" });
    assert.ok((await client.listApiKeys()).data.some(({ id }) => id === data.id));
    assert.equal((await client.revokeApiKey(data.id)).data.revoked, true);
    assert.ok((await client.getActiveRegions({})).data.regions.length > 0);
    assert.ok((await client.getCurrentUserInfo()).data.email);
  });

  it("reads error responses", async () => {
    const rejected = client.getProject("none");
    await assert.rejects(rejected, (error: Error & { response?: { status: number; data: { message: string } } }) => {
      assert.equal(error.response?.status, 404);
      assert.equal(error.response.data.message, "project not found");
      return true;
    });
  });
});
