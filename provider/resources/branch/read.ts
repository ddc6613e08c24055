import { ignoreNotFound } from "../../../api/core/errors";
import { type AnnotatedBranch, type Branch, branches } from "../../../api/schemas/branch";
import { type Collection, every } from "../../call/collection";
import type { Context } from "../../call/context";

/** The ids that identify a branch. */
export interface BranchAddress {
  readonly projectId: string;
  readonly branchId: string;
}

/** A branch, or `undefined` if it does not exist. */
export async function readBranch(
  context: Context,
  projectId: string,
  branchId: string,
): Promise<AnnotatedBranch | undefined> {
  return context.readOne(branchesOf(projectId), branchId);
}

/** The branches of a project. */
export function branchesOf(projectId: string): Collection<AnnotatedBranch> {
  return {
    name: `branches/${projectId}`,
    projectId,
    pages: (reader) => reader.pages(branches.list(projectId, { sortOrder: "asc" })),
    keyOf: ({ branch }) => branch.id,
    get: async (reader, branchId) => {
      const answer = await ignoreNotFound(reader.read(branches.get(projectId, branchId)));
      return answer && { branch: answer.branch, annotations: answer.annotation?.value ?? {} };
    },
  };
}

/** The time at which a branch last received the objects of its parent. */
export function copiedAt({ last_reset_at: resetAt, created_at: createdAt }: Branch): string {
  return resetAt ?? createdAt;
}

/** The branch that was created with a project: its oldest one. */
export async function firstBranch(context: Context, projectId: string): Promise<AnnotatedBranch | undefined> {
  for await (const { items } of context.pages(branches.list(projectId, { sortOrder: "asc" }), 1)) return items[0];
  return undefined;
}

/** The branch with this name, which is unique in a project. */
export async function branchNamed(
  context: Context,
  projectId: string,
  name: string | undefined,
): Promise<Branch | undefined> {
  for await (const { items } of context.pages(branches.list(projectId, { search: name }))) {
    const found = items.find(({ branch }) => branch.name === name);
    if (found !== undefined) return found.branch;
  }
  return undefined;
}

/** The children of a branch, as far as they can be listed. A failed list is not an error. */
export async function childrenOf(context: Context, projectId: string, branchId: string): Promise<readonly Branch[]> {
  const children: Branch[] = [];
  try {
    for await (const { items } of context.pages(branches.list(projectId))) {
      children.push(...items.map(({ branch }) => branch).filter(({ parent_id: parentId }) => parentId === branchId));
    }
  } catch {
    // Return what was listed so far.
  }
  return children;
}

/** The protected branches of a project, which the platform does not delete. */
export async function protectedBranches(context: Context, projectId: string): Promise<readonly Branch[]> {
  const all = await every(context.pages(branches.list(projectId)));
  return all.map(({ branch }) => branch).filter(({ protected: isProtected }) => isProtected === true);
}
