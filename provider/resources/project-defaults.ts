import { ignoreNotFound } from "../../api/core/errors";
import { type Collection, every } from "../call/collection";
import type { Context } from "../call/context";
import { firstBranch } from "./branch/read";

/** A role, a database or a compute. */
interface BranchObject {
  readonly projectId: string;
  readonly branchId: string;
  readonly createdAt: string;
}

/**
 * Maximum difference between timestamps of objects from one request, in milliseconds: some are rounded to the second.
 */
const timestampTolerance = 2_000;

/** The reason why an object that was created with its project cannot be deleted. */
export function createdWithProject(object: string): string {
  return `The ${object} was created with its project, and is deleted with the project.`;
}

/**
 * The reason why an object on a branch cannot be deleted, if it was created with its project. Such an object is the
 * oldest of its kind and as old as the project's first branch: the platform accepts no other request until the project
 * is created. Restoring that branch gives it a parent and renews the timestamps, so then only their order counts. Among
 * objects of the same second, the first one in the list was created with the project.
 */
export async function undeletableWithProject<Row extends { readonly created_at: string }>(
  context: Context,
  object: string,
  { projectId, branchId, createdAt }: BranchObject,
  { pages }: Pick<Collection<Row>, "pages">,
  isThis: (row: Row) => boolean,
): Promise<string | undefined> {
  const time = Date.parse(createdAt);
  const root = (await ignoreNotFound(firstBranch(context, projectId)))?.branch;
  if (root?.id !== branchId) return undefined;
  const isRestored = root.parent_id !== undefined;
  if (!isRestored && Math.abs(time - Date.parse(root.created_at)) > timestampTolerance) return undefined;
  const all = (await ignoreNotFound(every(pages(context)))) ?? [];
  const oldest = Math.min(...all.map(({ created_at }) => Date.parse(created_at)));
  const first = all.find(({ created_at }) => Date.parse(created_at) === oldest);
  return first && isThis(first) ? createdWithProject(object) : undefined;
}
