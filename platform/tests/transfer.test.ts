import type {
  AcceptProjectTransferRequestSatisfiesPlanError,
  LimitsUnsatisfiedResponse,
  OrgApiKeyCreateResponse,
  ProjectsWithIntegrationResponse,
  ProjectTransferRequestResponse,
} from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";
import { assertError, bodyOf } from "./support/responses";
import { uniqueEmail } from "./support/unique-email";

describe("local platform: transfers between organizations", () => {
  const platform = suitePlatform({ operationTime: "1ms" });

  const setUp = async (destination: object = {}) => {
    const [source, target] = [await platform().organization(), await platform().organization(destination)];
    const call = (method: string, path: string, body?: unknown, key?: string) =>
      platform().call(method, path, body, { key });
    const make = async () => (await call("POST", "/projects", { project: { org_id: source } })).body.project.id;
    return {
      source,
      target,
      call,
      make,
      move: async (ids: readonly string[], key?: string, to = target) =>
        call("POST", `/organizations/${source}/projects/transfer`, { destination_org_id: to, project_ids: ids }, key),
      key: async (orgId: string, body: object = {}) =>
        (
          bodyOf(
            await call("POST", `/organizations/${orgId}/api_keys`, { key_name: "ci", ...body }),
          ) as OrgApiKeyCreateResponse
        ).key,
      statusOf: async (id: string, key?: string) => (await call("GET", `/projects/${id}`, undefined, key)).status,
    };
  };

  it("transfers projects with their contents", async () => {
    const { source, target, call, make, move } = await setUp();
    const [one, other, kept] = [await make(), await make(), await make()];
    const response = await move([one, other]);
    assert.equal(response.status, 200);
    assert.deepEqual({ ...response.body }, {});
    for (const id of [one, other]) {
      const { project } = (await call("GET", `/projects/${id}`)).body;
      assert.deepEqual([project.org_id, project.owner_id], [target, target]);
      assert.equal((await call("GET", `/projects/${id}/branches`)).body.branches.length, 1);
    }
    const idsIn = async (orgId: string) =>
      (await call("GET", `/projects?org_id=${orgId}`)).body.projects.map(({ id }) => id).sort();
    assert.deepEqual(await idsIn(source), [kept]);
    assert.deepEqual(await idsIn(target), [one, other].sort());
  });

  it("revokes project-scoped keys and gives access to the keys of the new organization", async () => {
    const { source, target, make, move, call, key, statusOf } = await setUp();
    const [moved, kept] = [await make(), await make()];
    const scoped = await key(source, { project_id: moved });
    const other = await key(source, { project_id: kept });
    const [ofSource, ofTarget] = [await key(source), await key(target)];
    assert.deepEqual(
      [await statusOf(moved, scoped), await statusOf(moved, ofSource), await statusOf(moved, ofTarget)],
      [200, 200, 404],
    );
    assert.equal((await move([moved])).status, 200);
    assert.deepEqual(
      [await statusOf(moved, scoped), await statusOf(moved, ofSource), await statusOf(moved, ofTarget)],
      [401, 404, 200],
    );
    assert.equal(await statusOf(kept, other), 200);
    const listed = bodyOf(await call("GET", `/organizations/${source}/api_keys`)) as { project_id?: string }[];
    assert.ok(!listed.some(({ project_id }) => project_id === moved));
    // After a transfer back, the revoked key stays revoked.
    const back = { destination_org_id: source, project_ids: [moved] };
    assert.equal((await call("POST", `/organizations/${target}/projects/transfer`, back)).status, 200);
    assert.deepEqual([await statusOf(moved, scoped), await statusOf(moved, ofSource)], [401, 200]);
  });

  it("hides the projects from the members of the old organization", async () => {
    const { source, make, move, statusOf } = await setUp();
    const email = uniqueEmail();
    await platform().member(source, email);
    const key = await platform().signIn(email);
    const id = await make();
    assert.equal(await statusOf(id, key), 200);
    await move([id]);
    assert.equal(await statusOf(id, key), 404);
  });

  it("requires an administrator of the source who is a member of the destination", async () => {
    const { source, target, make, move, key } = await setUp();
    const id = await make();
    const email = uniqueEmail();
    const theirs = await platform().signIn(email);
    assertError(await move([id], theirs), 404, /organization not found/);
    await platform().member(source, email);
    assertError(await move([id], theirs), 403, /only administrators/);
    await platform().member(source, email, "admin");
    assertError(await move([id], theirs), 404, /organization not found/);
    assertError(await move([id], await key(source)), 404, /organization not found/);
    assertError(
      await move([id], await key(source, { project_id: id })),
      403,
      /not allowed for project-scoped API keys/,
    );
    await platform().member(target, email);
    assert.equal((await move([id], theirs)).status, 200);
  });

  it("transfers nothing if a project belongs to someone else or the request is invalid", async () => {
    const { source, make, move } = await setUp();
    const id = await make();
    const { body: personal } = await platform().call("POST", "/projects", { project: {} });
    assertError(await move([id, personal.project.id]), 404, new RegExp(`project ${personal.project.id} not found`));
    assertError(await move([]), 400, /project_ids/);
    assertError(await move(["Not an id"]), 400, /project_ids/);
    assertError(await move([id], undefined, source), 400, /is the organization that has the projects/);
    assert.equal((await platform().call("GET", `/projects/${id}`)).body.project.org_id, source);
  });

  it("rejects projects with integrations and names them", async () => {
    const { source, make, move, call } = await setUp();
    const [plain, integrated] = [await make(), await make()];
    const path = `/projects/${integrated}/integrations`;
    assert.equal((await platform().local("PUT", path, { integrations: ["github", "vercel"] })).status, 200);
    const { body: list } = await call("GET", `/projects?org_id=${source}`);
    assert.deepEqual((list as unknown as { integrations: object }).integrations, {
      [integrated]: ["github", "vercel"],
    });
    const response = await move([plain, integrated]);
    assert.equal(response.status, 422);
    assert.deepEqual((bodyOf(response) as ProjectsWithIntegrationResponse).projects, [
      { id: integrated, integration: "github" },
      { id: integrated, integration: "vercel" },
    ]);
    await platform().local("PUT", path, { integrations: [] });
    assert.equal((await move([plain, integrated])).status, 200);
    assert.equal((await platform().local("PUT", "/projects/none/integrations", { integrations: [] })).status, 404);
    assert.equal((await platform().local("PUT", path, { integrations: ["gitlab"] })).status, 400);
  });

  it("rejects a destination whose limits do not suffice and names the limits", async () => {
    const { make, move, statusOf } = await setUp({ plan: "launch", projects_limit: 1 });
    const response = await move([await make(), await make()]);
    assert.equal(response.status, 406);
    assert.deepEqual((bodyOf(response) as LimitsUnsatisfiedResponse).limits, [
      { name: "projects_count", expected: "1", actual: "2" },
      { name: "subscription_type", expected: "scale", actual: "launch" },
    ]);
    const large = await setUp({ projects_limit: 1 });
    const id = await large.make();
    assert.equal((await large.move([id, id])).status, 200);
    assert.equal(await statusOf(id), 200);
  });
});

