import assert from "node:assert/strict";

import { snakeKey } from "../../../api/core/camel-case";
import { routes } from "../../../platform/routes/index";
import type { TestPlatform } from "../../support/platform";
import { posted } from "../../support/samples";
import { until } from "../../support/until";
import { answering, deployed } from "./function";
import { bucketObjects } from "./objects";

/** The values of the variables in paths of routes. */
export type Names = Readonly<Record<string, string>>;

interface Creation {
  readonly method?: "PUT" | "PATCH";
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>> | ((names: Names) => object);
  /** Variables of other paths, by where the answer has their values. */
  readonly names?: Readonly<Record<string, string>>;
}

const organization = "/organizations/:org_id";
const project = "/projects/:project_id";
const branch = `${project}/branches/:branch_id`;
const mailServer = { type: "standard", host: "smtp.example.com", port: 587, username: "shop" };
const sender = { sender_email: "shop@example.com", sender_name: "Shop" };
/** The password that is sent for an e-mail provider. */
export const mailPassword = "the password of the mail server";

/**
 * One object of each kind in an organization and on a branch, after what it needs. The tests of `every-object.test.ts`,
 * the authorization and the search for secrets see what is created here: a new kind is one line, or `posted` of its sample.
 */
const creations: readonly Creation[] = [
  { path: `${organization}/api_keys`, body: { key_name: "ci" }, names: { key_id: "id" } },
  { path: `${organization}/api_keys`, body: (names) => ({ key_name: "one", project_id: names["project_id"] }) },
  { path: `${organization}/invitations`, body: { invitations: [{ email: "a@example.com", role: "member" }] } },
  { method: "PUT", path: `${organization}/billing/spending_limit`, body: { spending_limit_cents: 500 } },
  { path: `${organization}/vpc/region/:region_id/vpc_endpoints/:vpc_endpoint_id`, body: { label: "one" } },
  { path: `${project}/vpc_endpoints/:vpc_endpoint_id`, body: { label: "one" } },
  { path: `${project}/permissions`, body: { email: "guest@example.com" }, names: { permission_id: "id" } },
  { path: `${project}/transfer_requests`, body: {}, names: { request_id: "id" } },
  { method: "PUT", path: `${project}/members/:member_id/role`, body: { role: "viewer" } },
  { path: `${branch}/roles`, body: { role: { name: "app" } }, names: { role_name: "role.name" } },
  {
    path: `${branch}/databases`,
    body: { database: { name: "shop", owner_name: "app" } },
    names: { database_name: "database.name" },
  },
  { path: `${branch}/data-api/:database_name`, body: {} },
  { path: `${branch}/auth`, body: { auth_provider: "better_auth" } },
  { path: `${branch}/auth/users`, body: { email: "ann@example.com" }, names: { auth_user_id: "id" } },
  { path: `${branch}/auth/domains`, body: { domain: "https://shop.example.com", auth_provider: "better_auth" } },
  {
    path: `${branch}/auth/oauth_providers`,
    body: { id: "github", client_id: "shop", client_secret: "the secret of the client" },
    names: { oauth_provider_id: "id" },
  },
  { method: "PATCH", path: `${branch}/auth/plugins/oauth-provider`, body: { enabled: true } },
  {
    path: `${branch}/auth/oauth-provider/clients`,
    body: { name: "partner", type: "confidential", redirect_uris: ["https://partner.example.com"], resources: [] },
    names: { client_id: "client_id" },
  },
  {
    path: `${branch}/triggers`,
    body: { type: "schedule", name: "yearly", function_slug: "api", schedule: { cron: "0 0 1 1 *" } },
    names: { trigger_id: "trigger.trigger_id" },
  },
  {
    path: `${branch}/custom-domains`,
    body: { domain: "api.example.com", entity_type: "function", entity_id: "api" },
    names: { domain: "domain" },
  },
  {
    path: `${branch}/credentials`,
    body: { scopes: ["storage:read"], principal_type: "user" },
    names: { token_id: "token_id" },
  },
  { path: `${project}/jwks`, body: { jwks_url: "https://example.com/of-all", provider_name: "example" } },
  {
    path: `${project}/jwks`,
    body: (names) => ({
      jwks_url: "https://example.com/jwks",
      provider_name: "example",
      branch_id: names["branch_id"],
    }),
    names: { jwks_id: "jwks.id" },
  },
  {
    method: "PUT",
    path: `${branch}/backup_schedule`,
    body: { schedule: [{ frequency: "monthly", day: 31, hour: 1 }] },
  },
  { path: `${branch}/snapshot`, names: { snapshot_id: "snapshot.id" } },
  ...posted.map(({ path, body }) => ({ path: path.replaceAll(/:\w+/g, snakeKey), body })),
];

