import assert from "node:assert/strict";

import type {
  ApiKeyCreateResponse,
  ApiKeysListResponseItem,
  OrgApiKeysListResponseItem,
} from "@neondatabase/api-client";
import * as pulumi from "@pulumi/pulumi";
import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, secretOutputsOf, suiteAccount, valueOf } from "./program";

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
    const { apiUrl } = platform();
    const orgId = await platform().firstOrganization();
    const { body } = await platform().call("POST", `/organizations/${orgId}/api_keys`, { key_name: "asks" });
    configure({ apiUrl, apiKey: (body as unknown as ApiKeyCreateResponse).key });
    await assertFails(neon.getApiKeys(), /HTTP 403.* With the key of an organization, set `orgId`\.$/);
    assert.ok((await neon.getApiKeys({ orgId })).length > 0);
  });

  it("fails with 401 instead of returning an empty list if the API key is invalid", async () => {
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getApiKeys(), /HTTP 401/);
  });
});

describe("ApiKey, OrganizationApiKey and ProjectApiKey", () => {
  suiteAccount();

  it("mark `key` as secret, in addition to the additionalSecretOutputs of the program", () => {
    const additionalSecretOutputs = ["createdBy"];
    const secrets = [
      secretOutputsOf((options) => new neon.ApiKey("personal", {}, options)),
      secretOutputsOf((options) => new neon.OrganizationApiKey("org", {}, { ...options, additionalSecretOutputs })),
      secretOutputsOf((options) => new neon.ProjectApiKey("project", { projectId: "spring-example-302709" }, options)),
    ];
    assert.deepEqual(secrets, [["key"], ["createdBy", "key"], ["key"]]);
  });

  it("derive `keyId` and `orgId` from the id", async () => {
    const personal = neon.ApiKey.get("known-personal", "165434");
    const organization = neon.OrganizationApiKey.get("known-organization", "org-quiet-river-302709/165435");
    const project = neon.ProjectApiKey.get("known-project", "org-quiet-river-302709/165436");
    const numbers = await Promise.all([personal, organization, project].map(({ keyId }) => valueOf(keyId)));
    assert.deepEqual(numbers, [165434, 165435, 165436]);
    assert.equal(await valueOf(organization.orgId), "org-quiet-river-302709");
    assert.equal(await valueOf(project.orgId), "org-quiet-river-302709");
  });

  it("recognize their own instances and no others", () => {
    const keys: readonly unknown[] = [
      new neon.ApiKey("one"),
      new neon.OrganizationApiKey("two"),
      new neon.ProjectApiKey("three", { projectId: "spring-example-302709" }),
    ];
    for (const [index, one] of [neon.ApiKey, neon.OrganizationApiKey, neon.ProjectApiKey].entries()) {
      assert.deepEqual(
        keys.map((key) => one.isInstance(key)),
        keys.map((_, other) => other === index),
      );
    }
  });
});
