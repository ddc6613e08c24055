import assert from "node:assert/strict";

import type { JWKS, ProjectPermission, Snapshot } from "@neondatabase/api-client";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { suiteAccount } from "./program";

describe("data sources that list what a project has", () => {
  const platform = suiteAccount();
  let projectId = "";
  let branchId = "";
  before(async () => {
    const { project, branch } = await platform().project();
    [projectId, branchId] = [project.id, branch.id];
  });

  /** Creates something below the project, and lets its operations finish. */
  async function created<Body>(path: string, body?: object): Promise<Body> {
    const answer = await platform().call("POST", `/projects/${projectId}${path}`, body);
    assert.ok(answer.status < 300, answer.body.message);
    await platform().settled(projectId);
    return answer.body as unknown as Body;
  }

  /** The items without the times at which they were created and updated, which they all have. */
  const timeless = <Item extends { readonly createdAt?: string; readonly updatedAt?: string }>(
    items: readonly Item[],
  ) =>
    items.map(({ createdAt, updatedAt, ...rest }) => {
      for (const time of [createdAt, updatedAt]) assert.ok(Date.parse(time ?? "") > 0);
      return rest;
    });

  it("getDatabases lists all databases of a branch", async () => {
    await created(`/branches/${branchId}/databases`, { database: { name: "50% off", owner_name: "neondb_owner" } });
    const databases = timeless(await neon.getDatabases({ projectId, branchId }));
    assert.equal(new Set(databases.map(({ id }) => id)).size, 2);
    assert.deepEqual(
      databases.map(({ id: _, ...rest }) => rest),
      ["neondb", "50% off"].map((name) => ({ branchId, name, ownerName: "neondb_owner" })),
    );
  });

  it("getRoles lists all roles of a branch without their passwords", async () => {
    await created(`/branches/${branchId}/roles`, { role: { name: "team/readers", no_login: true } });
    assert.deepEqual(timeless(await neon.getRoles({ projectId, branchId })), [
      { branchId, name: "neondb_owner", protected: false, authenticationMethod: "password" },
      { branchId, name: "team/readers", protected: false, authenticationMethod: "no_login" },
    ]);
  });

  it("getPermissions lists the accounts that a project is shared with, and when a permission was revoked", async () => {
    const permission = await created<ProjectPermission>("/permissions", { email: "ann@example.com" });
    const listed = { id: permission.id, grantedToEmail: "ann@example.com", grantedAt: permission.granted_at };
    assert.deepEqual(await neon.getPermissions({ projectId }), [listed]);
    const revokedAt = "2030-01-31T12:00:00Z";
    const body = { project_permissions: [{ ...permission, revoked_at: revokedAt }] };
    await platform().fault({ method: "GET", path: "/permissions$", status: 200, body });
    assert.deepEqual(await neon.getPermissions({ projectId }), [{ ...listed, revokedAt }]);
    await platform().clearFaults();
  });

  it("getJwks lists the JWKS URLs of a project with their documented members", async () => {
    const jwksUrl = "https://auth.example.com/.well-known/jwks.json";
    const shared = { jwks_url: jwksUrl, provider_name: "Auth0", jwt_audience: "shop", role_names: ["guest"] };
    const { jwks } = await created<{ jwks: JWKS }>("/jwks", { ...shared, branch_id: branchId });
    assert.deepEqual(await neon.getJwks({ projectId }), [
      {
        id: jwks.id,
        projectId,
        branchId,
        jwksUrl,
        providerName: "Auth0",
        jwtAudience: "shop",
        roleNames: ["guest"],
        createdAt: jwks.created_at,
      },
    ]);
  });

  it("getNeonAuth reads the integration of a branch, and three lists its OAuth providers, OAuth clients and domains", async () => {
    const at = { projectId, branchId };
    await assert.rejects(neon.getNeonAuth(at), /HTTP 404.* The branch does not exist, or it does not have Neon Auth\./);
    await created(`/branches/${branchId}/auth`, { auth_provider: "better_auth" });
    const { createdAt, authProviderProjectId, baseUrl, ...found } = await neon.getNeonAuth(at);
    assert.deepEqual(found, {
      branchId,
      authProvider: "better_auth",
      databaseName: "neondb",
      ownedBy: "neon",
      jwksUrl: `${String(baseUrl)}/.well-known/jwks.json`,
      name: found.name,
    });
    assert.match(authProviderProjectId, /^[0-9a-f-]{36}$/);
    assert.ok(Date.parse(createdAt) > 0);
    const client = { id: "github", client_id: "shop", client_secret: "of the shop" };
    await platform().call("POST", `/projects/${projectId}/branches/${branchId}/auth/oauth_providers`, client);
    assert.deepEqual(await neon.getNeonAuthOauthProviders(at), [
      { id: "google", type: "shared" },
      { id: "github", type: "standard", clientId: "shop" },
    ]);
    const domain = { domain: "https://shop.example.com", auth_provider: "better_auth" };
    await platform().call("POST", `/projects/${projectId}/branches/${branchId}/auth/domains`, domain);
    assert.deepEqual(await neon.getNeonAuthTrustedDomains(at), [
      { domain: "https://shop.example.com", authProvider: "better_auth" },
    ]);
  });

  it("getBuckets and getCredentials list those of a branch without secrets, and getBranchStorage says where buckets are", async () => {
    const at = { projectId, branchId };
    await created(`/branches/${branchId}/buckets`, { name: "avatars", access_level: "public_read" });
    const asked = { name: "uploads", scopes: ["storage:read"], principal_type: "user" };
    const { token_id: tokenId } = await created<{ token_id: string }>(`/branches/${branchId}/credentials`, asked);
    const revoked = await created<{ token_id: string }>(`/branches/${branchId}/credentials`, asked);
    await platform().call("DELETE", `/projects/${projectId}/branches/${branchId}/credentials/${revoked.token_id}`);
    const [bucket, ...others] = await neon.getBuckets(at);
    assert.deepEqual(
      [bucket, others],
      [{ name: "avatars", accessLevel: "public_read", createdAt: bucket?.createdAt }, []],
    );
    const [gateway, storage, credential, ...more] = await neon.getCredentials(at);
    const shown = {
      tokenId,
      tokenIdShort: tokenId.replace("nak_live_", "").slice(0, 12),
      name: "uploads",
      scopes: ["storage:read"],
      createdAt: credential?.createdAt,
    };
    assert.deepEqual([credential, more], [shown, []]);
    const defaults = ["Default AI gateway credential", "Default object storage credential"];
    assert.deepEqual([gateway?.name, storage?.name], defaults);
    const expired = { token_id: tokenId, scopes: [], created_at: shown.createdAt, expires_at: "2026-01-01T00:00:00Z" };
    await platform().fault({ method: "GET", path: "/credentials$", status: 200, body: { credentials: [expired] } });
    assert.deepEqual(await neon.getCredentials(at), []);
    const { s3Endpoint, region, forcePathStyle } = await neon.getBranchStorage(at);
    assert.equal(s3Endpoint, `${platform().platform.consoleUrl}/storage/${branchId}`);
    assert.deepEqual([region, forcePathStyle], ["us-east-2", true]);
  });

  it("getProjects lists the deleted projects that can be recovered instead, with the time until then", async () => {
    const { project } = await platform().project({ name: "deleted by mistake" });
    const search = project.name;
    assert.deepEqual(await neon.getProjects({ search, recoverable: true }), []);
    await platform().call("DELETE", `/projects/${project.id}`);
    assert.deepEqual(await neon.getProjects({ search }), []);
    const [found, ...others] = await neon.getProjects({ search, recoverable: true });
    assert.deepEqual([found?.id, others], [project.id, []]);
    assert.ok(Date.parse(found?.recoverableUntil ?? "") > Date.parse(found?.deletedAt ?? ""));
  });

  it("getSnapshots lists the snapshots of a project, or of one branch, with their documented members", async () => {
    const root = await created<{ branch: { id: string } }>("/branches", { branch: { init_source: "schema-only" } });
    const expiry = encodeURIComponent(new Date(Date.now() + 86_400_000).toISOString());
    const taken = (of: string, query = "") =>
      created<{ snapshot: Snapshot }>(`/branches/${of}/snapshot?name=of-${of}${query}`);
    const { snapshot: ofMain } = await taken(branchId, `&expires_at=${expiry}`);
    const { snapshot: ofRoot } = await taken(root.branch.id);
    const main = {
      id: ofMain.id,
      name: `of-${branchId}`,
      slug: (ofMain as { slug?: string }).slug,
      sourceBranchId: branchId,
      lsn: ofMain.lsn,
      timestamp: ofMain.timestamp,
      createdAt: ofMain.created_at,
      expiresAt: ofMain.expires_at,
      manual: true,
    };
    const all = await neon.getSnapshots({ projectId });
    assert.deepEqual(all.map(({ id }) => id).sort(), [ofMain.id, ofRoot.id].sort());
    assert.deepEqual(
      all.find(({ id }) => id === ofMain.id),
      main,
    );
    assert.deepEqual(await neon.getSnapshots({ projectId, branchId }), [main]);
    assert.deepEqual(await neon.getSnapshots({ projectId, branchId: "br-no-such-one" }), []);
  });
});
