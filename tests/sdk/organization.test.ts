import assert from "node:assert/strict";

import type { ApiKeyCreateResponse, OrganizationsResponse } from "@neondatabase/api-client";
import * as pulumi from "@pulumi/pulumi";
import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

describe("looking up organizations", () => {
  const platform = suiteAccount();
  const told = async (): Promise<OrganizationsResponse["organizations"]> =>
    ((await platform().call("GET", "/users/me/organizations")).body as unknown as OrganizationsResponse).organizations;

  it("lists all of them, in camelCase", async () => {
    const organizations = await told();
    const found = await neon.getOrganizations();
    assert.ok(found.length >= 1);
    assert.deepEqual(
      found.map(({ id, name, handle, plan, managedBy, createdAt }) => [id, name, handle, plan, managedBy, createdAt]),
      organizations.map(({ id, name, handle, plan, managed_by, created_at }) => [
        id,
        name,
        handle,
        plan,
        managed_by,
        created_at,
      ]),
    );
    assert.deepEqual(await valueOf(neon.getOrganizationsOutput()), found);
  });

  it("finds one by its id, and one by its exact name", async () => {
    const [first] = await neon.getOrganizations();
    assert.ok(first);
    assert.deepEqual(await neon.getOrganization({ orgId: first.id }), first);
    assert.deepEqual(await neon.getOrganization({ name: first.name }), first);
    assert.deepEqual(await valueOf(neon.getOrganizationOutput({ name: pulumi.output(first.name) })), first);
  });

  it("§6.22 fails where there is none: never with another one", async () => {
    const [first] = await neon.getOrganizations();
    const part = first?.name.slice(0, -1) ?? "";
    await assertFails(
      neon.getOrganization({ name: part }),
      new RegExp(`^There is no organization named "${part}" that this API key sees\\.$`),
    );
    await assertFails(neon.getOrganization({ orgId: "org-no-such-000001" }), /HTTP 404/);
  });

  it("fails where two have the name, and names both", async () => {
    const twins = [await platform().organization({ name: "twin" }), await platform().organization({ name: "twin" })];
    await assertFails(
      neon.getOrganization({ name: "twin" }),
      new RegExp(`^There are 2 organizations named "twin" \\(${twins.join(", ")}\\): ask by id\\.$`),
    );
    for (const orgId of twins) assert.equal((await neon.getOrganization({ orgId })).id, orgId);
  });

  it("tells for an organization's key only the one that owns it", async () => {
    const { apiUrl } = platform();
    const orgId = await platform().organization({ name: "owner" });
    const { body } = await platform().call("POST", `/organizations/${orgId}/api_keys`, { key_name: "asks" });
    configure({ apiUrl, apiKey: (body as unknown as ApiKeyCreateResponse).key });
    assert.deepEqual(
      (await neon.getOrganizations()).map(({ id }) => id),
      [orgId],
    );
  });

  it("fails unless it is asked by either id or name", async () => {
    const takesOne = /^getOrganization takes either `orgId` or `name`\.$/;
    await assertFails(neon.getOrganization({}), takesOne);
    await assertFails(neon.getOrganization({ orgId: "org-one", name: "one" }), takesOne);
  });

  it("§6.9 fails where the key is refused, never with an empty list", async () => {
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getOrganizations(), /HTTP 401/);
  });
});
