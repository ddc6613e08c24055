import type {
  AcceptProjectTransferRequestSatisfiesPlanError,
  LimitsUnsatisfiedResponse,
  ProjectsWithIntegrationResponse,
  ProjectTransferRequestResponse,
} from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { ManualPlatformClock } from "../support/platform-clock";
import { suiteAccounts } from "./support/accounts";
import { assertError, assertMembers, bodyOf, valuesOf } from "./support/responses";

describe("local platform: transfers between organizations", () => {
  const { platform, call, read, user, project, access, listed, organizationKey } = suiteAccounts();

  const setUp = async (destination?: object) => {
    const [source, target] = [await platform().organization(), await platform().organization(destination)];
    return {
      source,
      target,
      make: () => project({ org_id: source }),
      move: (ids: readonly string[], key?: string, from = source, to = target) =>
        call("POST", `/organizations/${from}/projects/transfer`, { destination_org_id: to, project_ids: ids }, key),
    };
  };

  it("transfers projects with their contents", async () => {
    const { source, target, make, move } = await setUp();
    const [one, other, kept] = [await make(), await make(), await make()];
    const { status, body } = await move([one, other]);
    assert.deepEqual([status, { ...body }], [200, {}]);
    for (const id of [one, other]) {
      assertMembers((await call("GET", `/projects/${id}`)).body.project, { org_id: target, owner_id: target });
      assert.equal((await call("GET", `/projects/${id}/branches`)).body.branches.length, 1);
    }
    assert.deepEqual(await listed(`org_id=${source}`), [kept]);
    assert.deepEqual((await listed(`org_id=${target}`)).sort(), [one, other].sort());
  });

  it("revokes project-scoped keys and gives access to the keys of the new organization [1.2 project-scoped]", async () => {
    const { source, target, make, move } = await setUp();
    const [moved, kept] = [await make(), await make()];
    const { key: scoped } = await organizationKey(source, { project_id: moved });
    const { key: other } = await organizationKey(source, { project_id: kept });
    const [{ key: ofSource }, { key: ofTarget }] = [await organizationKey(source), await organizationKey(target)];
    const statuses = async () => [
      await access(moved, scoped),
      await access(moved, ofSource),
      await access(moved, ofTarget),
    ];
    assert.deepEqual(await statuses(), [200, 200, 404]);
    assert.equal((await move([moved])).status, 200);
    assert.deepEqual(await statuses(), [401, 404, 200]);
    assert.equal(await access(kept, other), 200);
    const keys = await read<{ project_id?: string }[]>(`/organizations/${source}/api_keys`);
    assert.ok(!keys.some(({ project_id }) => project_id === moved));
    // After a transfer back, the revoked key stays revoked.
    assert.equal((await move([moved], undefined, target, source)).status, 200);
    assert.deepEqual(await statuses(), [401, 200, 404]);
  });

  it("requires an administrator of the source who is a member of the destination", async () => {
    const { source, target, make, move } = await setUp();
    const id = await make();
    const { email, key } = await user();
    await platform().member(source, email, "admin");
    assertError(await move([id], key), 404, /organization not found/);
    assertError(await move([id], (await organizationKey(source)).key), 404, /organization not found/);
    await platform().member(target, email);
    assert.equal((await move([id], key)).status, 200);
  });

  it("transfers nothing if a project belongs to someone else or the request is invalid", async () => {
    const { source, make, move } = await setUp();
    const [id, personal] = [await make(), await project()];
    assertError(await move([id, personal]), 404, new RegExp(`project ${personal} not found`));
    assertError(await move([id], undefined, source, source), 400, /already belong to destination_org_id/);
    assert.equal((await call("GET", `/projects/${id}`)).body.project.org_id, source);
  });

  it("rejects projects with integrations and names them", async () => {
    const { source, make, move } = await setUp();
    const [plain, integrated] = [await make(), await make()];
    const path = `/projects/${integrated}/integrations`;
    const put = async (url: string, integrations: readonly string[]) =>
      (await platform().local("PUT", url, { integrations })).status;
    assert.equal(await put(path, ["github", "vercel"]), 200);
    const { integrations } = await read<{ integrations: object }>(`/projects?org_id=${source}`);
    assert.deepEqual(integrations, { [integrated]: ["github", "vercel"] });
    const response = await move([plain, integrated]);
    assert.equal(response.status, 422);
    assert.deepEqual((bodyOf(response) as ProjectsWithIntegrationResponse).projects, [
      { id: integrated, integration: "github" },
      { id: integrated, integration: "vercel" },
    ]);
    await put(path, []);
    assert.equal((await move([plain, integrated])).status, 200);
    assert.equal(await put("/projects/none/integrations", []), 404);
    assert.equal(await put(path, ["gitlab"]), 400);
  });

  it("rejects a destination whose limits do not suffice and names the limits", async () => {
    const { make, move } = await setUp({ plan: "launch", projects_limit: 1 });
    const response = await move([await make(), await make()]);
    assert.equal(response.status, 406);
    assert.deepEqual((bodyOf(response) as LimitsUnsatisfiedResponse).limits, [
      { name: "projects_count", expected: "1", actual: "2" },
      { name: "subscription_type", expected: "scale", actual: "launch" },
    ]);
    const large = await setUp({ projects_limit: 1 });
    const id = await large.make();
    assert.equal((await large.move([id, id])).status, 200);
    assert.equal(await access(id), 200);
  });
});

