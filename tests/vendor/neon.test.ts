import assert from "node:assert/strict";

import type { Branch, Bucket, Endpoint, Organization, Project } from "@neondatabase/api-client";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "mocha";

import { suiteFolder } from "../../platform/tests/support/folder";
import { suitePlatform } from "../support/platform";
import { hostPattern } from "../support/postgres-files";
import { suiteVendorCli } from "../support/vendor-cli";

/** The command sends its requests with the vendor's SDK, which platform/tests/vendor-sdk.test.ts covers. */
describe("vendor: the command `neon`", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const cli = suiteVendorCli("neon", () => platform());
  const folder = suiteFolder();
  let projectId: string;
  let main: Branch;
  /** The project, as most commands want it. */
  let of: readonly [string, string];
  before(async () => {
    const { project, branch } = await platform().project({ name: "by hand" });
    [projectId, main] = [project.id, branch];
    of = ["--project-id", projectId];
  });

  /** The CLI does not wait for operations, and is slow to try again. */
  async function made<Answer>(...args: readonly string[]): Promise<Answer> {
    const answer = await cli().json<Answer>(...args, ...of);
    await platform().settled(projectId);
    return answer;
  }

  async function branchNamed(name: string): Promise<Branch> {
    const { branches } = (await platform().call("GET", `/projects/${projectId}/branches`)).body;
    const found = branches.find((branch) => branch.name === name);
    assert.ok(found, name);
    return found;
  }

  it("creates a project of an organization, restricts it, and creates a key that reaches no further", async () => {
    const [organization] = await cli().json<Organization[]>("orgs", "list");
    assert.ok(organization);
    const inIt = ["--org-id", organization.id];
    const { project, connection_uris: uris } = await cli().json<{ project: Project; connection_uris: object[] }>(
      ...["projects", "create", "--name", "by the CLI", "--region-id", "aws-eu-central-1", ...inIt],
      ...["--database", "shop", "--role", "keeper", "--cu", "0.5-2"],
    );
    assert.equal(project.region_id, "aws-eu-central-1");
    assert.equal(project.default_endpoint_settings?.autoscaling_limit_max_cu, 2);
    assert.match(JSON.stringify(uris), /postgresql:\/\/keeper:[^@]+@[^/]+\/shop/);
    await platform().settled(project.id);
    const ofIt = ["--project-id", project.id];
    await cli().text("ip-allow", "add", "10.0.0.1", "10.0.0.2", "--protected-only", ...ofIt);
    await platform().settled(project.id);
    const { settings } = (await platform().call("GET", `/projects/${project.id}`)).body.project;
    assert.deepEqual(settings?.allowed_ips, { ips: ["10.0.0.1", "10.0.0.2"], protected_branches_only: true });

    const id = "vpce-0123456789abcdef0";
    const region = [...inIt, "--region-id", project.region_id];
    await cli().text("vpc", "endpoint", "assign", id, "--label", "office", ...region);
    await cli().text("vpc", "project", "restrict", id, "--label", "only here", ...ofIt);
    const assigned = await cli().json<Record<string, unknown>>("vpc", "endpoint", "status", id, ...region);
    assert.deepEqual([assigned["label"], assigned["num_restricted_projects"]], ["office", 1]);

    const { key } = await cli().json<{ key: string }>("api-keys", "create", "--name", "ci", ...ofIt);
    assert.equal((await platform().call("GET", `/projects/${project.id}`, undefined, { key })).status, 200);
    assert.equal((await platform().call("DELETE", `/projects/${project.id}`, undefined, { key })).status, 403);
  });

  it("creates branches, clears an expiry, and restores a branch", async () => {
    const { branch, endpoints } = await made<{ branch: Branch; endpoints: Endpoint[] }>(
      ...["branches", "create", "--name", "dev", "--cu", "0.25-1", "--suspend-timeout", "600"],
    );
    assert.equal(branch.parent_id, main.id);
    assert.deepEqual(
      endpoints.map((one) => [one.type, one.autoscaling_limit_max_cu, one.suspend_timeout_seconds]),
      [["read_write", 1, 600]],
    );
    await made(
      ...["branches", "create", "--name", "bare", "--no-compute", "--parent", "dev"],
      ...["--expires-at", new Date(Date.now() + 86_400_000).toISOString()],
    );
    const bare = await branchNamed("bare");
    assert.equal(bare.parent_id, branch.id);
    assert.ok(bare.expires_at);
    await made("branches", "set-expiration", bare.id);
    assert.equal((await branchNamed("bare")).expires_at ?? undefined, undefined);

    // What was before its creation is the parent's past, not its own.
    const moment = `^self@${new Date(Date.parse(branch.created_at) + 1).toISOString()}`;
    const restored = await made<{ restored_branch: Branch; backup_branch: Branch }>(
      ...["branches", "restore", "dev", moment, "--preserve-under-name", "before"],
    );
    assert.deepEqual([restored.restored_branch.id, restored.backup_branch.name], [branch.id, "before"]);
    assert.match(await cli().complaint(["branches", "delete", main.name, ...of]), /ERROR: .*default/);
  });

  it("creates a Data API, changes one of its settings, and deletes it", async () => {
    // The roles of a Data API stay when it is deleted.
    await made("branches", "create", "--name", "data", "--no-compute");
    const whose = ["--branch", "data", "--database", "neondb"];
    const { url } = await made<{ url: string }>("data-api", "create", "--db-max-rows", "10", ...whose);
    await cli().text("data-api", "update", "--openapi-mode", "ignore-privileges", ...whose, ...of);
    const found = await cli().json<{ url: string; settings: object }>("data-api", "get", ...whose, ...of);
    assert.equal(found.url, url);
    assert.deepEqual({ ...found.settings, db_max_rows: 10, openapi_mode: "ignore-privileges" }, found.settings);
    await cli().text("data-api", "delete", ...whose, ...of);
    assert.match(await cli().complaint(["data-api", "get", ...whose, ...of]), /ERROR: .*not found/);
  });

  it("creates, lists and deletes a bucket, and says that one does not exist", async () => {
    const where = ["--branch", main.id, ...of];
    await cli().text("bucket", "create", "avatars", "--access-level", "public_read", ...where);
    const [bucket, ...others] = await cli().json<Bucket[]>("bucket", "list", ...where);
    assert.deepEqual([bucket?.name, bucket?.access_level, others.length], ["avatars", "public_read", 0]);
    assert.match(await cli().complaint(["bucket", "create", "avatars", ...where]), /ERROR: .*already exists/);
    await cli().text("bucket", "delete", "avatars", ...where);
    assert.match(await cli().complaint(["bucket", "delete", "avatars", ...where]), /ERROR: Bucket "avatars" not found/);
  });

  it("puts, lists, gets and deletes objects", async () => {
    const where = [...of, "--branch", main.id];
    const [sent, received] = [join(folder(), "sent.txt"), join(folder(), "received.txt")];
    mkdirSync(folder(), { recursive: true });
    writeFileSync(sent, "hello");
    await cli().text("bucket", "create", "files", ...where);
    const target = "files/in/ä b.txt";
    await cli().text("bucket", "object", "put", target, "--file", sent, "--content-type", "text/plain", ...where);
    const list = (...flags: readonly string[]) =>
      cli().json<{ folders: string[]; objects: { key: string }[] }>(
        "bucket",
        "object",
        "list",
        "files",
        ...flags,
        ...where,
      );
    assert.deepEqual((await list()).folders, ["in/"]);
    assert.deepEqual(
      (await list("--recursive")).objects.map(({ key }) => key),
      ["in/ä b.txt"],
    );
    await cli().text("bucket", "object", "get", target, "--file", received, ...where);
    assert.equal(readFileSync(received, "utf8"), "hello");
    assert.match(await cli().complaint(["bucket", "delete", "files", ...where]), /not empty/);
    await cli().text("bucket", "object", "delete", "files/in/", "--recursive", ...where);
    assert.match(await cli().complaint(["bucket", "object", "get", target, ...where]), /object not found/);
    await cli().text("bucket", "delete", "files", ...where);
  });

  it("shows URIs: through the pooler, for reading, and in parts", async () => {
    const reader = await made<Endpoint>("branches", "add-compute", main.name, "--type", "read_only");
    const whose = ["--database-name", "neondb", "--role-name", "neondb_owner", ...of];
    const [pooled, reading, parts] = await Promise.all([
      cli().text("connection-string", main.name, "--pooled", ...whose),
      cli().text("connection-string", main.name, "--endpoint-type", "read_only", ...whose),
      cli().json<Record<string, string>>("connection-string", main.name, "--extended", ...of),
    ]);
    assert.match(new URL(pooled).hostname, hostPattern({ pooled: true }));
    assert.equal(new URL(reading).hostname, reader.host);
    assert.deepEqual([parts["role"], parts["database"]], ["neondb_owner", "neondb"]);
  });

  it("sends any request, and reports that a key is wrong", async () => {
    const [regions, wrong] = await Promise.all([
      cli().json<{ regions: unknown[] }>("api", "/regions"),
      cli().complaint(["me"], "napi_never_made"),
    ]);
    assert.ok(regions.regions.length > 0);
    assert.match(wrong, /ERROR/);
  });

  it("has no command for organizations but the one for any request, which reads and changes them", async () => {
    const organization = `/organizations/${await platform().organization()}`;
    await platform().signIn("cli-member@example.com");
    const api = <Answer>(method: string, path: string, body?: object): Promise<Answer> =>
      cli().json<Answer>("api", path, "-X", method, ...(body === undefined ? [] : ["-d", JSON.stringify(body)]));
    interface Member {
      readonly member: { readonly id: string; readonly role: string };
      readonly user: { readonly email: string };
    }

    await api("POST", `${organization}/invitations`, {
      invitations: [{ email: "cli-member@example.com", role: "member" }],
    });
    const { members } = await api<{ members: Member[] }>("GET", `${organization}/members`);
    const id = members.find(({ user }) => user.email === "cli-member@example.com")?.member.id ?? "";
    const { role } = await api<Member["member"]>("PATCH", `${organization}/members/${id}`, { role: "admin" });
    assert.equal(role, "admin");

    const limit = `${organization}/billing/spending_limit`;
    await api("PUT", limit, { spending_limit_cents: 900 });
    assert.deepEqual(await api("GET", limit), { spending_limit_cents: 900 });

    const org_id = organization.slice("/organizations/".length);
    const { project, branch } = await api<{ project: Project; branch: Branch }>("POST", "/projects", {
      project: { org_id },
    });
    await platform().settled(project.id);
    // The advisor asks it.
    await api("POST", `/projects/${project.id}/branches/${branch.id}/data-api/neondb`, {});
    await platform().settled(project.id);
    const { org_id: owner } = project;
    assert.equal(owner, org_id);
    const to = new Date().toISOString();
    const from = new Date(Date.parse(to) - 86_400_000).toISOString();
    const asked = { from, to, granularity: "daily", org_id, metrics: "compute_unit_seconds" };
    const [consumption, advice, shared, transfer] = await Promise.all([
      api<{ projects: { project_id: string }[] }>(
        "GET",
        `/consumption_history/v2/projects?${String(new URLSearchParams(asked))}`,
      ),
      api<{ issues: object[] }>("GET", `/projects/${project.id}/advisors`),
      api<{ projects: object[] }>("GET", "/projects/shared"),
      api<{ id: string }>("POST", `/projects/${project.id}/transfer_requests`, {}),
    ]);
    assert.deepEqual(
      consumption.projects.map((one) => one.project_id),
      [project.id],
    );
    assert.deepEqual([advice.issues, shared.projects], [[], []]);
    assert.match(transfer.id, /\S/);
  });

  it("issues, lists and revokes a credential", async () => {
    await platform().settled(projectId);
    const credentials = <Answer>(...args: readonly string[]): Promise<Answer> =>
      cli().json<Answer>("credentials", ...args, "--branch", main.id, ...of);
    interface Credential {
      readonly token_id: string;
      readonly api_token?: string;
    }
    const issued = await credentials<Credential>("create", "--name", "uploads", "--scope", "storage:read");
    assert.match(issued.api_token ?? "", /\S/);
    const listed = await credentials<Credential[]>("list");
    assert.deepEqual(
      listed.map((one) => one.token_id),
      [issued.token_id],
    );
    await cli().text("credentials", "revoke", issued.token_id, "--branch", main.id, ...of);
  });

  it("enables Neon Auth on a branch, configures it, and disables it with its users", async () => {
    const auth = <Answer>(...args: readonly string[]): Promise<Answer> =>
      cli().json<Answer>("neon-auth", ...args, "--branch", main.id, ...of);
    const told = (...args: readonly string[]): Promise<string> =>
      cli().text("neon-auth", ...args, "--branch", main.id, ...of);
    await platform().settled(projectId);
    const { base_url: baseUrl } = await auth<{ base_url: string }>("enable", "--database-name", "neondb");
    // The API answers a conflict, which is no error of the command.
    assert.equal((await auth<{ base_url: string }>("enable")).base_url, baseUrl);
    assert.equal((await auth<{ base_url: string }>("status")).base_url, baseUrl);
    const own = ["--oauth-client-id", "shop", "--oauth-client-secret", "of the shop"];
    assert.equal(
      (await auth<{ type: string }>("oauth-provider", "add", "--provider-id", "github", ...own)).type,
      "standard",
    );
    const refused = ["neon-auth", "oauth-provider", "add", "--provider-id", "vercel", "--branch", main.id, ...of];
    assert.match(await cli().complaint(refused), /requires your own OAuth app credentials/);
    await told("domain", "add", "https://shop.example.com");
    assert.deepEqual(await auth("domain", "list"), [
      { domain: "https://shop.example.com", auth_provider: "better_auth" },
    ]);
    await told("domain", "allow-localhost", "disable");
    assert.deepEqual(await auth("domain", "allow-localhost", "get"), { allow_localhost: false });
    const mail = ["--host", "smtp.example.com", "--port", "587", "--username", "shop", "--password", "hush"];
    const sender = ["--sender-email", "shop@example.com", "--sender-name", "Shop"];
    const provider = await auth<{ type: string; password: string }>(
      ...["config", "email-provider", "update", "--type", "standard", ...mail, ...sender],
    );
    assert.deepEqual([provider.type, provider.password], ["standard", ""]);
    assert.match(await told("plugins", "list"), /email_provider/);
    const config = <Answer>(...args: readonly string[]): Promise<Answer> => auth<Answer>("config", ...args);
    await config("email-password", "update", "--disable-sign-up");
    await config("organization", "update", "--limit", "3");
    await config("webhook", "update", "--enabled", "--url", "https://shop.example.com/hook", "--timeout", "5");
    const [signUp, organizations, webhook] = await Promise.all([
      config<{ disable_sign_up: boolean }>("email-password", "get"),
      auth<{ organization_limit: number }>("plugins", "get", "organization"),
      config<{ timeout_seconds: number }>("webhook", "get"),
    ]);
    assert.deepEqual([signUp.disable_sign_up, organizations.organization_limit, webhook.timeout_seconds], [true, 3, 5]);
    const [, user = ""] =
      /User created\s+ID: +(\S+)/.exec(await told("user", "create", "--email", "ann@example.com")) ?? [];
    await told("user", "set-role", user, "--roles", "admin");
    await told("user", "delete", user);
    await told("disable", "--delete-data");
    assert.match(await told("status"), /not configured/);
  });
});
