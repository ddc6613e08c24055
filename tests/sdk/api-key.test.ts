import assert from "node:assert/strict";

import type {
  ApiKeyCreateResponse,
  ApiKeysListResponseItem,
  OrgApiKeysListResponseItem,
} from "@neondatabase/api-client";
import * as pulumi from "@pulumi/pulumi";
import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

describe("looking up access keys", () => {
  const platform = suiteAccount();
  const made = async (name: string): Promise<ApiKeyCreateResponse> =>
    (await platform().call("POST", "/api_keys", { key_name: name })).body as unknown as ApiKeyCreateResponse;

  it("lists the personal ones, without their secrets and without what moves by itself", async () => {
    const { id, key } = await made("ci");
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

  it("lists those of an organization, with the project that one is for; without one, whatever neon:orgId says", async () => {
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

  it("fails where the key that asks may not list them", async () => {
    const { apiUrl } = platform();
    const orgId = await platform().firstOrganization();
    const { body } = await platform().call("POST", `/organizations/${orgId}/api_keys`, { key_name: "asks" });
    configure({ apiUrl, apiKey: (body as unknown as ApiKeyCreateResponse).key });
    await assertFails(neon.getApiKeys(), /HTTP 403/);
    assert.ok((await neon.getApiKeys({ orgId })).length > 0);
  });

  it("§6.9 fails where the key is refused, never with an empty list", async () => {
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getApiKeys(), /HTTP 401/);
  });
});

describe("the classes of access keys", () => {
  suiteAccount();

  it("keep the key secret, with whatever else the program wants secret", () => {
    const secrets: (readonly string[] | undefined)[] = [];
    const transformations: pulumi.ResourceTransformation[] = [
      ({ opts }) => void secrets.push((opts as pulumi.CustomResourceOptions).additionalSecretOutputs?.toSorted()),
    ];
    new neon.ApiKey("personal", {}, { transformations });
    new neon.OrganizationApiKey("organization", {}, { transformations, additionalSecretOutputs: ["createdBy"] });
    new neon.ProjectApiKey("project", { projectId: "spring-example-302709" }, { transformations });
    assert.deepEqual(secrets, [["key"], ["createdBy", "key"], ["key"]]);
  });

  it("tell the key's number by its id, known even while a change is previewed", async () => {
    const personal = neon.ApiKey.get("known-personal", "165434");
    const organization = neon.OrganizationApiKey.get("known-organization", "org-quiet-river-302709/165435");
    const project = neon.ProjectApiKey.get("known-project", "org-quiet-river-302709/165436");
    const numbers = await Promise.all([personal, organization, project].map(({ keyId }) => valueOf(keyId)));
    assert.deepEqual(numbers, [165434, 165435, 165436]);
    assert.equal(await valueOf(organization.orgId), "org-quiet-river-302709");
    assert.equal(await valueOf(project.orgId), "org-quiet-river-302709");
  });

  it("know their own kind, and no other", () => {
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
