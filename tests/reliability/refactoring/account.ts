import { isDeepStrictEqual } from "node:util";

import type { Values } from "../../support/dynamic-server";
import type { TestPlatform } from "../../support/platform";

/** Every object of some accounts, by its path below the base URL, with what only a request changes. */
export type Objects = ReadonlyMap<string, Values>;

/** Somebody with an API key. */
export interface Account {
  readonly apiKey: string;
  /** What names the account in a message: the user's id, e-mail and login. */
  readonly names: readonly string[];
}

/** An object that has come, gone or changed. */
export interface Change {
  readonly path: string;
  readonly is: "added" | "removed" | "changed";
  /** The members that are different, of one that changed. */
  readonly members: readonly string[];
}

/** Members that move without a request: counters, timestamps, the state of a compute. */
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

/** Who has a key. */
export async function accountOf(platform: TestPlatform, apiKey: string): Promise<Account> {
  const { body } = await platform.call("GET", "/users/me", undefined, { key: apiKey });
  const { id, email, login } = body as unknown as Values;
  return { apiKey, names: [id, email, login].map(String) };
}

/** Everything that these accounts have. */
export async function objectsOf(platform: TestPlatform, accounts: readonly Account[]): Promise<Objects> {
  const found = new Map<string, Values>();
  for (const { apiKey } of accounts) await new Survey(platform, apiKey, found).account();
  return found;
}

/** What has changed between two looks at the same accounts. */
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

/** What an object is known by to people: the end of its path. */
export function idOf(path: string): string {
  return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
}

/** Whether an object is this one or a part of it. */
export function isWithin(path: string, whole: string): boolean {
  return path === whole || path.startsWith(`${whole}/`);
}

/** Reads an account, list by list. */
class Survey {
  readonly #platform: TestPlatform;
  readonly #key: string;
  readonly #found: Map<string, Values>;

  constructor(platform: TestPlatform, key: string, found: Map<string, Values>) {
    this.#platform = platform;
    this.#key = key;
    this.#found = found;
  }

  async account(): Promise<void> {
    const organizations = await this.#list("/users/me/organizations", "organizations");
    const lists = ["", ...organizations.map(({ id }) => `&org_id=${String(id)}`)];
    const projects = await Promise.all(lists.map((query) => this.#list(`/projects?limit=400${query}`, "projects")));
    await Promise.all([
      this.#keep(this.#list("/api_keys"), ({ id }) => `/api_keys/${String(id)}`),
      ...organizations.map(({ id }) => this.#organization(String(id))),
      ...projects.flat().map(({ id }) => this.#project(String(id))),
    ]);
  }

  async #organization(id: string): Promise<void> {
    const base = `/organizations/${id}`;
    await this.#keep(this.#list(`${base}/api_keys`), (key) => `${base}/api_keys/${String(key["id"])}`);
    await this.#keep(
      this.#list(`${base}/vpc/vpc_endpoints`, "endpoints"),
      (one) => `${base}/vpc/region/${String(one["region_id"])}/vpc_endpoints/${String(one["vpc_endpoint_id"])}`,
    );
  }

  async #project(id: string): Promise<void> {
    const base = `/projects/${id}`;
    const [{ project }, { branches, annotations }, computes] = await Promise.all([
      this.#get(base),
      this.#get(`${base}/branches?limit=1000`),
      this.#list(`${base}/endpoints`, "endpoints"),
    ]);
    this.#put(base, project as Values);
    await Promise.all([
      this.#keep(this.#list(`${base}/snapshots`, "snapshots"), (one) => `${base}/snapshots/${String(one["id"])}`),
      this.#keep(this.#list(`${base}/jwks`, "jwks"), (one) => `${base}/jwks/${String(one["id"])}`),
      this.#keep(
        this.#list(`${base}/permissions`, "project_permissions"),
        (one) => `${base}/permissions/${String(one["id"])}`,
      ),
      this.#keep(
        this.#list(`${base}/vpc_endpoints`, "endpoints"),
        (one) => `${base}/vpc_endpoints/${String(one["vpc_endpoint_id"])}`,
      ),
      ...(branches as readonly Values[]).map((branch) => {
        const own = (annotations as Values)[String(branch["id"])] as Values | undefined;
        return this.#branch(base, { ...branch, annotations: own?.["value"] }, computes);
      }),
    ]);
  }

  async #branch(project: string, branch: Values, computes: readonly Values[]): Promise<void> {
    const id = String(branch["id"]);
    const base = `${project}/branches/${id}`;
    this.#put(base, branch);
    for (const compute of computes) {
      if (compute["branch_id"] === id) this.#put(`${base}/endpoints/${String(compute["id"])}`, compute);
    }
    const schedule = await this.#list(`${base}/backup_schedule`, "schedule");
    if (schedule.length > 0) this.#put(`${base}/backup_schedule`, { schedule });
    await this.#keep(
      this.#list(`${base}/databases`, "databases"),
      (one) => `${base}/databases/${encodeURIComponent(String(one["name"]))}`,
    );
    const roles = await this.#list(`${base}/roles`, "roles");
    await Promise.all(
      roles.map(async (role) => {
        const path = `${base}/roles/${encodeURIComponent(String(role["name"]))}`;
        const hasPassword = role["authentication_method"] === "password";
        const { password } = hasPassword ? await this.#get(`${path}/reveal_password`) : {};
        this.#put(path, { ...role, password });
      }),
    );
  }

  async #keep(list: Promise<readonly Values[]>, pathOf: (one: Values) => string): Promise<void> {
    // A permission that was revoked stays in its list.
    for (const one of await list) if (one["revoked_at"] === undefined) this.#put(pathOf(one), one);
  }

  #put(path: string, values: Values): void {
    this.#found.set(path, Object.fromEntries(Object.entries(values).filter(([name]) => !moving.has(name))));
  }

  async #list(path: string, member?: string): Promise<readonly Values[]> {
    const body = await this.#get(path);
    return (member === undefined ? body : body[member]) as readonly Values[];
  }

  async #get(path: string): Promise<Values> {
    const { status, body } = await this.#platform.call("GET", path, undefined, { key: this.#key });
    if (status !== 200) throw new Error(`GET ${path} answers ${status}: ${body.message}`);
    return body as unknown as Values;
  }
}
