import assert from "node:assert/strict";

import { Readable } from "node:stream";

import type { Project } from "@neondatabase/api-client";

import { NeonClient } from "../../api";
import { s3 } from "../../api/schemas/s3";
import { answering, deployed } from "../platform/support/function";
import { inDays } from "../support/in-days";
import type { Answer, TestPlatform } from "../support/platform";
import { createPosted } from "../support/samples";
import type { VendorCli } from "../support/vendor-cli";

/** An organization with two projects, as people leave it who use the vendor's CLI and HTTP. */
export interface ExistingAccount {
  readonly orgId: string;
  readonly shop: string;
  readonly blog: string;
}

/** Names that are special in a program, in a path, or to a person who has to type them. */
export const specialNames = [
  "feature/login",
  "feature login",
  "feature-login",
  "Büro 東京",
  "🚀",
  "🚀🚀",
  `a "quoted" 'name'`,
  "class",
  "2024",
  "a.b\\c",
  "x".repeat(200),
];

/**
 * Makes such an account: every kind of object that can be listed.
 *
 * @param branches how many branches the first project has besides those that something is on
 */
export async function existingAccount(
  platform: TestPlatform,
  cli: VendorCli,
  branches: number,
): Promise<ExistingAccount> {
  const send = async (method: string, path: string, body?: unknown): Promise<Answer["body"]> => {
    const answer = await platform.call(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    const project = path === "/projects" ? answer.body.project.id : /^\/projects\/([^/]+)/.exec(path)?.[1];
    if (project !== undefined && method !== "GET") await platform.settled(project);
    return answer.body;
  };
  const orgId = await platform.organization();
  await platform.member(orgId, "colleague@example.com");

  // The vendor's CLI makes a project, branches, a role and a database.
  const of = (project: string): readonly string[] => ["--project-id", project];
  const { project } = await cli.json<{ project: Project }>("projects", "create", "--name", "shop", "--org-id", orgId);
  const shop = project.id;
  await platform.settled(shop);
  await cli.json("branches", "create", "--name", "staging", ...of(shop));
  await platform.settled(shop);
  await cli.json("roles", "create", "--name", "app", "--branch", "staging", ...of(shop));
  await platform.settled(shop);
  await cli.json("databases", "create", "--name", "orders", "--owner-name", "app", "--branch", "staging", ...of(shop));
  await platform.settled(shop);
  const made = (await send("GET", `/projects/${shop}/branches?limit=100`)).branches;
  const staging = made.find(({ name }) => name === "staging")?.id ?? "";
  const main = made.find(({ name }) => name !== "staging")?.id ?? "";

  const { id: blog } = (
    await send("POST", "/projects", {
      project: { name: "blog ✨", org_id: orgId, pg_version: 16, history_retention_seconds: 3_600 },
    })
  ).project;
  const [blogMain] = (await send("GET", `/projects/${blog}/branches`)).branches;
  assert.ok(blogMain);

  const onShop = `/projects/${shop}`;
  const onStaging = `${onShop}/branches/${staging}`;
  const onMain = `${onShop}/branches/${main}`;
  await send("PATCH", onShop, { project: { settings: { allowed_ips: { ips: ["192.0.2.1", "198.51.100.0/24"] } } } });
  await send("PATCH", onMain, { branch: { protected: true } });
  await send("POST", `${onStaging}/roles`, { role: { name: "100% app/é" } });
  await send("POST", `${onStaging}/databases`, { database: { name: "50% shop/é", owner_name: "100% app/é" } });
  for (const name of [undefined, "reports"]) {
    const endpoint = { branch_id: staging, type: "read_only", ...(name !== undefined && { name }) };
    await send("POST", `${onShop}/endpoints`, { endpoint });
  }
  const [compute] = (await send("GET", `${onMain}/endpoints`)).endpoints;
  await send("PATCH", `${onShop}/endpoints/${compute?.id ?? ""}`, {
    endpoint: {
      autoscaling_limit_min_cu: 1,
      autoscaling_limit_max_cu: 4,
      settings: { pg_settings: { work_mem: "64MB" } },
    },
  });
  await send("PUT", `${onMain}/backup_schedule`, {
    schedule: [
      { frequency: "daily", hour: 3, retention_seconds: 604_800 },
      { frequency: "weekly", day: 7, hour: 4, retention_seconds: 2_419_200 },
    ],
  });
  const expiry = `&expires_at=${encodeURIComponent(inDays(7))}`;
  for (const name of ["before", `after${expiry}`]) await send("POST", `${onMain}/snapshot?name=${name}`);
  await send("POST", `${onStaging}/data-api/orders`, {});
  await send("POST", `${onStaging}/credentials`, { principal_type: "user", name: "uploads", scopes: ["storage:read"] });
  await send("POST", `${onStaging}/buckets`, { name: "avatars", access_level: "public_read" });
  await deployed(platform, `${onStaging}/functions/api`, { files: answering("hello") });
  await send("POST", `${onStaging}/triggers`, {
    type: "schedule",
    name: "yearly",
    function_slug: "api",
    schedule: { cron: "0 3 1 1 *" },
  });
  await send("POST", `${onStaging}/triggers`, {
    type: "storage_object_created",
    name: "thumbnails",
    function_slug: "api",
    storage_object_created: { bucket_name: "avatars", prefix: "in/" },
  });
  await send("PATCH", `${onStaging}/functions/api`, { name: "The API" });
  const domain = { domain: "api.example.com", entity_type: "function", entity_id: "api" };
  await send("POST", `${onStaging}/custom-domains`, domain);
  const avatars = { projectId: shop, branchId: staging, bucketName: "avatars" };
  const s3Client = new NeonClient({ apiKey: platform.apiKey, apiUrl: platform.apiUrl });
  await s3Client.send(s3.putCors(avatars, [{ allowedOrigins: ["*"], allowedMethods: ["GET"] }]));
  const described = { content_type: "image/svg+xml", cache_control: "no-cache", metadata: { by: "us" } };
  const content = { size: 6, open: () => Promise.resolve(Readable.from([Buffer.from("<svg/>")])) };
  await s3Client.send(s3.put({ ...avatars, key: "nobody.svg" }, described, () => Promise.resolve(content)));
  await send("POST", `${onStaging}/auth`, { auth_provider: "better_auth" });
  await send("POST", `${onStaging}/auth/domains`, { domain: "https://shop.example.com", auth_provider: "better_auth" });
  const client = { client_id: "shop", client_secret: "a secret of an application" };
  await send("POST", `${onStaging}/auth/oauth_providers`, { id: "github", ...client });
  await createPosted(platform, { projectId: shop, branchId: staging });
  await send("POST", `${onShop}/jwks`, { jwks_url: "https://auth.example.com/keys", provider_name: "Auth0" });
  await send("POST", `${onShop}/permissions`, { email: "auditor@example.com" });
  const ofBlog = `/projects/${blog}/branches/${blogMain.id}/auth`;
  await send("POST", ofBlog, { auth_provider: "better_auth" });
  const api = "https://api.blog.example.com";
  await send("PATCH", `${ofBlog}/plugins/oauth-provider`, { enabled: true, resources: [api] });
  for (const type of ["confidential", "public"]) {
    await send("POST", `${ofBlog}/oauth-provider/clients`, {
      name: `${type} reader`,
      type,
      redirect_uris: ["https://reader.example.com/callback"],
      resources: [api],
    });
  }
  const { members } = (await send("GET", `/organizations/${orgId}/members`)) as unknown as {
    readonly members: readonly {
      readonly member: { readonly id: string };
      readonly user: { readonly email: string };
    }[];
  };
  const member = members.find(({ user }) => user.email === "colleague@example.com")?.member.id ?? "";
  await send("PUT", `${onShop}/members/${member}/role`, { role: "viewer" });
  await send("POST", `/organizations/${orgId}/vpc/region/aws-us-east-2/vpc_endpoints/vpce-0123`, { label: "office" });
  await send("POST", `${onShop}/vpc_endpoints/vpce-0123`, { label: "office" });
  await send("PUT", `/organizations/${orgId}/billing/spending_limit`, { spending_limit_cents: 5_000 });
  await send("POST", `/organizations/${orgId}/api_keys`, { key_name: "deploy" });
  await send("POST", `/organizations/${orgId}/api_keys`, { key_name: "deploy", project_id: shop });

  for (const name of specialNames) {
    await send("POST", `${onShop}/branches`, { branch: { name }, endpoints: [{ type: "read_write" }] });
  }
  await send("POST", `${onShop}/branches`, { branch: { name: "schema", init_source: "schema-only" } });
  await send("POST", `${onShop}/branches`, {
    branch: { name: "short-lived", expires_at: inDays(7), parent_id: staging },
    annotation_value: { team: "shop", "cost-center": "12", "${team}": "${shop}" },
  });
  for (let number = 1; number <= branches; number += 1) {
    await send("POST", `${onShop}/branches`, { branch: { name: `pr-${String(number)}` } });
  }
  return { orgId, shop, blog };
}
