import { isDeepStrictEqual } from "node:util";

import { maskedAnnotation } from "../../api/schemas/masking";
import type { Values } from "./provider-server";
import type { TestPlatform } from "./platform";

/** Every object of some accounts by its path below the base URL, without the members that change by themselves. */
export type Objects = ReadonlyMap<string, Values>;

/** A user with an API key. */
export interface Account {
  readonly apiKey: string;
  /** The names of the account in messages: the user's id, e-mail and login. */
  readonly names: readonly string[];
}

/** An object that was added, removed or changed. */
export interface Change {
  readonly path: string;
  readonly is: "added" | "removed" | "changed";
  readonly members: readonly string[];
}

/** Members that change without a request: counters, timestamps, the state of a compute. */
const moving: ReadonlySet<string> = new Set([
  "updated_at",
  "last_used_at",
  "last_used_from_addr",
  "current_state",
  "pending_state",
  "state_changed_at",
  "compute_last_active_at",
  "last_active",
  "started_at",
  "suspended_at",
  "cpu_used_sec",
  "compute_time_seconds",
  "active_time",
  "active_time_seconds",
  "data_storage_bytes_hour",
  "data_transfer_bytes",
  "written_data_bytes",
  "logical_size",
  "synthetic_storage_size",
]);

export async function accountOf(platform: TestPlatform, apiKey: string): Promise<Account> {
  const { body } = await platform.call("GET", "/users/me", undefined, { key: apiKey });
  const { id, email, login } = body as unknown as Values;
  return { apiKey, names: [id, email, login].map(String) };
}

/** What to read of accounts. */
interface Extent {
  /** The projects whose contents are read. Default: all. */
  readonly projects?: readonly string[];
  /** Whether to read the passwords of roles. Default: true. */
  readonly passwords?: boolean;
}

export async function objectsOf(
  platform: TestPlatform,
  accounts: readonly Pick<Account, "apiKey">[],
  extent: Extent = {},
): Promise<Objects> {
  const found = new Map<string, Values>();
  for (const { apiKey } of accounts) await readAccount(platform, apiKey, extent, found);
  return found;
}

/** What has changed between two readings of the same accounts. */
export function changesBetween(before: Objects, after: Objects): readonly Change[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path): Change[] => {
    const [old, now] = [before.get(path), after.get(path)];
    if (old === undefined) return [{ path, is: "added", members: [] }];
    if (now === undefined) return [{ path, is: "removed", members: [] }];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    const members = names.filter((name) => !isDeepStrictEqual(old[name], now[name]));
    return members.length === 0 ? [] : [{ path, is: "changed", members }];
  });
}

/** What people know an object by: the end of its path. */
export function idOf(path: string): string {
  return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
}

/** Whether an object is this one or a part of it. */
export function isWithin(path: string, whole: string): boolean {
  return path === whole || path.startsWith(`${whole}/`);
}

/** The lists of a project, with the members of their responses and of the objects that hold the objects and their ids. */
const projectLists = [
  ["snapshots", "snapshots", "id"],
  ["jwks", "jwks", "id"],
  ["permissions", "project_permissions", "id"],
  ["vpc_endpoints", "endpoints", "vpc_endpoint_id"],
] as const;

