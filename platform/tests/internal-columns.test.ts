import Database from "libsql";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { join } from "node:path";

import { ManualPlatformClock } from "../../tests/support/platform-clock";
import { databaseFileName } from "../storage/store";
import { answering, deployed } from "./support/function";
import { suiteFolder } from "./support/folder";
import { withPlatform } from "./support/running";

/** The tables whose rows responses return, and the requests that return them. */
const requests = (project: string, organization: string, branch: string, endpoint: string) => {
  const ofBranch = `${project}/branches/${branch}`;
  return {
    users: [["GET", "/users/me"]],
    organizations: [["GET", `/organizations/${organization}`]],
    memberships: [["GET", `/organizations/${organization}/members`]],
    invitations: [["GET", `/organizations/${organization}/invitations`]],
    api_keys: [
      ["GET", "/api_keys"],
      ["GET", `/organizations/${organization}/api_keys`],
    ],
    projects: [
      ["GET", project],
      ["GET", `/projects?org_id=${organization}`],
      ["PATCH", project, { project: { name: "renamed" } }],
    ],
    permissions: [["GET", `${project}/permissions`]],
    vpc_endpoints: [["GET", `/organizations/${organization}/vpc/vpc_endpoints`]],
    vpc_restrictions: [["GET", `${project}/vpc_endpoints`]],
    branches: [
      ["GET", `${project}/branches`],
      ["GET", ofBranch],
      ["PATCH", ofBranch, { branch: { name: "renamed" } }],
    ],
    endpoints: [
      ["GET", `${project}/endpoints`],
      ["PATCH", `${project}/endpoints/${endpoint}`, { endpoint: { name: "renamed" } }],
    ],
    roles: [["GET", `${ofBranch}/roles`]],
    databases: [["GET", `${ofBranch}/databases`]],
    snapshots: [["GET", `${project}/snapshots`]],
    jwks: [["GET", `${project}/jwks`]],
    buckets: [["GET", `${ofBranch}/buckets`]],
    functions: [["GET", `${ofBranch}/functions`]],
    function_deployments: [["GET", `${ofBranch}/functions/api`]],
    triggers: [["GET", `${ofBranch}/triggers`]],
    custom_domains: [["GET", `${ofBranch}/custom-domains`]],
    credentials: [["GET", `${ofBranch}/credentials`]],
    neon_auth: [["GET", `${ofBranch}/auth`]],
    operations: [["GET", `${project}/operations`]],
  } satisfies Record<string, readonly (readonly [string, string, object?])[]>;
};

describe("local platform: internal columns", () => {
  const folder = suiteFolder();

  it("responses contain no column that is added to a row without making it public", async () => {
    const clock = new ManualPlatformClock();
    const options = { data: folder("columns"), clock, operationTime: "1s", plan: "scale" } as const;
    const made = await withPlatform(options, async (platform) => {
      const send = async (method: string, path: string, body: object) => {
        const { status, body: answer } = await platform.call(method, path, body);
        clock.advance(10_000);
        assert.ok(status < 300, `${method} ${path}: ${JSON.stringify(answer)}`);
        return answer;
      };
      const organization = await platform.organization();
      const org = `/organizations/${organization}`;
      const { project, branch, endpoints } = await send("POST", "/projects", {
        project: { org_id: organization, region_id: "aws-us-east-1" },
      });
      const path = `/projects/${project.id}`;
      const ofBranch = `${path}/branches/${branch.id}`;
      await send("POST", `${org}/api_keys`, { key_name: "one" });
      await send("POST", `${org}/invitations`, { invitations: [{ email: "a@example.com", role: "member" }] });
      await send("POST", `${path}/permissions`, { email: "b@example.com" });
      await send("POST", `${org}/vpc/region/aws-us-east-1/vpc_endpoints/vpce-1`, { label: "one" });
      await send("POST", `${path}/vpc_endpoints/vpce-1`, { label: "one" });
      await send("POST", `${ofBranch}/snapshot`, {});
      await send("POST", `${path}/jwks`, { jwks_url: "https://example.com/jwks", provider_name: "example" });
      await send("POST", `${ofBranch}/buckets`, { name: "files" });
      await deployed(platform, `${ofBranch}/functions/api`, { files: answering("one") });
      const schedule = { cron: "0 * * * *" };
      await send("POST", `${ofBranch}/triggers`, { type: "schedule", name: "hourly", function_slug: "api", schedule });
      const domain = { domain: "api.example.com", entity_type: "function", entity_id: "api" };
      await send("POST", `${ofBranch}/custom-domains`, domain);
      await send("POST", `${ofBranch}/credentials`, { scopes: ["storage:read"], principal_type: "user" });
      await send("POST", `${ofBranch}/auth`, { auth_provider: "better_auth" });
      return { key: platform.apiKey, requests: requests(path, organization, branch.id, endpoints[0]?.id ?? "") };
    });

    const database = new Database(join(options.data, databaseFileName));
    for (const table of Object.keys(made.requests)) {
      const added = `UPDATE ${table} SET body = json_set(body, '$.added_column', 'internal value of ${table}')`;
      assert.ok(database.prepare(added).run().changes > 0, `${table} has a row`);
    }
    database.close();

    await withPlatform(options, async (platform) => {
      for (const [method, path, body] of Object.values(made.requests).flat() as [string, string, object?][]) {
        const answer = await platform.call(method, path, body, { key: made.key, unchecked: true });
        clock.advance(10_000);
        const text = JSON.stringify(answer.body);
        assert.equal(answer.status, 200, `${method} ${path}: ${text}`);
        assert.doesNotMatch(text, /added_column|internal value/, `${method} ${path}`);
      }
    });
  });
});
