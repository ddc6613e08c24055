import assert from "node:assert/strict";

import { createNeonClient, isNeonError, type NeonClient, raw } from "@neon/sdk";
import { before, describe, it } from "mocha";

import { suitePlatform } from "../../tests/support/platform";
import { routeShape, sdkRoutes } from "../../tests/support/sdk-routes";
import { until } from "../../tests/support/until";
import { hostPattern } from "../../tests/support/postgres-files";
import { routes } from "../routes/index";
import { archiveOf } from "./support/function";

describe("local platform: with the vendor's SDK", () => {
  const platform = suitePlatform({ operationTime: "5ms" });
  let neon: NeonClient<true>;
  let projectId: string;
  before(async () => {
    const { apiKey, apiUrl: baseUrl } = platform();
    neon = createNeonClient({
      apiKey,
      baseUrl,
      throwOnError: true,
      waitForReadiness: true,
      wait: { pollIntervalMs: 5, timeoutMs: 240_000 },
    });
    ({ id: projectId } = await neon.projects.create({ name: "by the SDK", region_id: "aws-eu-central-1" }));
  });

  /** The id of the default branch. */
  async function main(): Promise<string> {
    return (await neon.branches.getDefault({ projectId })).id;
  }

  it("creates, connects to, finds, updates, deletes and recovers a project", async () => {
    const { project, connectionString } = await neon.projects.createAndConnect({ name: "connected", pooled: true });
    assert.match(new URL(connectionString).hostname, hostPattern({ pooled: true }));
    await neon.projects.update({ projectId: project.id, name: "renamed" });
    assert.equal((await neon.projects.get({ projectId: project.id })).name, "renamed");
    const found = await neon.projects.list({ limit: 1 }).all();
    assert.deepEqual(found.map(({ name }) => name).sort(), ["by the SDK", "renamed"]);
    await neon.projects.delete({ projectId: project.id });
    assert.deepEqual(
      (await neon.projects.list().all()).map(({ id }) => id),
      [projectId],
    );
    assert.equal((await neon.projects.recover({ projectId: project.id })).id, project.id);
  });

  it("waits until a branch is ready and connects to it", async () => {
    const { branch, endpoint, connectionString } = await neon.branches.createAndConnect({
      projectId,
      name: "dev",
      pooled: false,
      compute: { minCu: 0.25, maxCu: 1 },
    });
    assert.equal(new URL(connectionString).hostname, endpoint.host);
    const branches = { client: neon.client, path: { project_id: projectId } };
    assert.deepEqual((await raw.countProjectBranches(branches)).data, { count: 2 });
    const ready = await neon.branches.get({ projectId, branchId: branch.id });
    assert.equal(ready.current_state, "ready");
    const all = await neon.branches.list({ projectId, limit: 1 }).all();
    assert.deepEqual(all.map(({ name }) => name).sort(), ["dev", "main"]);
    await neon.branches.update({ projectId, branchId: branch.id, name: "renamed", protected: true });
    await neon.branches.update({ projectId, branchId: branch.id, protected: false });
    const reset = await neon.branches.resetFromParent({ projectId, branchId: branch.id });
    assert.equal(reset.name, "renamed");
    const { diff } = await neon.branches.compareSchema({ projectId, branchId: branch.id, databaseName: "neondb" });
    assert.equal(typeof diff, "string");
    await neon.branches.delete({ projectId, branchId: branch.id });
    // A repeated delete returns 204 without a body.
    await neon.branches.delete({ projectId, branchId: branch.id });
  });

  it("creates, updates, suspends, starts and deletes a compute", async () => {
    const branchId = await main();
    const created = await neon.postgres.endpoints.create({ projectId, branch_id: branchId, type: "read_only" });
    const at = { projectId, endpointId: created.id };
    await neon.postgres.endpoints.update({ ...at, autoscaling_limit_max_cu: 1, autoscaling_limit_min_cu: 0.5 });
    await neon.postgres.endpoints.suspend(at);
    assert.equal((await neon.postgres.endpoints.get(at)).current_state, "idle");
    await neon.postgres.endpoints.start(at);
    await neon.postgres.endpoints.restart(at);
    const found = await neon.postgres.endpoints.get(at);
    assert.deepEqual([found.current_state, found.autoscaling_limit_max_cu], ["active", 1]);
    assert.equal((await neon.postgres.endpoints.list({ projectId })).length, 2);
    assert.equal((await neon.postgres.endpoints.listByBranch({ projectId, branchId })).length, 2);
    await neon.postgres.endpoints.delete(at);
    assert.equal((await neon.postgres.endpoints.list({ projectId })).length, 1);
  });

  it("creates roles and databases and connects to them", async () => {
    const at = { projectId, branchId: await main() };
    const { roles, databases } = neon.postgres;
    const role = await roles.create({ ...at, name: "app user" });
    assert.equal(await roles.password({ ...at, roleName: "app user" }), role.password);
    const reset = await roles.resetPassword({ ...at, roleName: "app user" });
    assert.equal(await roles.password({ ...at, roleName: "app user" }), reset.password);
    await databases.create({ ...at, name: "shop/ü", owner_name: "app user" });
    const uri = await neon.postgres.connectionString({ ...at, databaseName: "shop/ü", roleName: "app user" });
    assert.equal(decodeURIComponent(new URL(uri).password), reset.password);
    await databases.update({ ...at, databaseName: "shop/ü", name: "store", owner_name: "neondb_owner" });
    assert.equal((await databases.get({ ...at, databaseName: "store" })).owner_name, "neondb_owner");
    assert.deepEqual((await databases.list(at)).map(({ name }) => name).sort(), ["neondb", "store"]);
    await databases.delete({ ...at, databaseName: "store" });
    assert.equal((await roles.get({ ...at, roleName: "app user" })).name, "app user");
    await roles.delete({ ...at, roleName: "app user" });
    assert.deepEqual(
      (await roles.list(at)).map(({ name }) => name),
      ["neondb_owner"],
    );
  });

  it("creates, reads, updates and deletes a Data API", async () => {
    const at = { projectId, branchId: await main(), databaseName: "neondb" };
    const { url } = await neon.postgres.dataApi.create({
      ...at,
      add_default_grants: true,
      settings: { db_max_rows: 10 },
    });
    // The response names no operation.
    await platform().settled(projectId);
    await neon.postgres.dataApi.update({ ...at, settings: { db_max_rows: 20 } });
    const found = await neon.postgres.dataApi.get(at);
    assert.deepEqual([found.url, found.status, found.settings?.db_max_rows], [url, "ready", 20]);
    await neon.postgres.dataApi.delete(at);
    await assert.rejects(
      neon.postgres.dataApi.get(at),
      (error: unknown) => isNeonError(error) && error.kind === "not_found",
    );
  });

  it("issues, lists, reveals, rotates and revokes a credential", async () => {
    const at = { projectId, branchId: await main() };
    const { credentials } = neon;
    const issued = await credentials.create({
      ...at,
      name: "uploads",
      scopes: ["storage:read"],
      principal_type: "user",
    });
    const of = { ...at, tokenId: issued.token_id };
    const listed = async () => (await credentials.list(at)).find(({ token_id: id }) => id === issued.token_id);
    assert.deepEqual((await listed())?.scopes, issued.scopes);
    const rotated = await credentials.rotate(of);
    assert.equal(rotated.created_at, issued.created_at);
    assert.notEqual(rotated.s3_secret_access_key, issued.s3_secret_access_key);
    const { token_id, api_token, s3_secret_access_key } = rotated;
    assert.deepEqual(await credentials.reveal(of), { token_id, api_token, s3_secret_access_key });
    await credentials.revoke(of);
    assert.ok((await listed())?.revoked_at);
    for (const refused of [credentials.reveal(of), credentials.rotate(of)]) {
      await assert.rejects(refused, (error: unknown) => isNeonError(error) && error.kind === "not_found");
    }
  });

  it("creates, lists and deletes a bucket, and reads where it is", async () => {
    const at = { projectId, branchId: await main() };
    const { storage } = neon;
    const bucket = await storage.buckets.create({ ...at, name: "avatars", access_level: "public_read" });
    assert.deepEqual(await storage.buckets.list(at), [bucket]);
    const { s3_endpoint: endpoint } = await storage.get(at);
    assert.equal(endpoint, `${platform().platform.consoleUrl}/storage/${at.branchId}`);
    await storage.buckets.delete({ ...at, bucketName: "avatars" });
    assert.deepEqual(await storage.buckets.list(at), []);
  });

  it("uploads, lists, downloads and deletes objects", async () => {
    const at = { projectId, branchId: await main(), bucketName: "files" };
    const { buckets, objects } = neon.storage;
    await buckets.create({ ...at, name: at.bucketName });
    for (const objectKey of ["a/1 ü", "a/2", "b"]) {
      const signed = await objects.presign({ ...at, objectKey, operation: "upload", content_type: "text/plain" });
      const { url, method, headers } = signed;
      assert.equal((await fetch(url, { method, headers, body: objectKey })).status, 200);
    }
    const listed = await objects.list({ ...at, delimiter: "/" });
    assert.deepEqual(
      [listed.folders, listed.objects.map(({ key }) => key), listed.is_truncated],
      [["a/"], ["b"], false],
    );
    assert.equal(await (await objects.get({ ...at, objectKey: "a/1 ü" })).text(), "a/1 ü");
    const refused = (error: unknown): boolean => isNeonError(error) && /not empty/.test(error.message);
    await assert.rejects(buckets.delete(at), refused);
    assert.deepEqual(await objects.deleteByPrefix({ ...at, prefix: "a/" }), { deleted: 2 });
    await objects.delete({ ...at, objectKey: "b" });
    await buckets.delete(at);
  });

  it("deploys, lists, renames and deletes a function with its triggers and its domain, and reads its logs", async () => {
    const at = { projectId, branchId: await main() };
    const of = { ...at, slug: "sdk" };
    const code = 'export default () => (console.log("called"), new Response("by the SDK"));';
    const zip = new Blob([archiveOf({ "index.mjs": code })]);
    const { id } = await neon.functions.deploy({ ...of, zip, environment: JSON.stringify({ A: "1" }) });
    await until(async () => (await neon.functions.get(of)).active_deployment?.id === id);
    const [found] = await neon.functions.list(at).all();
    assert.equal(await (await fetch(found?.invocation_url ?? "")).text(), "by the SDK");
    assert.equal((await neon.functions.update({ ...of, name: "Named" })).name, "Named");
    const schedule = {
      type: "schedule",
      function_slug: "sdk",
      name: "hourly",
      schedule: { cron: "0 * * * *" },
    } as const;
    const { trigger_id: triggerId } = await neon.triggers.create({ ...at, ...schedule });
    await neon.triggers.update({ ...at, triggerId, type: "schedule", enabled: false });
    assert.equal((await neon.triggers.get({ ...at, triggerId })).enabled, false);
    assert.equal((await neon.triggers.list(at)).length, 1);
    await neon.triggers.delete({ ...at, triggerId });
    const { customDomains } = neon.functions;
    const target = { domain: "sdk.example.com", entity_type: "function", entity_id: "sdk" };
    await customDomains.register({ ...at, ...target });
    assert.equal((await customDomains.list(at).all())[0]?.status, "pending");
    await customDomains.delete({ ...at, domain: target.domain });
    const query = { ...at, body_contains: "called" };
    await until(async () => (await neon.logs.query(query).all()).length === 1);
    assert.ok((await neon.logs.fields(at)).includes("scope_name"));
    await neon.logs.fieldValues({ ...at, fieldName: "scope_name" });
    assert.match((await neon.aiGateway.get(at)).base_url, /^https:/);
    await neon.functions.delete(of);
    assert.deepEqual(await neon.functions.list(at).all(), []);
  });

  it("creates a branch whose data is masked, and changes its rules", async () => {
    const { client } = neon;
    const rule = { database_name: "neondb", schema_name: "public", table_name: "customer", column_name: "email" };
    const created = await raw.createProjectBranchAnonymized({
      client,
      path: { project_id: projectId },
      body: { branch_create: { branch: { name: "masked" } }, masking_rules: [{ ...rule, masking_value: "hidden" }] },
    });
    assert.ok(created.data);
    const path = { project_id: projectId, branch_id: created.data.branch.id };
    await neon.operations.waitFor({ operations: created.data.operations }, { pollIntervalMs: 5 });
    const rules = [{ ...rule, masking_function: "anon.fake_email()" }];
    await raw.updateMaskingRules({ client, path, body: { masking_rules: rules } });
    assert.deepEqual((await raw.getMaskingRules({ client, path })).data?.masking_rules, rules);
    assert.equal((await raw.startAnonymization({ client, path })).data?.state, "anonymizing");
    const stateOf = async () => (await raw.getAnonymizedBranchStatus({ client, path })).data?.state;
    await until(async () => (await stateOf()) !== "anonymizing");
    // Without a table, a Postgres cannot apply the rules.
    assert.match((await stateOf()) ?? "", /^(anonymized|error)$/);
    await neon.branches.delete({ projectId, branchId: path.branch_id });
  });

  it("creates, updates, restores, deletes and schedules snapshots", async () => {
    const at = { projectId, branchId: await main() };
    const { id: snapshotId, slug } = await neon.snapshots.create({ ...at, name: "before", slug: "before-launch" });
    assert.equal(slug, "before-launch");
    const of = { projectId, snapshotId };
    const expiresAt = new Date(Math.ceil(Date.now() / 1000 + 3600) * 1000).toISOString().replace(".000", "");
    assert.equal((await neon.snapshots.update({ ...of, expiresAt })).expires_at, expiresAt);
    assert.equal((await neon.snapshots.update({ ...of, expiresAt: null })).expires_at, undefined);
    assert.equal((await neon.snapshots.update({ ...of, name: "kept" })).name, "kept");
    const restored = await neon.snapshots.restore({ ...of, name: "from the snapshot", finalize: false });
    assert.equal((await neon.branches.get({ projectId, branchId: restored.id })).current_state, "ready");
    const previewed: string[] = [];
    const taken = await neon.snapshots.restore({
      ...of,
      targetBranchId: restored.id,
      preview: ({ id }) => previewed.push(id) > 0,
    });
    assert.deepEqual(previewed, [taken.id]);
    const replaced = await neon.branches.get({ projectId, branchId: taken.id });
    assert.equal(replaced.name, "from the snapshot");
    assert.deepEqual(
      (await neon.snapshots.list({ projectId })).map(({ id }) => id),
      [snapshotId],
    );
    await neon.snapshots.delete(of);
    assert.deepEqual(await neon.snapshots.list({ projectId }), []);
    const schedule = [{ frequency: "daily" as const, hour: 3, retention_seconds: 3600 }];
    await neon.snapshots.setSchedule({ ...at, schedule });
    assert.deepEqual((await neon.snapshots.getSchedule(at)).schedule, schedule);
  });

  it("enables, configures and disables Neon Auth with every operation that the platform serves", async () => {
    const at = { projectId, branchId: await main() };
    const { auth } = neon;
    const created = await auth.create({ ...at, auth_provider: "better_auth", database_name: "neondb" });
    assert.equal((await auth.get(at)).base_url, created.base_url);
    assert.equal((await auth.updateConfig({ ...at, name: "Shop" })).name, "Shop");
    assert.equal((await auth.get(at)).name, "Shop");
    const client = { client_id: "shop", client_secret: "of the shop" };
    assert.equal((await auth.oauthProviders.add({ ...at, id: "github", ...client })).type, "standard");
    const changed = await auth.oauthProviders.update({ ...at, providerId: "github", client_id: "store" });
    assert.equal(changed.client_id, "store");
    await auth.oauthProviders.delete({ ...at, providerId: "google" });
    assert.deepEqual(
      (await auth.oauthProviders.list(at)).map(({ id }) => id),
      ["github"],
    );
    const domain = "https://shop.example.com";
    await auth.trustedDomains.add({ ...at, domain, auth_provider: "better_auth" });
    assert.deepEqual(await auth.trustedDomains.list(at), [{ domain, auth_provider: "better_auth" }]);
    await auth.trustedDomains.delete({ ...at, domains: [{ domain }], auth_provider: "better_auth" });
    const user = await auth.users.create({ ...at, email: "ann@example.com", name: "Ann" });
    const authUserId = user.id;
    assert.equal((await auth.users.updateRole({ ...at, authUserId, roles: ["admin"] })).id, authUserId);
    await auth.users.delete({ ...at, authUserId });

    const to = {
      client: neon.client,
      path: { project_id: projectId, branch_id: at.branchId },
      throwOnError: true,
    } as const;
    const server = { host: "smtp.example.com", port: 587, username: "shop", password: "hush" };
    const sender = { sender_email: "shop@example.com", sender_name: "Shop" };
    const standard = { type: "standard", ...server, ...sender } as const;
    await raw.updateNeonAuthEmailProvider({ ...to, body: standard });
    assert.deepEqual(await raw.getNeonAuthEmailProvider(to), { ...standard, password: "" });
    const test = { ...server, ...sender, recipient_email: "ann@example.com" };
    assert.equal((await raw.sendNeonAuthTestEmail({ ...to, body: test })).success, false);
    const recipient = { recipient_email: "ann@example.com" };
    assert.equal((await raw.sendNeonAuthEmailProviderTest({ ...to, body: recipient })).success, false);
    await raw.updateNeonAuthEmailAndPasswordConfig({ ...to, body: { disable_sign_up: true } });
    assert.equal((await raw.getNeonAuthEmailAndPasswordConfig(to)).disable_sign_up, true);
    await raw.updateNeonAuthAllowLocalhost({ ...to, body: { allow_localhost: false } });
    assert.equal((await raw.getNeonAuthAllowLocalhost(to)).allow_localhost, false);
    await raw.updateNeonAuthOrganizationPlugin({ ...to, body: { enabled: false } });
    await raw.updateNeonAuthMagicLinkPlugin({ ...to, body: { enabled: true } });
    await raw.updateNeonAuthPhoneNumberPlugin({ ...to, body: { enabled: true } });
    assert.equal((await raw.getNeonAuthPhoneNumberPlugin(to)).enabled, true);
    const plugins = await raw.getNeonAuthPluginConfigs(to);
    assert.deepEqual([plugins.organization?.enabled, plugins.magic_link?.enabled], [false, true]);
    await raw.updateNeonAuthWebhookConfig({ ...to, body: { enabled: true, webhook_url: "https://shop.example.com" } });
    assert.equal((await raw.getNeonAuthWebhookConfig(to)).webhook_url, "https://shop.example.com");

    await auth.disable({ ...at, deleteData: true });
    await assert.rejects(auth.get(at), (error: unknown) => isNeonError(error) && error.kind === "not_found");
  });

  it("lists, reads and waits for operations", async () => {
    const all = await neon.operations.list({ projectId }).all();
    assert.ok(all.length > 0);
    const [latest] = all;
    assert.equal((await neon.operations.get({ projectId, operationId: latest?.id ?? "" })).status, "finished");
    const { data } = await raw.createProjectBranch({
      client: neon.client,
      path: { project_id: projectId },
      body: { branch: { name: "raw" } },
    });
    assert.ok(data);
    await neon.operations.waitFor({ operations: data.operations }, { pollIntervalMs: 5 });
    assert.equal((await neon.branches.get({ projectId, branchId: data.branch.id })).current_state, "ready");
  });

  it("reads the user, the regions, the libraries and the schema", async () => {
    assert.match((await neon.user.me()).email, /@/);
    assert.ok(Array.isArray(await neon.user.organizations()));
    assert.ok((await neon.regions.list()).some(({ region_id: id }) => id === "aws-eu-central-1"));
    const client = neon.client;
    const libraries = await raw.getAvailablePreloadLibraries({ client, path: { project_id: projectId } });
    assert.ok((libraries.data?.libraries ?? []).length > 0);
    const schema = await raw.getProjectBranchSchema({
      client,
      path: { project_id: projectId, branch_id: await main() },
      query: { db_name: "neondb" },
    });
    assert.equal(typeof schema.data?.sql, "string");
  });

  it("creates a key that works until it is revoked", async () => {
    const created = await neon.apiKeys.create({ keyName: "another" });
    assert.ok((await neon.apiKeys.list()).some(({ id }) => id === created.id));
    const other = createNeonClient({ apiKey: created.key, baseUrl: platform().apiUrl });
    assert.equal((await other.projects.get({ projectId })).data?.id, projectId);
    assert.equal((await neon.apiKeys.revoke({ keyId: created.id })).revoked, true);
    const { error } = await other.projects.get({ projectId });
    assert.equal(error?.kind, "auth");
  });

  it("grants and revokes a project permission", async () => {
    const granted = await neon.projects.permissions.grant({ projectId, email: "guest@shop.example" });
    const listed = await neon.projects.permissions.list({ projectId });
    assert.ok(listed.some(({ id }) => id === granted.id));
    assert.ok((await neon.projects.permissions.revoke({ projectId, permissionId: granted.id })).revoked_at);
  });

  it("invites, changes and removes members, limits spending, and gives roles in a project", async () => {
    const orgId = await platform().organization();
    const { client } = neon;
    const at = { org_id: orgId };
    await platform().signIn("sdk-member@example.com");
    const { data: invited } = await raw.createOrganizationInvitations({
      client,
      path: at,
      body: { invitations: [{ email: "sdk-member@example.com", role: "member" }] },
    });
    const { data: listed } = await raw.getOrganizationInvitations({ client, path: at });
    assert.deepEqual(listed, invited);
    const { data: members } = await raw.getOrganizationMembers({ client, path: at });
    const id = members?.members.find(({ user }) => user.email === "sdk-member@example.com")?.member.id ?? "";
    const of = { ...at, member_id: id };
    await raw.updateOrganizationMember({ client, path: of, body: { role: "admin" } });
    assert.equal((await raw.getOrganizationMember({ client, path: of })).data?.role, "admin");
    await raw.updateOrganizationMember({ client, path: of, body: { role: "member" } });

    const { data: created } = await raw.createProject({ client, body: { project: { org_id: orgId } } });
    const project_id = created?.project.id ?? "";
    const role = { project_id, member_id: id };
    await raw.setProjectMemberRole({ client, path: role, body: { role: "viewer" } });
    const { data: found } = await raw.listProjectMembers({ client, path: { project_id } });
    assert.equal(found?.project_members.find(({ member_id }) => member_id === id)?.project_role, "viewer");
    const { data: removed } = await raw.removeProjectMemberRole({ client, path: role });
    assert.equal(removed?.project_role, undefined);
    await raw.removeOrganizationMember({ client, path: of });

    await raw.setOrganizationSpendingLimit({ client, path: at, body: { spending_limit_cents: 900 } });
    assert.equal((await raw.getOrganizationSpendingLimit({ client, path: at })).data?.spending_limit_cents, 900);
    await raw.deleteOrganizationSpendingLimit({ client, path: at });
    assert.equal((await raw.getOrganizationSpendingLimit({ client, path: at })).data?.spending_limit_cents, null);
  });

  it("reads consumption and advisor issues, and transfers a project", async () => {
    const orgId = await platform().organization();
    const { client } = neon;
    const { data: created } = await raw.createProject({ client, body: { project: { name: "to be transferred" } } });
    const project_id = created?.project.id ?? "";
    const transfer = { destination_org_id: orgId, project_ids: [project_id] };
    await raw.transferProjectsFromUserToOrg({ client, body: transfer });
    const to = new Date().toISOString();
    const from = new Date(Date.parse(to) - 86_400_000).toISOString();
    const span = { from, to, granularity: "daily" as const, org_id: orgId, project_ids: [project_id] };
    const v2 = { ...span, metrics: ["compute_unit_seconds", "root_branch_bytes_month"] };
    const legacy = await raw.getConsumptionHistoryPerProject({ client, query: span });
    const projects = await raw.getConsumptionHistoryPerProjectV2({ client, query: v2 });
    const branches = await raw.getConsumptionHistoryPerBranchV2({ client, query: v2 });
    assert.equal(legacy.data?.projects[0]?.project_id, project_id);
    assert.equal(projects.data?.projects[0]?.project_id, project_id);
    assert.equal(branches.data?.branches[0]?.project_id, project_id);
    const branchId = (await neon.branches.list({ projectId: project_id }).all())[0]?.id ?? "";
    await neon.postgres.dataApi.create({ projectId: project_id, branchId, databaseName: "neondb" });
    await platform().settled(project_id);
    const advice = await raw.getProjectAdvisorSecurityIssues({ client, path: { project_id } });
    assert.deepEqual(advice.data?.issues, []);
    const another = await platform().organization();
    await raw.transferProjectsFromOrgToOrg({
      client,
      path: { source_org_id: orgId },
      body: { ...transfer, destination_org_id: another },
    });
    assert.equal((await raw.getProject({ client, path: { project_id } })).data?.project.org_id, another);
  });

  it("gives a project away by a request, and reads what is shared with the user", async () => {
    const { client } = neon;
    const { data: created } = await raw.createProject({ client, body: { project: { name: "to be given away" } } });
    const project_id = created?.project.id ?? "";
    const { data: request } = await raw.createProjectTransferRequest({ client, path: { project_id }, body: {} });
    const org_id = await platform().organization();
    const accept = { project_id, request_id: request?.id ?? "" };
    await raw.acceptProjectTransferRequest({ client, path: accept, body: { org_id } });
    assert.equal((await raw.getProject({ client, path: { project_id } })).data?.project.org_id, org_id);
    assert.deepEqual((await raw.listSharedProjects({ client })).data?.projects, []);
    assert.equal((await raw.getAuthDetails({ client })).data?.auth_method, "api_key_user");
  });

  it("creates an organization's key, assigns a VPC endpoint to it, and restricts a project to that endpoint", async () => {
    const { client } = neon;
    const org_id = await platform().organization();
    const path = { org_id };
    assert.equal((await raw.getOrganization({ client, path })).data?.id, org_id);
    const { data: key } = await raw.createOrgApiKey({ client, path, body: { key_name: "ci" } });
    const key_id = key?.id ?? 0;
    assert.deepEqual(
      (await raw.listOrgApiKeys({ client, path })).data?.map(({ id }) => id),
      [key_id],
    );
    await raw.revokeOrgApiKey({ client, path: { ...path, key_id } });

    const { data: created } = await raw.createProject({ client, body: { project: { org_id } } });
    const project_id = created?.project.id ?? "";
    const vpc_endpoint_id = "vpce-0123456789abcdef0";
    const region = { ...path, region_id: created?.project.region_id ?? "" };
    const assigned = { ...region, vpc_endpoint_id };
    await raw.assignOrganizationVpcEndpoint({ client, path: assigned, body: { label: "office" } });
    const restricted = { project_id, vpc_endpoint_id };
    await raw.assignProjectVpcEndpoint({ client, path: restricted, body: { label: "only here" } });
    const lists = [
      await raw.listOrganizationVpcEndpoints({ client, path: region }),
      await raw.listOrganizationVpcEndpointsAllRegions({ client, path }),
      await raw.listProjectVpcEndpoints({ client, path: { project_id } }),
    ];
    assert.deepEqual(
      lists.map(({ data }) => data?.endpoints.map((one) => one.vpc_endpoint_id)),
      [[vpc_endpoint_id], [vpc_endpoint_id], [vpc_endpoint_id]],
    );
    const details = await raw.getOrganizationVpcEndpointDetails({ client, path: assigned });
    assert.equal(details.data?.num_restricted_projects, 1);
    await raw.deleteProjectVpcEndpoint({ client, path: restricted });
    await raw.deleteOrganizationVpcEndpoint({ client, path: assigned });
  });

  it("adds keys of an identity provider, and makes another branch the default", async () => {
    const { client } = neon;
    const { data: created } = await raw.createProject({ client, body: { project: {} } });
    const path = { project_id: created?.project.id ?? "" };
    await platform().settled(path.project_id);
    const body = { jwks_url: "https://auth.example.com/keys", provider_name: "clerk", role_names: ["neondb_owner"] };
    const { data: added } = await raw.addProjectJwks({ client, path, body });
    await platform().settled(path.project_id);
    const jwks_id = added?.jwks.id ?? "";
    assert.deepEqual(
      (await raw.getProjectJwks({ client, path })).data?.jwks.map(({ id }) => id),
      [jwks_id],
    );
    await raw.deleteProjectJwks({ client, path: { ...path, jwks_id } });
    await platform().settled(path.project_id);
    const { data: made } = await raw.createProjectBranch({ client, path, body: { branch: { name: "next" } } });
    await platform().settled(path.project_id);
    const { data: now } = await raw.setDefaultProjectBranch({
      client,
      path: { ...path, branch_id: made?.branch.id ?? "" },
    });
    assert.equal(now?.branch.default, true);
  });

  it("maps error responses to its error classes", async () => {
    await assert.rejects(neon.projects.get({ projectId: "none" }), (error: unknown) => {
      assert.ok(isNeonError(error) && error.kind === "not_found");
      assert.equal(error.status, 404);
      assert.match(error.requestId ?? "", /\S/);
      return true;
    });
    const taken = { projectId, branchId: await main(), name: "neondb", owner_name: "neondb_owner" };
    await assert.rejects(neon.postgres.databases.create(taken), (error: unknown) => {
      assert.ok(isNeonError(error) && error.kind === "api");
      assert.equal(error.status, 409);
      return true;
    });
  });

  it("retries 423 and 429", async () => {
    await platform().fault({ method: "PATCH", times: 1, status: 423, body: { code: "", message: "busy" } });
    await platform().fault({ method: "PATCH", times: 1, status: 503, body: { code: "", message: "later" } });
    try {
      assert.equal((await neon.projects.update({ projectId, name: "after all" })).name, "after all");
    } finally {
      await platform().clearFaults();
    }
  });

  it("reports a failed operation", async () => {
    await platform().fault({ action: "create_branch", times: 1, end: "error" });
    await assert.rejects(neon.branches.create({ projectId, name: "broken", noCompute: true }), (error: unknown) => {
      assert.ok(isNeonError(error) && error.kind === "operation");
      assert.equal(error.status, "error");
      return true;
    });
  });

  // The last test: it judges what the others have sent.
  it("calls every operation that it has and the platform serves, with success", async () => {
    const served = new Set(routes.map(({ method, path }) => routeShape(`${method} ${path}`)));
    const both = (await sdkRoutes())
      .filter((route) => served.has(routeShape(route)))
      .map((route) => ({ method: route.split(" ")[0] ?? "", path: route.split(" ")[1] ?? "" }))
      // Of those that a path fits, it is the one with the fewest variables.
      .sort((one, other) => one.path.split("{").length - other.path.split("{").length);
    const fits = (path: string, sent: string): boolean =>
      new RegExp(`^/api/v2${path.replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`).test(sent);
    const fulfilled = (await platform().requests())
      // The requests of this test's own say no name.
      .filter(({ userAgent, status }) => userAgent !== "" && status !== null && status < 300)
      .map((sent) => both.find(({ method, path }) => method === sent.method && fits(path, sent.path)));
    assert.deepEqual(
      both.filter((one) => !fulfilled.includes(one)).map(({ method, path }) => `${method} ${path}`),
      [],
    );
    assert.ok(both.length > 130, `${both.length} operations`);
  });
});
