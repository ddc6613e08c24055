import { z } from "zod";

import { badRequest } from "../http-error";
import { flag, invalidCursor, wholeNumber } from "../http/validation";
import type { ControlPlane } from "../model/control-plane";
import type { BranchRow } from "../model/rows";

const sortBy = z.enum(["name", "created_at", "updated_at"]);
const sortOrder = z.enum(["asc", "desc"]);

export const branchPageQuery = z.object({
  search: z.string().default(""),
  sort_by: sortBy.optional(),
  sort_order: sortOrder.optional(),
  cursor: z.string().optional(),
  limit: wholeNumber(1, 10_000).default(10_000),
  include_deleted: flag.default(false),
});

/** A cursor: the order of the list, and the value and the id of the last branch on the page. */
const cursorSchema = z.tuple([sortBy, sortOrder, z.string(), z.string()]);

const orders = {
  asc: { after: ">", order: "ASC" },
  desc: { after: "<", order: "DESC" },
} as const;

interface BranchPage {
  readonly branches: BranchRow[];
  readonly pagination: { next: string; sort_by: string; sort_order: string } | undefined;
}

/** One page of the branches of a project. Every page has a cursor, except an empty one. */
export function branchPage(
  { tables, clock }: ControlPlane,
  projectId: string,
  query: z.infer<typeof branchPageQuery>,
): BranchPage {
  const from = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  const by = query.sort_by ?? from?.[0] ?? "updated_at";
  const order = query.sort_order ?? from?.[1] ?? "desc";
  if (from && (from[0] !== by || from[1] !== order)) {
    throw badRequest("query parameter cursor: belongs to a list in another order");
  }
  const { after, order: direction } = orders[order];
  const branches = tables.branches.list(
    { project_id: projectId },
    `AND (deleted_at IS NULL OR (? AND deletion_id IS NULL AND recoverable_until > ?))
     AND (instr(lower(name), lower(?)) OR instr(id, lower(?)))
     ${from ? `AND (${by}, id) ${after} (?, ?)` : ""}
     ORDER BY ${by} ${direction}, id ${direction} LIMIT ?`,
    query.include_deleted ? 1 : 0,
    new Date(clock.now()).toISOString(),
    query.search,
    query.search,
    ...(from ? [from[2], from[3]] : []),
    query.limit,
  );
  const last = branches.at(-1);
  return {
    branches,
    pagination: last && { next: formatCursor([by, order, last[by], last.id]), sort_by: by, sort_order: order },
  };
}

/** The number of branches of a project whose names contain a text. */
export function branchCount({ tables }: ControlPlane, projectId: string, search: string): number {
  return tables.branches.count({ project_id: projectId, deleted_at: null }, "AND instr(lower(name), lower(?))", search);
}

function formatCursor(cursor: z.infer<typeof cursorSchema>): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function parseCursor(cursor: string): z.infer<typeof cursorSchema> {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch {
    throw invalidCursor("branches");
  }
}
