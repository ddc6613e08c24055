import { z } from "zod";

import { badRequest } from "../http-error";
import { cursorOf, formatCursor } from "../model/routing/validation";
import type { ControlPlane } from "../model/control-plane";
import type { BranchRow } from "../model/branches/branch-row";
import * as published from "../published/requests";

const { query } = published.listProjectBranches;
const sortBy = query.shape.sort_by.unwrap();
const sortOrder = query.shape.sort_order.unwrap();

export const branchPageQuery = query.extend({
  search: z.string().default(""),
  // The default is the order of the cursor.
  sort_by: sortBy.optional(),
  sort_order: sortOrder.optional(),
  /** The order of the list, and the value and the id of the last branch on the previous page. */
  cursor: cursorOf(z.tuple([sortBy, sortOrder, z.string(), z.string()]), "branches").optional(),
  limit: query.shape.limit.default(10_000),
});

/** One page of the branches of a project. Every page has a cursor, except the last one. */
export function branchPage(
  { tables, clock }: ControlPlane,
  projectId: string,
  { search, limit, include_deleted, ...asked }: z.infer<typeof branchPageQuery>,
): { branches: BranchRow[]; pagination: object } {
  const [cursorBy = "updated_at", cursorOrder = "desc", ...after] = asked.cursor ?? [];
  const { sort_by = cursorBy, sort_order = cursorOrder } = asked;
  if (after.length > 0 && (sort_by !== cursorBy || sort_order !== cursorOrder)) {
    throw badRequest("query parameter cursor: belongs to a list in another order");
  }
  const found = tables.branches.list(
    { project_id: projectId },
    `AND (deleted_at IS NULL OR (? AND deletion_id IS NULL AND recoverable_until > ?))
     AND (instr(lower(name), lower(?)) OR instr(id, lower(?)))
     ${after.length > 0 ? `AND (${sort_by}, id) ${sort_order === "asc" ? ">" : "<"} (?, ?)` : ""}
     ORDER BY ${sort_by} ${sort_order}, id ${sort_order} LIMIT ?`,
    include_deleted ? 1 : 0,
    new Date(clock.now()).toISOString(),
    search,
    search,
    ...after,
    limit + 1,
  );
  const branches = found.slice(0, limit);
  const last = found.length > limit ? branches.at(-1) : undefined;
  const next = last && formatCursor([sort_by, sort_order, last[sort_by], last.id]);
  return { branches, pagination: { next, sort_by, sort_order: sort_order.toUpperCase() } };
}

/** The number of branches of a project whose names contain a text. */
export function branchCount({ tables }: ControlPlane, projectId: string, search: string): number {
  return tables.branches.count({ project_id: projectId, deleted_at: null }, "AND instr(lower(name), lower(?))", search);
}
