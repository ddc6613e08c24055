import { isDeepStrictEqual } from "node:util";

import { maskedAnnotation } from "../../api/schemas/masking";
import { routes } from "../../platform/routes/index";
import type { Values } from "./provider-server";
import type { TestPlatform } from "./platform";

/** The objects of accounts by path below the base URL, without members that change by themselves. */
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

/** Members that change without a request: counters, timestamps, the state of a compute, when a trigger fires next. */
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
  "next_run_at",
]);

export async function accountOf(platform: TestPlatform, apiKey: string): Promise<Account> {
  const { body } = await platform.call("GET", "/users/me", undefined, { key: apiKey });
  const { id, email, login } = body as unknown as Values;
  return { apiKey, names: [id, email, login].map(String) };
}

/** Limits how much of the accounts is read. */
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

/** The changes between two readings of the same accounts. */
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

/** The differences between two readings of the same accounts, as `/projects/p/branches/b: default is true, expected false`. */
export function differenceTexts(before: Objects, after: Objects): string[] {
  return changesBetween(before, after).flatMap(({ path, is, members }) => {
    const valueOf = (objects: Objects, name: string): string =>
      name === "password" ? "another one" : JSON.stringify(objects.get(path)?.[name]);
    return is === "changed"
      ? members.map((name) => `${path}: ${name} is ${valueOf(after, name)}, expected ${valueOf(before, name)}`)
      : [`${path} was ${is}`];
  });
}

/** The id or name of an object: the end of its path. */
export function idOf(path: string): string {
  return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
}

/** Whether a path is that of an object or of a part of it. */
export function isWithin(path: string, whole: string): boolean {
  return path === whole || path.startsWith(`${whole}/`);
}

const branchPath = "/projects/:project_id/branches/:branch_id";
const memberPath = "/organizations/:org_id/members";

/** A route that answers a list of objects, and the variable of the paths of these objects. */
interface Collection {
  readonly path: string;
  readonly variable: string;
}

/** Routes that list objects, if other routes change one of the objects. Lists with other names are read separately. */
const collections: readonly Collection[] = [
  ...routes.flatMap(({ method, path }) => {
    const items = routes.filter((one) => one.method !== "GET" && one.path.startsWith(`${path}/:`));
    const item = items.find((one) => !one.path.slice(path.length + 1).includes("/"));
    return method === "GET" && item !== undefined && path !== memberPath
      ? [{ path, variable: item.path.slice(path.length + 2) }]
      : [];
  }),
  { path: `${branchPath}/auth/domains`, variable: "domain" },
];

/** Routes that return more about the object at the beginning of their path, by the name of the member. */
const parts: Readonly<Record<string, string>> = {
  [`${branchPath}/auth/plugins`]: "plugins",
  [`${branchPath}/auth/plugins/oauth-provider`]: "oauth_provider",
  [`${branchPath}/auth/webhooks`]: "webhook",
};

/** The routes of objects without an id, of which there is one, such as the settings of a branch. */
const singletons: readonly string[] = routes
  .filter(({ method, path }) => {
    const isChanged = routes.some((one) => one.path === path && ["PUT", "DELETE"].includes(one.method));
    const isListed = collections.some((one) => one.path === path || path === `${one.path}/:${one.variable}`);
    return method === "GET" && isChanged && !isListed && !(path in parts) && !path.startsWith(memberPath);
  })
  .map(({ path }) => path);

/** The values of variables in paths. */
type Names = Readonly<Record<string, string>>;

const variablesOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);

/** Whether a path has exactly these variables. */
function fits(path: string, names: Names): boolean {
  const variables = variablesOf(path);
  return variables.length === Object.keys(names).length && variables.every((name) => name in names);
}

const isNothing = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

const pathTo = (path: string, names: Names): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? ""));

