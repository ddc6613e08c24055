import type { NeonAuthIntegration, NeonAuthPluginConfigs } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";

import { type ProjectFixture, suiteProjects } from "./support/project";
import { assertError, assertMembers, bodyOf, valuesOf } from "./support/responses";

const server = {
  type: "standard",
  host: "smtp.example.com",
  port: 587,
  username: "shop",
  sender_email: "shop@example.com",
  sender_name: "Shop",
};
const domain = { domain: "https://shop.example.com", auth_provider: "better_auth" };

describe("local platform: Neon Auth", () => {
  const { project, whileStuck } = suiteProjects();

  /** The Neon Auth of a branch; by default, that of the default branch. */
  const authOf = ({ call, main }: ProjectFixture, branchId = main.id) => {
    const path = `/branches/${branchId}/auth`;
    return {
      send: (method: string, below = "", body?: unknown) => call(method, path + below, body),
      read: async () => bodyOf(await call("GET", path)) as NeonAuthIntegration,
      plugins: async () => bodyOf(await call("GET", `${path}/plugins`)) as NeonAuthPluginConfigs,
      users: (email: string) => call("POST", `${path}/users`, { email }),
    };
  };
  const enabled = async (body: object = { auth_provider: "better_auth" }) => {
    const fixture = await project({ name: "shop" });
    const auth = authOf(fixture);
    const created = await auth.send("POST", "", body);
    assert.equal(created.status, 201, JSON.stringify(created.body));
    return { ...fixture, ...auth, fixture, created: bodyOf(created) as Record<string, string> };
  };

  it("enable gives a branch URLs, the project's name and no keys, and a second time is a conflict", async () => {
    const { main, created, read, send } = await enabled();
    const { auth_provider_project_id: providerProject, base_url: url = "", created_at: time, ...found } = await read();
    assert.deepEqual(found, {
      auth_provider: "better_auth",
      branch_id: main.id,
      db_name: "neondb",
      owned_by: "neon",
      jwks_url: `${url}/.well-known/jwks.json`,
      name: "shop",
    });
    assert.match(url, /^https:\/\/ep-[^.]+\.neonauth\..+\/neondb\/auth$/);
    assert.ok(Date.parse(time) > 0);
    assert.deepEqual(created, {
      auth_provider: "better_auth",
      auth_provider_project_id: providerProject,
      pub_client_key: "",
      secret_server_key: "",
      jwks_url: found.jwks_url,
      base_url: url,
      schema_name: "neon_auth",
      table_name: "users_sync",
    });
    assertError(await send("POST", "", { auth_provider: "better_auth" }), 409, /already enabled/);
  });

  it("enable makes keys for `stack` only, which are returned once", async () => {
    const { created, read } = await enabled({ auth_provider: "stack", database_name: "neondb" });
    assert.match(created["pub_client_key"] ?? "", /^pck_/);
    assert.match(created["secret_server_key"] ?? "", /^ssk_/);
    assert.ok(!JSON.stringify(await read()).includes(created["secret_server_key"] ?? ""));
  });

  it("enable and disable wait for the project's operations, and refuse what does not exist", async () => {
    const fixture = await project();
    const { send } = authOf(fixture);
    for (const [method, path, body] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/plugins"],
      ["PATCH", "/config", { name: "shop" }],
      ["GET", "/domains"],
      ["POST", "/domains", domain],
      ["POST", "/users", { email: "ann@example.com" }],
      ["PUT", "/webhooks", { enabled: false }],
    ] as const) {
      assertError(await send(method, path, body), 404, /Neon Auth integration not found/, "", `${method} ${path}`);
    }
    assertError(
      await send("POST", "", { auth_provider: "better_auth", database_name: "none" }),
      404,
      /database not found/,
    );
    await whileStuck("apply_config", async () => {
      await fixture.call("POST", `/branches/${fixture.main.id}/roles`, { role: { name: "app" } });
      assertError(await send("POST", "", { auth_provider: "better_auth" }), 423, /conflicting operations/);
    });
    assert.equal((await send("POST", "", { auth_provider: "better_auth" })).status, 201);
  });

  it("each part of the configuration keeps the members that a request omits, except the webhook, which is replaced", async () => {
    const { send, plugins, read } = await enabled();
    await send("PATCH", "/config", { name: "Shop of tables" });
    await send("PATCH", "/allow_localhost", { allow_localhost: false });
    await send("PATCH", "/email_and_password", { require_email_verification: true });
    await send("PATCH", "/plugins/organization", { creator_role: "admin" });
    await send("PATCH", "/plugins/magic-link", { enabled: true });
    await send("PATCH", "/plugins/phone-number", { otp_expires_in: 60 });
    const { name } = await read();
    assert.equal(name, "Shop of tables");
    assert.deepEqual(await plugins(), {
      organization: {
        enabled: true,
        organization_limit: 10,
        membership_limit: 100,
        creator_role: "admin",
        send_invitation_email: false,
      },
      magic_link: { enabled: true, expires_in: 5, disable_sign_up: false },
      phone_number: { enabled: false, otp_expires_in: 60 },
      email_provider: { type: "shared" },
      email_and_password: {
        enabled: true,
        email_verification_method: "otp",
        require_email_verification: true,
        auto_sign_in_after_verification: true,
        send_verification_email_on_sign_up: false,
        send_verification_email_on_sign_in: false,
        disable_sign_up: false,
      },
      oauth_providers: [{ id: "google", type: "shared" }],
      allow_localhost: false,
    });
    const hook = { enabled: true, webhook_url: "https://shop.example.com/hooks", enabled_events: ["user.created"] };
    assert.deepEqual((await send("PUT", "/webhooks", hook)).body, { ...hook, timeout_seconds: 5 });
    assert.deepEqual((await send("PUT", "/webhooks", { enabled: false })).body, { enabled: false, timeout_seconds: 5 });
  });

  it("an e-mail server needs all of its members at each change, and no answer shows its password", async () => {
    const { send, plugins } = await enabled();
    const complete = { ...server, password: "hush" };
    for (const name of Object.keys(server)
      .filter((one) => one !== "type")
      .concat("password")) {
      const incomplete = Object.fromEntries(Object.entries(complete).filter(([member]) => member !== name));
      assertError(await send("PATCH", "/email_provider", incomplete), 400, new RegExp(`${name} \\(field required\\)`));
    }
    assertError(await send("PATCH", "/email_provider", { host: "smtp.example.com" }), 400, /type/);
    const shown = { ...server, password: "" };
    assert.deepEqual((await send("PATCH", "/email_provider", complete)).body, shown);
    assertError(await send("PATCH", "/email_provider", { type: "standard", port: 25 }), 400, /host \(field required\)/);
    assert.deepEqual((await send("PATCH", "/email_provider", { ...complete, port: 25 })).body, { ...shown, port: 25 });
    assert.deepEqual((await send("GET", "/email_provider")).body, { ...shown, port: 25 });
    assert.deepEqual((await plugins()).email_provider, { ...shown, port: 25 });
    const test = await send("POST", "/send_test_email", {
      ...server,
      password: "hush",
      recipient_email: "a@b.example",
    });
    assert.deepEqual(test.body, { success: false, error_message: "the local platform sends no e-mail" });
    const saved = () => send("POST", "/email_provider/test", { recipient_email: "a@b.example" });
    assert.deepEqual((await saved()).body, test.body);
    await send("PATCH", "/email_provider", { type: "shared" });
    assertError(await saved(), 422, /no shared one/);
  });

  it("an OAuth provider is added, changed and removed once, and needs a client unless projects share one", async () => {
    const { send } = await enabled();
    const path = "/oauth_providers";
    const list = async () => (bodyOf(await send("GET", path)) as { providers: object[] }).providers;
    const code = "INVALID_SHARED_OAUTH_PROVIDER";
    assertError(await send("POST", path, { id: "vercel" }), 400, /needs a client_id/, code);
    assertError(await send("POST", path, { id: "google" }), 409, /already exists/);
    const github = { id: "github", client_id: "shop", client_secret: "first" };
    assert.equal((await send("POST", path, github)).status, 200);
    const changed = await send("PATCH", `${path}/github`, { client_secret: "second" });
    assert.deepEqual(changed.body, { ...github, type: "standard", client_secret: "second" });
    assertError(await send("PATCH", `${path}/vercel`, { client_id: "shop" }), 404, /OAuth provider not found/);
    const removed = await send("DELETE", `${path}/google`);
    assertMembers(removed, { status: 200, body: undefined });
    assertError(await send("DELETE", `${path}/google`), 404, /OAuth provider not found/);
    assert.deepEqual(await list(), [{ ...github, type: "standard", client_secret: "second" }]);
  });

  it("an OAuth provider is enabled on a branch without a parent only, and a child inherits it with its clients", async () => {
    const { send, fixture } = await enabled();
    const plugin = "/plugins/oauth-provider";
    assert.deepEqual((await send("GET", plugin)).body, { enabled: false, resources: [] });
    const early = authOf(fixture, (await fixture.branch()).branch.id);
    assertError(await early.send("PATCH", plugin, { enabled: true }), 422, /only be enabled on the project's root/);
    const mcp = { resource: "https://mcp.example.com/mcp", dynamic_registration: true };
    await send("PATCH", plugin, { enabled: true, login_page: "https://shop.example.com/sign-in", mcp });
    assertError(await send("PATCH", plugin, { mcp: { dynamic_registration: true } }), 400, /mcp/);
    const changed = await send("PATCH", plugin, { mcp: { resource: mcp.resource }, resources: ["https://a.example"] });
    const whole = { resource: mcp.resource, dynamic_registration: false, client_id_metadata_documents: false };
    const expected = {
      enabled: true,
      login_page: "https://shop.example.com/sign-in",
      mcp: whole,
      resources: ["https://a.example"],
    };
    assert.deepEqual(changed.body, expected);
    const client = { name: "one", type: "public", redirect_uris: ["https://one.example"], resources: [mcp.resource] };
    const { client_id: id } = bodyOf(await send("POST", "/oauth-provider/clients", client)) as { client_id: string };
    const heir = authOf(fixture, (await fixture.branch()).branch.id);
    assert.deepEqual((await heir.send("PATCH", plugin, { enabled: true })).body, expected);
    const { clients } = bodyOf(await heir.send("GET", "/oauth-provider/clients")) as {
      clients: { client_id: string }[];
    };
    assert.deepEqual(valuesOf(clients, "client_id"), [id]);
  });

  it("an OAuth client needs the provider and its resources, and its secret is in no answer but two", async () => {
    const { send } = await enabled();
    const path = "/oauth-provider/clients";
    const uri = "https://one.example/callback";
    const client = { name: "one", type: "confidential", redirect_uris: [uri], resources: ["https://a.example"] };
    assertError(await send("POST", path, client), 422, /plugin is not enabled/);
    await send("PATCH", "/plugins/oauth-provider", { enabled: true });
    assertError(await send("POST", path, client), 422, /https:\/\/a.example is not configured/);
    await send("PATCH", "/plugins/oauth-provider", { resources: ["https://a.example"] });
    const local = { ...client, redirect_uris: ["http://localhost:3000"] };
    assert.equal((await send("POST", path, local)).status, 201);
    await send("PATCH", "/allow_localhost", { allow_localhost: false });
    assertError(await send("POST", path, local), 400, /must be https/);
    const created = await send("POST", path, client);
    assert.equal(created.status, 201);
    const { client_id: id, client_secret: secret, ...shown } = bodyOf(created) as Record<string, string>;
    assert.match(secret ?? "", /^[A-Za-z]{32}$/);
    assert.deepEqual(shown, { ...client, skip_consent: false, disabled: false, created_at: shown["created_at"] });
    const one = `${path}/${id ?? ""}`;
    const changed = await send("PATCH", one, { name: "two", disabled: true });
    assert.deepEqual(changed.body, { client_id: id, ...shown, name: "two", disabled: true });
    assertError(await send("PATCH", one, { resources: ["https://b.example"] }), 422, /b.example is not configured/);
    const rotated = bodyOf(await send("POST", `${one}/rotate_secret`)) as Record<string, string>;
    assert.equal(rotated["client_id"], id);
    assert.notEqual(rotated["client_secret"], secret);
    assert.doesNotMatch(JSON.stringify((await send("GET", path)).body), /secret/);
    assert.equal((await send("DELETE", one)).status, 204);
    assertError(await send("DELETE", one), 404, /OAuth client not found/);
    const open = bodyOf(await send("POST", path, { ...client, type: "public" })) as Record<string, string>;
    assert.equal(open["client_secret"], undefined);
    assertError(await send("POST", `${path}/${open["client_id"] ?? ""}/rotate_secret`), 422, /no secret/);
  });

  it("a domain is added once, and removing one that is not there changes nothing", async () => {
    const { send } = await enabled();
    const added = await send("POST", "/domains", domain);
    assertMembers(added, { status: 201, body: undefined });
    assertError(await send("POST", "/domains", domain), 409, /already exists/);
    const remove = { auth_provider: "better_auth", domains: [{ domain: "https://other.example.com" }] };
    assert.equal((await send("DELETE", "/domains", remove)).status, 200);
    assert.deepEqual((await send("GET", "/domains")).body, { domains: [domain] });
    await send("DELETE", "/domains", { ...remove, domains: [{ domain: domain.domain }] });
    assert.deepEqual((await send("GET", "/domains")).body, { domains: [] });
  });

  it("a user is created once, gets roles, and outlives an integration whose data is not deleted", async () => {
    const { send, users } = await enabled();
    const { id } = bodyOf(await users("Ann@example.com")) as { id: string };
    assertError(await users("ann@EXAMPLE.com"), 409, /already exists/);
    assert.deepEqual((await send("PUT", `/users/${id}/role`, { roles: ["admin"] })).body, { id });
    assertError(await send("PUT", `/users/${id}/role`, { roles: [] }), 400, /roles/);
    await send("DELETE");
    await send("POST", "", { auth_provider: "better_auth" });
    assertError(await users("ann@example.com"), 409, /already exists/);
    await send("DELETE", "", { delete_data: true });
    await send("POST", "", { auth_provider: "better_auth" });
    const again = bodyOf(await users("ann@example.com")) as { id: string };
    assert.equal((await send("DELETE", `/users/${again.id}`)).status, 204);
    assertError(await send("DELETE", `/users/${again.id}`), 404, /user not found/);
  });

  it("a branch inherits the integration with an address of its own, and a schema-only branch does not", async () => {
    const { fixture, send, read, users } = await enabled();
    await send("POST", "/domains", domain);
    await users("ann@example.com");
    const { branch } = await fixture.branch();
    const child = authOf(fixture, branch.id);
    const [parent, copy] = [await read(), await child.read()];
    assert.notEqual(copy.base_url, parent.base_url);
    assert.notEqual(copy.auth_provider_project_id, parent.auth_provider_project_id);
    assert.equal(copy.branch_id, branch.id);
    assertError(await child.users("ann@example.com"), 409, /already exists/);
    await child.send("DELETE", "/domains", { auth_provider: "better_auth", domains: [{ domain: domain.domain }] });
    assert.deepEqual((await send("GET", "/domains")).body, { domains: [domain] });
    const { branch: root } = await fixture.branch({ branch: { init_source: "schema-only" } });
    assertError(await authOf(fixture, root.id).send("GET"), 404, /Neon Auth integration not found/);
    await fixture.done("DELETE", `/branches/${branch.id}`);
    assertError(await child.send("GET"), 404, /branch not found/);
  });
});
