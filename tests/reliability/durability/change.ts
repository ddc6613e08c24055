import type { AnswerBody, TestPlatform } from "../../support/platform";
import { isWithin, objectsOf } from "../../support/account";
import { pick } from "../../support/seeded-random";

/**
 * The parts of a project that the changes of this campaign can touch, by their paths below it: the names of the project and
 * its branches, the passwords of roles, the owners of databases, and computes without a value. Empty: there is no project.
 */
export type State = ReadonlyMap<string, string>;

/** The key of the first branch of a project. */
const root = "/root";

/** What only the response contains, or the state of the platform afterwards. */
interface Made {
  readonly branchId: string;
  readonly computeId: string;
  readonly password: string;
}

/** A request that changes a project, and its complete effect. */
export interface Change {
  readonly method: string;
  /** Below the project. */
  readonly path: string;
  readonly body?: object;
  /** What it removes, with everything below it. */
  readonly removes?: string;
  /** What it adds and changes. */
  readonly sets?: (made: Made) => Readonly<Record<string, string>>;
  /** The role whose password is in the response. */
  readonly role?: (branchId: string) => string;
}

/** The state after a change, according to its response. */
export function afterResponse(before: State, change: Change, body: AnswerBody): State {
  // Which members are there depends on the request.
  const { branch, endpoint, endpoints, role, roles } = body as Partial<AnswerBody>;
  return applied(before, change, {
    branchId: branch?.id ?? "none",
    computeId: endpoint?.id ?? endpoints?.[0]?.id ?? "none",
    password: role?.password ?? roles?.[0]?.password ?? "none",
  });
}

/** The state after a change whose response was lost, if all of it was performed: `found` shows the ids of new objects. */
export function afterLostResponse(before: State, change: Change, found: State): State {
  const added = [...found.keys()].filter((path) => !before.has(path));
  const idIn = (pattern: RegExp): string => added.map((path) => pattern.exec(path)?.[1]).find(Boolean) ?? "none";
  const branchId = idIn(/^\/branches\/([^/]+)$/);
  const password = found.get(change.role?.(branchId) ?? "") ?? "none";
  return applied(before, change, { branchId, computeId: idIn(/\/endpoints\/(.+)$/), password });
}

function applied(before: State, { removes, sets }: Change, made: Made): State {
  const kept = [...before].filter(([path]) => removes === undefined || !isWithin(path, removes));
  return new Map([...kept, ...Object.entries(sets?.(made) ?? {})]);
}

export async function readState(platform: TestPlatform, apiKey: string, id: string): Promise<State> {
  const objects = await objectsOf(platform, [{ apiKey }], { projects: [id] });
  const project = `/projects/${id}`;
  const state = new Map<string, string>();
  for (const [path, object] of objects) {
    if (!isWithin(path, project) || path.endsWith("/backup_schedule")) continue;
    const { name, password, owner_name: owner } = object;
    const below = path.slice(project.length);
    state.set(below, below.includes("/endpoints/") ? "" : String(password ?? owner ?? name));
    if (/^\/branches\/[^/]+$/.test(below) && object["parent_id"] === undefined) state.set(root, String(object["id"]));
  }
  return state;
}

export function creation(name: string): Change {
  const role = (branchId: string): string => `/branches/${branchId}/roles/neondb_owner`;
  return {
    method: "POST",
    path: "",
    body: { project: { name } },
    role,
    sets: ({ branchId, computeId, password }) => ({
      "": name,
      [root]: branchId,
      [`/branches/${branchId}`]: "main",
      [role(branchId)]: password,
      [`/branches/${branchId}/databases/neondb`]: "neondb_owner",
      [`/branches/${branchId}/endpoints/${computeId}`]: "",
    }),
  };
}

/** Few enough that reading everything takes no longer than the changes. */
const most = { branches: 5, roles: 4, databases: 4 } as const;

/** What a change can be made of. */
interface Surroundings {
  readonly state: State;
  readonly draw: () => number;
  readonly newName: () => string;
  readonly branches: readonly string[];
  /** A random branch, with the names of its roles and databases. */
  readonly branch: string;
  readonly roles: readonly string[];
  readonly databases: readonly string[];
}

function namesBelow(state: State, path: string): string[] {
  const names = [...state.keys()].flatMap((each) => (each.startsWith(`${path}/`) ? each.slice(path.length + 1) : []));
  return names.filter((name) => !name.includes("/"));
}