async function readAccount(
  platform: TestPlatform,
  key: string,
  { projects, passwords = true }: Extent,
  found: Map<string, Values>,
): Promise<void> {
  /** Undefined if it does not exist. */
  const find = async (path: string): Promise<Values | undefined> => {
    const headers = { "x-request-id": "reading" };
    const { status, body } = await platform.call("GET", path, undefined, { key, headers, unchecked: true });
    if (status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return find(path);
    }
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET ${path} answers ${status}: ${body.message}`);
    return body as unknown as Values;
  };
  const get = async (path: string): Promise<Values> => {
    const answer = await find(path);
    if (answer === undefined) throw new Error(`GET ${path} answers 404`);
    return answer;
  };
  const list = async (path: string, member?: string): Promise<readonly Values[]> => {
    const body = await get(path);
    return (member === undefined ? body : body[member]) as readonly Values[];
  };
  const put = (path: string, values: Values): void => {
    found.set(path, Object.fromEntries(Object.entries(values).filter(([name]) => !moving.has(name))));
  };
  const putAll = (base: string, objects: readonly Values[], id = "id"): void => {
    // A permission that was revoked stays in its list.
    const present = objects.filter((one) => one["revoked_at"] === undefined);
    for (const one of present) put(`${base}/${encodeURIComponent(String(one[id]))}`, one);
  };

  const readOrganization = async (base: string): Promise<void> => {
    putAll(`${base}/api_keys`, await list(`${base}/api_keys`));
    for (const one of await list(`${base}/vpc/vpc_endpoints`, "endpoints")) {
      put(`${base}/vpc/region/${String(one["region_id"])}/vpc_endpoints/${String(one["vpc_endpoint_id"])}`, one);
    }
    for (const { member, user } of await list(`${base}/members?limit=500`, "members")) {
      // What the state knows a member by.
      const values: Values = { ...(member as Values), ...(user as Values) };
      put(`${base}/members/${encodeURIComponent(String(values["email"]))}`, values);
    }
    const limit = await get(`${base}/billing/spending_limit`);
    if (limit["spending_limit_cents"] !== null) put(`${base}/spending_limit/${String(base.split("/").at(-1))}`, limit);
  };
  const readAuth = async (base: string): Promise<void> => {
    const auth = await find(base);
    if (auth === undefined) return;
    const [{ oauth_providers: providers, ...plugins }, webhook, domains] = await Promise.all([
      get(`${base}/plugins`),
      get(`${base}/webhooks`),
      list(`${base}/domains`, "domains"),
    ]);
    put(base, { ...auth, plugins, webhook });
    putAll(`${base}/oauth_providers`, providers as readonly Values[]);
    putAll(`${base}/domains`, domains, "domain");
  };
  const readBranch = async (base: string, branch: Values, computes: readonly Values[]): Promise<void> => {
    const isMasked = (branch["annotations"] as Values | undefined)?.[maskedAnnotation] !== undefined;
    put(base, isMasked ? { ...branch, ...(await get(`${base}/masking_rules`)) } : branch);
    const own = computes.filter((compute) => compute["branch_id"] === branch["id"]);
    putAll(`${base}/endpoints`, own);
    const schedule = await list(`${base}/backup_schedule`, "schedule");
    if (schedule.length > 0) put(`${base}/backup_schedule`, { schedule });
    await readAuth(`${base}/auth`);
    const buckets = await list(`${base}/buckets`, "buckets");
    putAll(`${base}/buckets`, buckets, "name");
    for (const { name } of buckets) {
      const objects = `${base}/buckets/${encodeURIComponent(String(name))}/objects`;
      putAll(objects, await list(objects, "objects"), "key");
    }
    putAll(`${base}/functions`, await list(`${base}/functions`, "functions"), "slug");
    // When a trigger fires next changes by itself.
    const triggers = (await list(`${base}/triggers`, "triggers")).map(({ next_run_at: _, ...trigger }) => trigger);
    putAll(`${base}/triggers`, triggers, "trigger_id");
    putAll(`${base}/custom-domains`, await list(`${base}/custom-domains`, "custom_domains"), "domain");
    putAll(`${base}/credentials`, await list(`${base}/credentials`, "credentials"), "token_id");
    const databases = await list(`${base}/databases`, "databases");
    putAll(`${base}/databases`, databases, "name");
    await Promise.all(
      databases.map(async ({ name }) => {
        const path = `${base}/data-api/${encodeURIComponent(String(name))}`;
        const dataApi = await find(path);
        if (dataApi !== undefined) put(path, dataApi);
      }),
    );
    const roles = (await list(`${base}/roles`, "roles")).map(async (role) => {
      const path = `${base}/roles/${encodeURIComponent(String(role["name"]))}/reveal_password`;
      const hasPassword = passwords && role["authentication_method"] === "password";
      return hasPassword ? { ...role, password: (await get(path))["password"] } : role;
    });
    putAll(`${base}/roles`, await Promise.all(roles), "name");
  };
  const readProject = async (base: string): Promise<void> => {
    const [{ project }, { branches, annotations }, computes] = await Promise.all([
      get(base),
      get(`${base}/branches?limit=1000`),
      list(`${base}/endpoints`, "endpoints"),
    ]);
    put(base, project as Values);
    for (const one of await list(`${base}/members?limit=500`, "project_members")) {
      const role = one["project_role"];
      if (role !== undefined) put(`${base}/member_roles/${String(one["member_id"])}`, { role });
    }
    await Promise.all([
      ...projectLists.map(async ([name, member, id]) =>
        putAll(`${base}/${name}`, await list(`${base}/${name}`, member), id),
      ),
      ...(branches as readonly Values[]).map((branch) => {
        const id = String(branch["id"]);
        const own = (annotations as Values)[id] as Values | undefined;
        return readBranch(`${base}/branches/${id}`, { ...branch, annotations: own?.["value"] }, computes);
      }),
    ]);
  };

  const organizations = await list("/users/me/organizations", "organizations");
  const queries = ["", ...organizations.map(({ id }) => `&org_id=${String(id)}`)];
  const listed = await Promise.all(queries.map((query) => list(`/projects?limit=400${query}`, "projects")));
  putAll("/projects", listed.flat());
  putAll("/api_keys", await list("/api_keys"));
  await Promise.all([
    ...organizations.map(({ id }) => readOrganization(`/organizations/${String(id)}`)),
    ...listed
      .flat()
      .filter(({ id }) => projects?.includes(String(id)) ?? true)
      .map(({ id }) => readProject(`/projects/${String(id)}`)),
  ]);
}
