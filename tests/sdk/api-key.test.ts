import assert from "node:assert/strict";

import type {
  ApiKeyCreateResponse,
  ApiKeysListResponseItem,
  OrgApiKeysListResponseItem,
} from "@neondatabase/api-client";
import * as pulumi from "@pulumi/pulumi";
import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, configureKeyOf, suiteAccount, valueOf } from "./program";

describe("getApiKeys", () => {
  const platform = suiteAccount();
  const createKey = async (name: string): Promise<ApiKeyCreateResponse> =>
    (await platform().call("POST", "/api_keys", { key_name: name })).body as unknown as ApiKeyCreateResponse;

  it("lists the personal keys without their secrets and without changing counters", async () => {
    const { id, key } = await createKey("ci");
    const [listed] = ((await platform().call("GET", "/api_keys")).body as unknown as ApiKeysListResponseItem[]).filter(
      (one) => one.id === id,
    );
    const all = await neon.getApiKeys();
    assert.ok(all.length >= 2);
    assert.ok(!JSON.stringify(all).includes(key));
    assert.deepEqual(
      all.find((one) => one.id === id),
      { id, name: "ci", createdAt: listed?.created_at, createdBy: listed?.created_by.id },
    );
  });

  it("lists the keys of the organization in the arguments, and ignores neon:orgId", async () => {
    const { apiKey, apiUrl } = platform();
    const orgId = await platform().firstOrganization();
    const path = `/organizations/${orgId}/api_keys`;
    const project = await platform().project({ org_id: orgId });
    for (const body of [{ key_name: "all" }, { key_name: "one", project_id: project.project.id }]) {
      await platform().call("POST", path, body);
    }
    const [all, one] = (await platform().call("GET", path)).body as unknown as OrgApiKeysListResponseItem[];
    const expected = [all, one].map((key) => ({
      id: key?.id,
      name: key?.name,
      createdAt: key?.created_at,
      createdBy: key?.created_by.id,
    }));
    const [first, second] = expected;
    const found = [first, { ...second, projectId: project.project.id }];
    assert.deepEqual(await neon.getApiKeys({ orgId }), found);
    assert.deepEqual(await valueOf(neon.getApiKeysOutput({ orgId: pulumi.output(orgId) })), found);
    configure({ apiKey, apiUrl, orgId });
    const personal = await neon.getApiKeys();
    assert.ok(!personal.some(({ id }) => id === first?.id));
    assert.deepEqual(await valueOf(neon.getApiKeysOutput()), personal);
  });

  it("fails with 403 and an explanation if the API key may not list personal keys", async () => {
    const orgId = await platform().firstOrganization();
    await configureKeyOf(orgId, platform());
    await assertFails(neon.getApiKeys(), /HTTP 403.* With the key of an organization, set `orgId`\.$/);
    assert.ok((await neon.getApiKeys({ orgId })).length > 0);
  });
});