/** Changes of each sort; `undefined` if it is not possible in the present state. */
const proposals: readonly ((around: Surroundings) => Change | undefined)[] = [
  ({ newName }) => {
    const name = newName();
    return { method: "PATCH", path: "", body: { project: { name } }, sets: () => ({ "": name }) };
  },
  ({ draw }) => (draw() < 0.2 ? { method: "DELETE", path: "", removes: "" } : undefined),
  ({ state, branches, draw, newName }) => {
    if (branches.length >= most.branches) return undefined;
    const name = newName();
    const endpoints = draw() < 0.5 ? [{ type: "read_write" }] : [];
    const parent = `/branches/${state.get(root) ?? ""}`;
    const copies = [...state].filter(([path]) => /\/(roles|databases)\//.test(path) && isWithin(path, parent));
    return {
      method: "POST",
      path: "/branches",
      body: { branch: { name }, endpoints },
      sets: ({ branchId, computeId }) => ({
        [`/branches/${branchId}`]: name,
        ...Object.fromEntries(copies.map(([path, value]) => [path.replace(parent, `/branches/${branchId}`), value])),
        ...(endpoints.length === 0 ? {} : { [`/branches/${branchId}/endpoints/${computeId}`]: "" }),
      }),
    };
  },
  ({ branch, newName }) => {
    const name = newName();
    return { method: "PATCH", path: branch, body: { branch: { name } }, sets: () => ({ [branch]: name }) };
  },
  ({ state, branch }) =>
    branch === `/branches/${state.get(root) ?? ""}` ? undefined : { method: "DELETE", path: branch, removes: branch },
  ({ state, branch }) => {
    if (namesBelow(state, `${branch}/endpoints`).length > 0) return undefined;
    return {
      method: "POST",
      path: "/endpoints",
      body: { endpoint: { branch_id: branch.replace("/branches/", ""), type: "read_write" } },
      sets: ({ computeId }) => ({ [`${branch}/endpoints/${computeId}`]: "" }),
    };
  },
  ({ state, branch }) => {
    const [id] = namesBelow(state, `${branch}/endpoints`);
    const path = `/endpoints/${id ?? ""}`;
    return id === undefined ? undefined : { method: "DELETE", path, removes: branch + path };
  },
  ({ branch, roles, newName }) => {
    if (roles.length >= most.roles) return undefined;
    const name = newName();
    return withPassword(`${branch}/roles/${name}`, { path: `${branch}/roles`, body: { role: { name } } });
  },
  ({ branch, roles, draw }) => {
    const name = pick(roles, draw);
    const role = `${branch}/roles/${name ?? ""}`;
    return name === undefined ? undefined : withPassword(role, { path: `${role}/reset_password` });
  },
  ({ state, branch, roles, databases, draw }) => {
    const owners = databases.map((name) => state.get(`${branch}/databases/${name}`));
    const name = pick(
      roles.filter((each) => !owners.includes(each)),
      draw,
    );
    const path = `${branch}/roles/${name ?? ""}`;
    return name === undefined ? undefined : { method: "DELETE", path, removes: path };
  },
  ({ branch, roles, databases, draw, newName }) => {
    const owner = pick(roles, draw);
    if (owner === undefined || databases.length >= most.databases) return undefined;
    const name = newName();
    return {
      method: "POST",
      path: `${branch}/databases`,
      body: { database: { name, owner_name: owner } },
      sets: () => ({ [`${branch}/databases/${name}`]: owner }),
    };
  },
  ({ state, branch, databases, draw, newName }) => {
    const former = `${branch}/databases/${pick(databases, draw) ?? ""}`;
    const owner = state.get(former);
    if (owner === undefined) return undefined;
    const name = newName();
    const sets = (): Record<string, string> => ({ [`${branch}/databases/${name}`]: owner });
    return { method: "PATCH", path: former, body: { database: { name } }, removes: former, sets };
  },
  ({ state, branch, databases, draw }) => {
    const path = `${branch}/databases/${pick(databases, draw) ?? ""}`;
    return state.has(path) ? { method: "DELETE", path, removes: path } : undefined;
  },
];

/** A change that gives a role a new password. */
function withPassword(role: string, request: Pick<Change, "path" | "body">): Change {
  return { method: "POST", ...request, role: () => role, sets: ({ password }) => ({ [role]: password }) };
}

/** A random change of a project that is possible in its present state. */
export function someChange(state: State, draw: () => number, newName: () => string): Change {
  const branches = namesBelow(state, "/branches");
  for (;;) {
    const branch = `/branches/${pick(branches, draw) ?? ""}`;
    const [roles, databases] = [namesBelow(state, `${branch}/roles`), namesBelow(state, `${branch}/databases`)];
    const change = pick(proposals, draw)?.({ state, draw, newName, branches, branch, roles, databases });
    if (change) return change;
  }
}
