import type { Requests } from "./requests";

/** The parts of a project that the changes of this run can touch. */
export interface ProjectState {
  readonly name: string;
  readonly branches: Readonly<Record<string, BranchState>>;
  /** The branch of each compute. */
  readonly computes: Readonly<Record<string, string>>;
}

export interface BranchState {
  readonly name: string;
  /** Whether it is the first branch of the project. */
  readonly isRoot: boolean;
  /** The password of each role. */
  readonly roles: Readonly<Record<string, string>>;
  /** The owner of each database. */
  readonly databases: Readonly<Record<string, string>>;
}

/** Reads all of a project; `undefined` if it is not there. */
export async function readProject({ get }: Requests, id: string): Promise<ProjectState | undefined> {
  const path = `/projects/${id}`;
  const { status, body } = await get(path);
  if (status === 404) return undefined;
  const { body: list } = await get(`${path}/branches`);
  const branches: Record<string, BranchState> = {};
  for (const branch of list.branches) {
    const { body: owned } = await get(`${path}/branches/${branch.id}/databases`);
    const { body: all } = await get(`${path}/branches/${branch.id}/roles`);
    const roles: Record<string, string> = {};
    for (const role of all.roles) {
      roles[role.name] = (await get(`${path}/branches/${branch.id}/roles/${role.name}/reveal_password`)).body.password;
    }
    branches[branch.id] = {
      name: branch.name,
      isRoot: branch.parent_id === undefined,
      roles,
      databases: Object.fromEntries(owned.databases.map(({ name, owner_name }) => [name, owner_name])),
    };
  }
  const { body: computes } = await get(`${path}/endpoints`);
  return {
    name: body.project.name,
    branches,
    computes: Object.fromEntries(computes.endpoints.map((compute) => [compute.id, compute.branch_id])),
  };
}

/** The same without one member. */
export function without<Value>(all: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([each]) => each !== name));
}

/** The same with a branch changed. */
export function withBranch(state: ProjectState, id: string, change: Partial<BranchState>): ProjectState {
  const branch = state.branches[id] ?? { name: "", isRoot: false, roles: {}, databases: {} };
  return { ...state, branches: { ...state.branches, [id]: { ...branch, ...change } } };
}
