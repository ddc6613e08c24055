import type { AnswerBody } from "../../support/platform";
import { pick } from "../seeded-random";
import { withBranch, without, type BranchState, type ProjectState } from "./state";

/** What only the response tells, or the state of the platform afterwards. */
export interface Made {
  readonly branchId?: string | undefined;
  readonly computeId?: string | undefined;
  readonly password?: string | undefined;
}

/** A request that changes a project, and its complete effect. */
export interface Change {
  readonly method: string;
  /** Below the project. */
  readonly path: string;
  readonly body?: object;
  /** The project after it; `undefined`: it is deleted. */
  readonly apply: (before: ProjectState, made: Made) => ProjectState | undefined;
  /** What it has created, as found in the project. */
  readonly find?: (found: ProjectState) => Made;
}

type Draw = () => number;
/** A change of one sort that is possible in the present state, if there is one. */
type Proposal = (state: ProjectState, draw: Draw, newName: () => string) => Change | undefined;

/** Few enough that reading everything takes no longer than the changes. */
const most = { branches: 5, roles: 4, databases: 4 } as const;

/** What a response tells about the created objects. */
export function madeIn(body: AnswerBody): Made {
  // Which members are there depends on the request.
  const { branch, endpoint, endpoints, role } = body as Partial<AnswerBody>;
  return { branchId: branch?.id, computeId: endpoint?.id ?? endpoints?.[0]?.id, password: role?.password };
}

const renameProject: Proposal = (_state, _draw, newName) => {
  const name = newName();
  return { method: "PATCH", path: "", body: { project: { name } }, apply: (before) => ({ ...before, name }) };
};

const deleteProject: Proposal = (_state, draw) =>
  draw() < 0.2 ? { method: "DELETE", path: "", apply: () => undefined } : undefined;

const createBranch: Proposal = (state, draw, newName) => {
  if (Object.keys(state.branches).length >= most.branches) return undefined;
  const name = newName();
  const endpoints = draw() < 0.5 ? [{ type: "read_write" }] : [];
  return {
    method: "POST",
    path: "/branches",
    body: { branch: { name }, endpoints },
    apply: (before, { branchId = "none", computeId = "none" }) => ({
      ...withBranch(before, branchId, { ...rootOf(before), name, isRoot: false }),
      computes: endpoints.length === 0 ? before.computes : { ...before.computes, [computeId]: branchId },
    }),
    find: (found) => {
      const branchId = Object.entries(found.branches).find(([, branch]) => branch.name === name)?.[0];
      return { branchId, computeId: computeOn(found, branchId) };
    },
  };
};

const renameBranch: Proposal = (state, draw, newName) => {
  const id = pick(Object.keys(state.branches), draw);
  if (id === undefined) return undefined;
  const name = newName();
  return {
    method: "PATCH",
    path: `/branches/${id}`,
    body: { branch: { name } },
    apply: (before) => withBranch(before, id, { name }),
  };
};

const deleteBranch: Proposal = (state, draw) => {
  const children = Object.entries(state.branches).filter(([, { isRoot }]) => !isRoot);
  const [id] = pick(children, draw) ?? [];
  if (id === undefined) return undefined;
  return {
    method: "DELETE",
    path: `/branches/${id}`,
    apply: (before) => ({
      ...before,
      branches: without(before.branches, id),
      computes: Object.fromEntries(Object.entries(before.computes).filter(([, branchId]) => branchId !== id)),
    }),
  };
};

const createCompute: Proposal = (state, draw) => {
  const used = Object.values(state.computes);
  const id = pick(
    Object.keys(state.branches).filter((each) => !used.includes(each)),
    draw,
  );
  if (id === undefined) return undefined;
  return {
    method: "POST",
    path: "/endpoints",
    body: { endpoint: { branch_id: id, type: "read_write" } },
    apply: (before, { computeId = "none" }) => ({ ...before, computes: { ...before.computes, [computeId]: id } }),
    find: (found) => ({ computeId: computeOn(found, id) }),
  };
};

const deleteCompute: Proposal = (state, draw) => {
  const id = pick(Object.keys(state.computes), draw);
  if (id === undefined) return undefined;
  return {
    method: "DELETE",
    path: `/endpoints/${id}`,
    apply: (before) => ({ ...before, computes: without(before.computes, id) }),
  };
};

