import assert from "node:assert/strict";

import type { OrganizationsResponse } from "@neondatabase/api-client";
import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { idsOf } from "../platform/support/responses";
import { assertFails, configureKeyOf, suiteAccount } from "./program";

describe("getOrganizations and getOrganization", () => {
  const platform = suiteAccount();
  const listed = async (): Promise<OrganizationsResponse["organizations"]> =>
    ((await platform().call("GET", "/users/me/organizations")).body as unknown as OrganizationsResponse).organizations;

  it("getOrganizations lists all organizations with members in camelCase", async () => {
    const organizations = await listed();
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
  });

  it("getOrganization finds an organization by id or exact name", async () => {
    const [first] = await neon.getOrganizations();
    assert.ok(first);
    assert.deepEqual(await neon.getOrganization({ orgId: first.id }), first);
    assert.deepEqual(await neon.getOrganization({ name: first.name }), first);
  });

  it("§6.22 getOrganization fails if the organization does not exist, and never returns one with a similar name", async () => {
    const [first] = await neon.getOrganizations();
    const part = first?.name.slice(0, -1) ?? "";
    await assertFails(neon.getOrganization({ name: part }), `This API key can see no organization named "${part}".`);
    await assertFails(neon.getOrganization({ orgId: "org-no-such-000001" }), /HTTP 404/);
  });

  it("getOrganization fails if two organizations have the name, and lists their ids", async () => {
    const twins = [await platform().organization({ name: "twin" }), await platform().organization({ name: "twin" })];
    await assertFails(
      neon.getOrganization({ name: "twin" }),
      `There are 2 organizations named "twin" (${twins.join(", ")}). Set \`orgId\` to one of them.`,
    );
    for (const orgId of twins) assert.equal((await neon.getOrganization({ orgId })).id, orgId);
  });

  it("getOrganizations returns only the owner of an organization's API key", async () => {
    const orgId = await platform().organization({ name: "owner" });
    await configureKeyOf(orgId, platform());
    assert.deepEqual(idsOf(await neon.getOrganizations()), [orgId]);
  });
});