/**
 * Creates an organization, a project and, beside its default branch, a root branch, with one object of each kind.
 *
 * @param finish lets the operations of a project finish
 * @param heard is told each answer
 */
export async function createContents(
  platform: TestPlatform,
  finish: (projectId: string) => Promise<void> | void,
  heard: (answer: object | undefined) => void = () => undefined,
): Promise<Names> {
  const names: Record<string, string> = {
    region_id: "aws-us-east-1",
    vpc_endpoint_id: "vpce-1",
    org_id: await platform.organization(),
  };
  const send = async ({
    method = "POST",
    path,
    body,
    names: of = {},
  }: Omit<Creation, "method"> & { method?: string }) => {
    const sent = typeof body === "function" ? body(names) : body;
    const { status, body: answer } = await platform.call(method, pathTo(path, names), sent);
    assert.ok(status < 300, `${method} ${path}: ${JSON.stringify(answer)}`);
    for (const [name, at] of Object.entries(of)) names[name] = textAt(answer, at);
    await finish(names["project_id"] ?? "");
    heard(answer);
  };
  await platform.member(names["org_id"] ?? "", "member@example.com");
  const { members } = (await platform.call("GET", pathTo(`${organization}/members`, names))).body;
  names["member_id"] = members.find(({ user }) => user.email === "member@example.com")?.member.id ?? "";
  await send({
    path: "/projects",
    body: ({ org_id, region_id }) => ({ project: { org_id, region_id } }),
    names: { project_id: "project.id", operation_id: "operations.0.id" },
  });
  await send({
    path: `${project}/branches`,
    body: { branch: { name: "full", init_source: "schema-only" }, endpoints: [{ type: "read_write" }] },
    names: { branch_id: "branch.id", endpoint_id: "endpoints.0.id" },
  });
  names["slug"] = "api";
  const ofFunction = pathTo(`${branch}/functions/:slug`, names);
  await deployed(platform, ofFunction, { files: answering("one") });
  await until(async () => {
    await finish(names["project_id"] ?? "");
    const { current_deployment, invocation_url } = (await platform.call("GET", ofFunction)).body.function;
    return current_deployment?.status === "completed" && invocation_url !== "";
  });
  await send({ path: `${branch}/buckets`, body: { name: "files" }, names: { bucket_name: "bucket.name" } });
  const call = (method: string, path = "", body?: unknown) =>
    platform.call(method, pathTo(project, names) + path, body);
  names["object_key"] = "a";
  await bucketObjects(call, names["branch_id"] ?? "", "files").upload("a", "content");
  for (const creation of creations) await send(creation);
  await send({
    method: "PATCH",
    path: `${branch}/auth/email_provider`,
    body: { ...mailServer, ...sender, password: mailPassword },
  });
  return names;
}

/** A path of a route with its variables filled in; a variable without a value stays. */
export function pathTo(path: string, names: Names): string {
  return path.replaceAll(/:(\w+)/g, (variable, name: string) => names[name] ?? variable);
}

/** Whether every variable of a path has a value. */
export const isNamed = (path: string, names: Names): boolean => !pathTo(path, names).includes(":");

/** The answers of all GET routes below a project or an organization, by path. */
export async function readContents(
  platform: TestPlatform,
  names: Names,
  options: { readonly key?: string; readonly unchecked?: boolean } = {},
): Promise<Readonly<Record<string, string>>> {
  const read: Record<string, string> = {};
  for (const { method, path } of routes) {
    const isRead = method === "GET" && /:(project|org)_id/.test(path) && isNamed(path, names);
    // The document has no words for the content of an object.
    if (!isRead || path.endsWith("/download")) continue;
    const headers = { "x-request-id": "reading" };
    const { status, body } = await platform.call(method, pathTo(path, names), undefined, { headers, ...options });
    // Each start of the platform has another port.
    read[path] = `${status} ${JSON.stringify(body)}`.replaceAll(platform.platform.consoleUrl, "");
  }
  return read;
}

/** The text at a path of names and positions. */
function textAt(value: unknown, path: string): string {
  const found = path
    .split(".")
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
  assert.ok(typeof found === "string" || typeof found === "number", `${path} is not in ${JSON.stringify(value)}`);
  return String(found);
}