async function readAccount(
  platform: TestPlatform,
  key: string,
  { projects, passwords = true }: Extent,
  found: Map<string, Values>,
): Promise<void> {
  /** The object at a path; undefined if it does not exist. */
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
  const put = (path: string, values: Values): void => {
    found.set(path, Object.fromEntries(Object.entries(values).filter(([name]) => !moving.has(name))));
  };

  /** An object of a list with the members that other routes return. */
  const completed = async (path: string, object: Values, list: Values): Promise<Values> => {
    if (/\/branches\/[^/]+$/.test(path)) {
      const annotations = (list["annotations"] as Values | undefined)?.[String(object["id"])] as Values | undefined;
      const value = annotations?.["value"] as Values | undefined;
      const rules = value?.[maskedAnnotation] === undefined ? {} : await get(`${path}/masking_rules`);
      return { ...object, annotations: value, ...rules };
    }
    const isRole = /\/roles\/[^/]+$/.test(path) && object["authentication_method"] === "password";
    if (isRole && passwords) return { ...object, password: (await get(`${path}/reveal_password`))["password"] };
    return object;
  };
  /** The path of a compute is below its branch, because it is deleted with the branch. */
  const ownPath = (path: string, object: Values): string =>
    path.replace(/(?=\/endpoints\/ep-)/, `/branches/${String(object["branch_id"])}`);

  const readList = async ({ path, variable }: Collection, names: Names): Promise<void> => {
    const base = pathTo(path, names);
    const list = await get(path.endsWith("/branches") ? `${base}?limit=1000` : base);
    const named = list[path.slice(path.lastIndexOf("/") + 1)];
    const objects = (Array.isArray(list) ? list : (named ?? Object.values(list).find(Array.isArray))) as Values[];
    // Revoked permissions and credentials stay in their lists.
    const present = objects.filter((one) => one["revoked_at"] === undefined);
    await Promise.all(
      present.map(async (one) => {
        const id = String(one[variable] ?? one[variable.replace(/^.*_/, "")]);
        const of = `${base}/${encodeURIComponent(id)}`;
        put(ownPath(of, one), await completed(of, one, list));
        await readBelow({ ...names, [variable]: id });
      }),
    );
  };
  /** Reads everything whose path has these names and no others. */
  const readBelow = async (names: Names): Promise<void> => {
    const absent: string[] = [];
    await Promise.all(
      singletons
        .filter((path) => fits(path, names))
        .map(async (path) => {
          const values = await find(pathTo(path, names));
          // Schedules, limits and services can be read even if there is none.
          if (values === undefined || Object.values(values).every(isNothing)) return void absent.push(path);
          const of = Object.entries(parts).filter(([part]) => part.startsWith(`${path}/`));
          const more = of.map(
            async ([part, name]) => [name, withoutLists(path, await get(pathTo(part, names)))] as const,
          );
          put(pathTo(path, names), { ...values, ...Object.fromEntries(await Promise.all(more)) });
        }),
    );
    const present = collections.filter(
      ({ path }) => fits(path, names) && !absent.some((one) => path.startsWith(`${one}/`)),
    );
    await Promise.all(present.map((one) => readList(one, names)));
  };

  /** The members of an object without the lists that are collections of their own. */
  const withoutLists = (path: string, values: Values): Values =>
    Object.fromEntries(
      Object.entries(values).filter(([name]) => !collections.some((one) => one.path === `${path}/${name}`)),
    );

  const readOrganization = async (id: string): Promise<void> => {
    const base = `/organizations/${id}`;
    await readBelow({ org_id: id });
    const limit = `${base}/billing/spending_limit`;
    const shown = found.get(limit);
    if (shown !== undefined) put(`${base}/spending_limit/${id}`, shown);
    found.delete(limit);
    for (const one of (await get(`${base}/vpc/vpc_endpoints`))["endpoints"] as Values[]) {
      put(`${base}/vpc/region/${String(one["region_id"])}/vpc_endpoints/${String(one["vpc_endpoint_id"])}`, one);
    }
    for (const { member, user } of (await get(`${base}/members?limit=500`))["members"] as Values[]) {
      // The state identifies a member by these values.
      const values: Values = { ...(member as Values), ...(user as Values) };
      put(`${base}/members/${encodeURIComponent(String(values["email"]))}`, values);
    }
  };
  const readProject = async (id: string): Promise<void> => {
    const base = `/projects/${id}`;
    put(base, (await get(base))["project"] as Values);
    for (const one of (await get(`${base}/members?limit=500`))["project_members"] as Values[]) {
      const role = one["project_role"];
      if (role !== undefined) put(`${base}/member_roles/${String(one["member_id"])}`, { role });
    }
    await readBelow({ project_id: id });
  };

  const organizations = (await get("/users/me/organizations"))["organizations"] as Values[];
  const queries = ["", ...organizations.map(({ id }) => `&org_id=${String(id)}`)];
  const listed = await Promise.all(queries.map((query) => get(`/projects?limit=400${query}`)));
  const all = listed.flatMap((list) => list["projects"] as Values[]);
  for (const one of all) put(`/projects/${String(one["id"])}`, one);
  for (const one of (await get("/api_keys")) as unknown as Values[]) put(`/api_keys/${String(one["id"])}`, one);
  await Promise.all([
    ...organizations.map(({ id }) => readOrganization(String(id))),
    ...all.filter(({ id }) => projects?.includes(String(id)) ?? true).map(({ id }) => readProject(String(id))),
  ]);
}