describe("local platform: transfers from a user to an organization", () => {
  const { platform, call, user, project, organizationKey } = suiteAccounts();
  const move = (ids: readonly string[], destination: string, key?: string) =>
    call("POST", "/users/me/projects/transfer", { destination_org_id: destination, project_ids: ids }, key);

  it("transfers projects of the caller only, to an organization that the caller is a member of", async () => {
    const orgId = await platform().organization();
    const [own, ofOrganization] = [await project(), await project({ org_id: orgId })];
    const stranger = await user();
    assertError(await move([own], orgId, stranger.key), 404, /organization not found/);
    assertError(await move([own, ofOrganization], orgId), 404, new RegExp(`project ${ofOrganization} not found`));
    assertError(await move([own], orgId, (await organizationKey(orgId)).key), 403, /organization API keys/);
    assert.deepEqual({ ...(await move([own], orgId)).body }, {});
    assert.equal((await call("GET", `/projects/${own}`)).body.project.org_id, orgId);
    const full = await platform().organization({ projects_limit: 0 });
    assert.equal((await move([await project()], full)).status, 406);
  });
});

describe("local platform: transfer requests", () => {
  const clock = new ManualPlatformClock();
  const { platform, call, read, user, project, access, organizationKey } = suiteAccounts({ clock });
  const offer = async (id: string, body?: object) => {
    const response = await call("POST", `/projects/${id}/transfer_requests`, body);
    assert.equal(response.status, 201, response.body.message);
    return bodyOf(response) as ProjectTransferRequestResponse;
  };
  const accept = (
    { project_id, id }: Pick<ProjectTransferRequestResponse, "id" | "project_id">,
    key: string,
    body?: object,
  ) => call("PUT", `/projects/${project_id}/transfer_requests/${id}`, body, key);
  const owned = async (id: string, key: string) => (await call("GET", `/projects/${id}`, undefined, key)).body.project;

  it("expire after a day or after ttl_seconds", async () => {
    const id = await project();
    for (const [request, seconds] of [
      [await offer(id), 86_400],
      [await offer(id, { ttl_seconds: 60 }), 60],
    ] as const) {
      assert.equal(request.project_id, id);
      const lifetime = Date.parse(request.expires_at) - Date.parse(request.created_at);
      assert.equal(Math.round(lifetime / 1000), seconds);
    }
    for (const ttl_seconds of [0, 31_536_001]) {
      const { status } = await call("POST", `/projects/${id}/transfer_requests`, { ttl_seconds });
      assert.equal(status, 400, String(ttl_seconds));
    }
  });

  it("transfer the project to the account of the caller who accepts", async () => {
    for (const input of [{}, { org_id: await platform().firstOrganization() }]) {
      const id = await project(input);
      const { key, email } = await user();
      const { status, body } = await accept(await offer(id), key);
      assert.equal(status, 204, JSON.stringify(body));
      const { owner_id, org_id, owner } = await owned(id, key);
      assert.deepEqual(
        [owner_id, org_id, owner?.email],
        [(await read<{ id: string }>("/users/me", key)).id, undefined, email],
      );
      assert.equal(await access(id), 404);
    }
  });

  it("with org_id transfer the project to that organization and revoke project-scoped keys", async () => {
    const from = await platform().firstOrganization();
    const id = await project({ org_id: from });
    const { key: scoped } = await organizationKey(from, { project_id: id });
    const { email, key } = await user();
    const org_id = await platform().organization({ administrator: "owner@example.com" });
    const request = await offer(id);
    assertError(await accept(request, key, { org_id }), 404, /organization not found/);
    await platform().member(org_id, email);
    assert.equal((await accept(request, key, { org_id })).status, 204);
    assert.equal((await owned(id, key)).org_id, org_id);
    assert.equal(await access(id, scoped), 401);
  });

  it("transfer the project to the organization whose key accepts", async () => {
    const id = await project();
    const orgId = await platform().organization();
    const { key } = await organizationKey(orgId);
    assert.equal((await accept(await offer(id), key)).status, 204);
    assert.equal((await owned(id, key)).org_id, orgId);
  });

  it("are accepted once, before they expire, by another account and for their own project", async () => {
    const [id, other] = [await project(), await project()];
    const { key } = await user();
    const request = await offer(id);
    assertError(await accept({ ...request, project_id: other }, key), 404, /transfer request not found/);
    assertError(await accept({ ...request, id: "none" }, key), 404, /transfer request not found/);
    assertError(await accept(request, platform().apiKey), 422, /already belongs to this account/);
    const late = await offer(id, { ttl_seconds: 60 });
    clock.advance(60_000);
    assertError(await accept(late, key), 422, /has expired/);
    assert.equal((await accept(request, key)).status, 204);
    assertError(await accept(request, key), 404, /transfer request not found/);
  });

  it("reject an account whose limits do not suffice and name the limits", async () => {
    const request = await offer(await project());
    const orgId = await platform().organization({ plan: "free", projects_limit: 0 });
    const response = await accept(request, (await organizationKey(orgId)).key);
    assert.equal(response.status, 406);
    const { reasons } = bodyOf(response) as AcceptProjectTransferRequestSatisfiesPlanError;
    assert.deepEqual(valuesOf(reasons, "code"), ["projects_count", "subscription_type"]);
    assert.match(reasons[0]?.message ?? "", /^projects_count is 1 but must be 0$/);
  });
});