describe("local platform: transfer requests", () => {
  const time = new ManualPlatformClock();
  const platform = suitePlatform({ operationTime: "1ms", clock: time });
  const offer = async (id: string, body?: object, key?: string) => {
    const response = await platform().call("POST", `/projects/${id}/transfer_requests`, body, { key });
    assert.equal(response.status, 201, response.body.message);
    return bodyOf(response) as ProjectTransferRequestResponse;
  };
  const accept = async (
    { project_id, id }: Pick<ProjectTransferRequestResponse, "id" | "project_id">,
    key: string,
    body?: object,
  ) => platform().call("PUT", `/projects/${project_id}/transfer_requests/${id}`, body, { key });
  const project = async (body: object = {}) =>
    (await platform().call("POST", "/projects", { project: body })).body.project.id;
  const owner = async (id: string, key?: string) =>
    (await platform().call("GET", `/projects/${id}`, undefined, { key })).body.project;

  it("expire after a day or after ttl_seconds", async () => {
    const id = await project();
    const [day, minute] = [await offer(id), await offer(id, { ttl_seconds: 60 })];
    const length = ({ created_at, expires_at }: ProjectTransferRequestResponse) =>
      Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 1000);
    assert.deepEqual([length(day), length(minute)], [86_400, 60]);
    assert.deepEqual([day.project_id, minute.project_id], [id, id]);
    const path = `/projects/${id}/transfer_requests`;
    for (const ttl_seconds of [0, -1, 1.5, "60", 31_536_001]) {
      assert.equal((await platform().call("POST", path, { ttl_seconds })).status, 400, String(ttl_seconds));
    }
  });

  it("transfer the project to the account of the caller who accepts", async () => {
    const id = await project();
    const key = await platform().signIn(uniqueEmail());
    const { status, body } = await accept(await offer(id), key);
    assert.equal(status, 204, JSON.stringify(body));
    const me = (await platform().call("GET", "/users/me", undefined, { key })).body as unknown as { id: string };
    assert.equal((await owner(id, key)).owner_id, me.id);
    assertError(await platform().call("GET", `/projects/${id}`), 404, /project not found/);
  });

  it("with org_id transfer the project to that organization and revoke project-scoped keys", async () => {
    const from = await platform().firstOrganization();
    const id = await project({ org_id: from });
    const path = `/organizations/${from}/api_keys`;
    const scoped = bodyOf(
      await platform().call("POST", path, { key_name: "ci", project_id: id }),
    ) as OrgApiKeyCreateResponse;
    const email = uniqueEmail();
    const key = await platform().signIn(email);
    const orgId = await platform().organization({ administrator: "owner@example.com" });
    const request = await offer(id);
    assertError(await accept(request, key, { org_id: orgId }), 404, /organization not found/);
    await platform().member(orgId, email);
    assert.equal((await accept(request, key, { org_id: orgId })).status, 204);
    assert.equal((await owner(id, key)).org_id, orgId);
    const { status } = await platform().call("GET", `/projects/${id}`, undefined, { key: scoped.key });
    assert.equal(status, 401);
  });

  it("transfer the project to the organization whose key accepts", async () => {
    const id = await project();
    const orgId = await platform().organization();
    const path = `/organizations/${orgId}/api_keys`;
    const { key } = bodyOf(await platform().call("POST", path, { key_name: "ci" })) as OrgApiKeyCreateResponse;
    assert.equal((await accept(await offer(id), key)).status, 204);
    assert.equal((await owner(id, key)).org_id, orgId);
  });

  it("transfer a project from an organization to a user", async () => {
    const id = await project({ org_id: await platform().firstOrganization() });
    const key = await platform().signIn(uniqueEmail());
    assert.equal((await accept(await offer(id), key)).status, 204);
    const { org_id, owner: told } = await owner(id, key);
    assert.equal(org_id, undefined);
    assert.match(told?.email ?? "", /^user-/);
  });

  it("are accepted once, before they expire, by another account and for their own project", async () => {
    const [id, other] = [await project(), await project()];
    const key = await platform().signIn(uniqueEmail());
    const request = await offer(id);
    assertError(await accept({ ...request, project_id: other }, key), 404, /transfer request not found/);
    assertError(await accept({ ...request, id: "none" }, key), 404, /transfer request not found/);
    assertError(await accept(request, platform().apiKey), 422, /belongs to this account already/);
    const late = await offer(id, { ttl_seconds: 60 });
    time.advance(60_000);
    assertError(await accept(late, key), 422, /has expired/);
    assert.equal((await accept(request, key)).status, 204);
    assertError(await accept(request, key), 404, /transfer request not found/);
  });

  it("cannot be created or accepted with a project-scoped key", async () => {
    const orgId = await platform().firstOrganization();
    const id = await project({ org_id: orgId });
    const path = `/organizations/${orgId}/api_keys`;
    const { key } = bodyOf(
      await platform().call("POST", path, { key_name: "ci", project_id: id }),
    ) as OrgApiKeyCreateResponse;
    const requests = `/projects/${id}/transfer_requests`;
    assertError(
      await platform().call("POST", requests, undefined, { key }),
      403,
      /not allowed for project-scoped API keys/,
    );
    assertError(await accept(await offer(id), key), 403, /not allowed for project-scoped API keys/);
  });

  it("reject an account whose limits do not suffice and name the limits", async () => {
    const id = await project();
    const orgId = await platform().organization({ plan: "free", projects_limit: 0 });
    const request = await offer(id);
    const path = `/organizations/${orgId}/api_keys`;
    const { key } = bodyOf(await platform().call("POST", path, { key_name: "ci" })) as OrgApiKeyCreateResponse;
    const response = await accept(request, key);
    assert.equal(response.status, 406);
    const { reasons } = bodyOf(response) as AcceptProjectTransferRequestSatisfiesPlanError;
    assert.deepEqual(
      reasons.map(({ code }) => code),
      ["projects_count", "subscription_type"],
    );
    assert.match(reasons[0]?.message ?? "", /^projects_count is 1 but must be 0$/);
  });
});
