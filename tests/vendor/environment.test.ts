import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

import { before, describe, it } from "mocha";

import { NeonClient } from "../../api/client";
import { lookups } from "../../api/lookups";
import { answering, deployed } from "../platform/support/function";
import { suitePaths } from "../platform/support/paths";
import { suitePlatform } from "../support/platform";
import { suiteVendorCli } from "../support/vendor-cli";

describe("vendor: the variables that `neon env pull` writes", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const cli = suiteVendorCli("neon", () => platform());
  const folder = suitePaths();
  let at: { readonly projectId: string; readonly branchId: string };
  let branch: string;
  before(async () => {
    const { project, branch: main } = await platform().project({ name: "shop", region_id: "aws-us-east-2" });
    at = { projectId: project.id, branchId: main.id };
    branch = `/projects/${project.id}/branches/${main.id}`;
  });

  const read = async (more: object = {}): Promise<Readonly<Record<string, string>>> => {
    const account = { client: new NeonClient(platform()), orgId: undefined };
    return (await lookups.getEnvironmentVariables.read(account, { ...at, ...more })).variables;
  };
  const pulled = async (): Promise<Readonly<Record<string, string>>> => {
    const file = join(folder(), ".env");
    const where = ["--project-id", at.projectId, "--branch", at.branchId, "--file", file];
    // When it has written the file, it asks the gateway for its models, to warn of missing ones.
    await cli().upTo(/-api\.ai\./, "env", "pull", ...where);
    return parseEnv(readFileSync(file, "utf8")) as Readonly<Record<string, string>>;
  };

  it("of a new branch are those of getEnvironmentVariables, and neither issues a credential", async () => {
    const listed = () => platform().call("GET", `${branch}/credentials`);
    const before = (await listed()).body;
    const variables = await read();
    assert.ok(variables["NEON_AI_GATEWAY_TOKEN"]);
    assert.deepEqual(await pulled(), variables);
    assert.deepEqual((await listed()).body, before);
  });

  it("of a branch with every service are those of getEnvironmentVariables", async () => {
    await platform().call("POST", `${branch}/auth`, { auth_provider: "better_auth" });
    await platform().call("POST", `${branch}/data-api/neondb`);
    await platform().call("POST", `${branch}/buckets`, { name: "uploads" });
    for (const slug of ["api", "web2"]) {
      await deployed(platform(), `${branch}/functions/${slug}`, { files: answering(slug) });
    }
    await platform().settled(at.projectId);
    const variables = await pulled();
    assert.deepEqual(await read(), variables);
    const named = Object.keys(variables).filter((name) => !name.startsWith("NEON_FUNCTION_"));
    assert.deepEqual(named.sort(), [
      "AWS_ACCESS_KEY_ID",
      "AWS_ENDPOINT_URL_S3",
      "AWS_REGION",
      "AWS_SECRET_ACCESS_KEY",
      "DATABASE_URL",
      "DATABASE_URL_UNPOOLED",
      "NEON_AI_GATEWAY_BASE_URL",
      "NEON_AI_GATEWAY_TOKEN",
      "NEON_AUTH_BASE_URL",
      "NEON_AUTH_JWKS_URL",
      "NEON_BRANCH",
      "NEON_DATA_API_URL",
    ]);
  });

  it("have the secrets of the credential that is named", async () => {
    const { body } = await platform().call("POST", `${branch}/credentials`, {
      name: "application",
      scopes: ["storage:read", "storage:write", "ai_gateway:invoke"],
      principal_type: "user",
    });
    const own = body as unknown as Readonly<Record<string, string>>;
    const variables = await read({ tokenId: own["token_id"] });
    assert.deepEqual(
      [variables["AWS_ACCESS_KEY_ID"], variables["AWS_SECRET_ACCESS_KEY"], variables["NEON_AI_GATEWAY_TOKEN"]],
      [own["token_id"], own["s3_secret_access_key"], own["api_token"]],
    );
    const expired = { ...own, token_id: "nak_live_0", expires_at: "2026-01-01T00:00:00Z" };
    const listed = { method: "GET", path: "/credentials$", status: 200, body: { credentials: [expired, own] } };
    await platform().fault(listed);
    await assert.rejects(read({ tokenId: "nak_live_0" }), /has no valid credential nak_live_0/);
  });

  it("need a role and a database that can be meant", async () => {
    await platform().call("POST", `${branch}/roles`, { role: { name: "app" } });
    await platform().settled(at.projectId);
    assert.match((await read())["DATABASE_URL"] ?? "", /^postgresql:\/\/neondb_owner:/);
    assert.match((await read({ roleName: "app" }))["DATABASE_URL"] ?? "", /^postgresql:\/\/app:/);
    const owned = { name: "shop", owner_name: "app" };
    await platform().call("POST", `${branch}/databases`, { database: owned });
    await platform().settled(at.projectId);
    await platform().call("PATCH", `${branch}/databases/neondb`, { database: { owner_name: "app" } });
    await platform().settled(at.projectId);
    await platform().call("POST", `${branch}/databases`, { database: { name: "stock", owner_name: "app" } });
    await platform().settled(at.projectId);
    await platform().call("DELETE", `${branch}/databases/neondb`);
    await platform().settled(at.projectId);
    await assert.rejects(
      read(),
      /has the databases shop, stock, and none is neondb\. Set `databaseName` to one of them/,
    );
    assert.match((await read({ databaseName: "shop" }))["DATABASE_URL_UNPOOLED"] ?? "", /\/shop/);
  });
});