/** A change of one branch. */
const onBranch =
  (propose: (id: string, branch: BranchState, draw: Draw, newName: () => string) => Change | undefined): Proposal =>
  (state, draw, newName) => {
    const [id, branch] = pick(Object.entries(state.branches), draw) ?? [];
    return id === undefined || !branch ? undefined : propose(id, branch, draw, newName);
  };

/** What a new password of a role changes. */
const setsPassword = (id: string, name: string): Pick<Change, "apply" | "find"> => ({
  apply: (before, { password = "none" }) =>
    withBranch(before, id, { roles: { ...before.branches[id]?.roles, [name]: password } }),
  find: (found) => ({ password: found.branches[id]?.roles[name] }),
});

const createRole = onBranch((id, branch, _draw, newName) => {
  if (Object.keys(branch.roles).length >= most.roles) return undefined;
  const name = newName();
  return {
    method: "POST",
    path: `/branches/${id}/roles`,
    body: { role: { name } },
    ...setsPassword(id, name),
  };
});

const resetPassword = onBranch((id, branch, draw) => {
  const name = pick(Object.keys(branch.roles), draw);
  if (name === undefined) return undefined;
  return {
    method: "POST",
    path: `/branches/${id}/roles/${name}/reset_password`,
    ...setsPassword(id, name),
  };
});

const deleteRole = onBranch((id, { roles, databases }, draw) => {
  const owners = Object.values(databases);
  const name = pick(
    Object.keys(roles).filter((each) => !owners.includes(each)),
    draw,
  );
  if (name === undefined) return undefined;
  return {
    method: "DELETE",
    path: `/branches/${id}/roles/${name}`,
    apply: (before) => withBranch(before, id, { roles: without(before.branches[id]?.roles ?? {}, name) }),
  };
});

const createDatabase = onBranch((id, { roles, databases }, draw, newName) => {
  const owner = pick(Object.keys(roles), draw);
  if (owner === undefined || Object.keys(databases).length >= most.databases) return undefined;
  const name = newName();
  return {
    method: "POST",
    path: `/branches/${id}/databases`,
    body: { database: { name, owner_name: owner } },
    apply: (before) => withBranch(before, id, { databases: { ...before.branches[id]?.databases, [name]: owner } }),
  };
});

const renameDatabase = onBranch((id, { databases }, draw, newName) => {
  const [former, owner] = pick(Object.entries(databases), draw) ?? [];
  if (former === undefined || owner === undefined) return undefined;
  const name = newName();
  return {
    method: "PATCH",
    path: `/branches/${id}/databases/${former}`,
    body: { database: { name } },
    apply: (before) =>
      withBranch(before, id, {
        databases: { ...without(before.branches[id]?.databases ?? {}, former), [name]: owner },
      }),
  };
});

const deleteDatabase = onBranch((id, { databases }, draw) => {
  const name = pick(Object.keys(databases), draw);
  if (name === undefined) return undefined;
  return {
    method: "DELETE",
    path: `/branches/${id}/databases/${name}`,
    apply: (before) => withBranch(before, id, { databases: without(before.branches[id]?.databases ?? {}, name) }),
  };
});

const proposals: readonly Proposal[] = [
  renameProject,
  deleteProject,
  createBranch,
  renameBranch,
  deleteBranch,
  createCompute,
  deleteCompute,
  createRole,
  resetPassword,
  deleteRole,
  createDatabase,
  renameDatabase,
  deleteDatabase,
];

/** A random change of a project that is possible in its present state. */
export function someChange(state: ProjectState, draw: Draw, newName: () => string): Change {
  for (;;) {
    const change = pick(proposals, draw)?.(state, draw, newName);
    if (change) return change;
  }
}

/** Whether a new project is complete: a branch with a compute, a role with a password, and a database of that role. */
export function isWholeProject({ branches, computes }: ProjectState): boolean {
  const [only, ...others] = Object.entries(branches);
  if (!only || others.length > 0) return false;
  const [id, { roles, databases }] = only;
  const [[role, password] = [], ...moreRoles] = Object.entries(roles);
  return (
    moreRoles.length === 0 &&
    role !== undefined &&
    password !== undefined &&
    Object.values(databases).join() === role &&
    Object.values(computes).join() === id
  );
}

/** The first branch of a project, whose roles and databases new branches copy. */
function rootOf({ branches }: ProjectState): Partial<BranchState> {
  return Object.values(branches).find(({ isRoot }) => isRoot) ?? {};
}

function computeOn({ computes }: ProjectState, branchId: string | undefined): string | undefined {
  return Object.entries(computes).find(([, on]) => on === branchId)?.[0];
}
