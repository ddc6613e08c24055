import { z } from "zod";

import { badRequest } from "../http-error";
import { flag, wholeNumber } from "../http/query";
import type { ControlPlane } from "../model/control-plane";
import type { BranchRow } from "../model/rows";

const sortBy = z.enum(["name", "created_at", "updated_at"]);
const sortOrder = z.enum(["asc", "desc"]);

/** How a list of branches is asked for. */
export const branchPageQuery = z.object({
  search: z.string().default(""),
  sort_by: sortBy.optional(),
  sort_order: sortOrder.optional(),
  cursor: z.string().optional(),
  limit: wholeNumber(1, 10_000).default(10_000),
  include_deleted: flag.default(false),
});

/** Where a page ended: in which order, and at which branch. */
const place = z.tuple([sortBy, sortOrder, z.string(), z.string()]);

const terms = {
  asc: { after: ">", order: "ASC" },
  desc: { after: "<", order: "DESC" },
} as const;

interface BranchPage {
  readonly branches: BranchRow[];
  readonly pagination: { next: string; sort_by: string; sort_order: string } | undefined;
}

/** One page of a project's branches; there is a cursor while anything is returned. */
export function branchPage(
  { tables, clock }: ControlPlane,
  projectId: string,
  query: z.infer<typeof branchPageQuery>,
): BranchPage {
  const from = query.cursor === undefined ? undefined : placeOf(query.cursor);
  const by = query.sort_by ?? from?.[0] ?? "updated_at";
  const order = query.sort_order ?? from?.[1] ?? "desc";
  if (from && (from[0] !== by || from[1] !== order)) {
    throw badRequest("query parameter cursor: belongs to a list in another order");
  }
  const { after, order: direction } = terms[order];
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
    pagination: last && { next: cursorOf([by, order, last[by], last.id]), sort_by: by, sort_order: order },
  };
}

/** How many of a project's branches have a name with this in it. */
export function branchCount({ tables }: ControlPlane, projectId: string, search: string): number {
  return tables.branches.count({ project_id: projectId, deleted_at: null }, "AND instr(lower(name), lower(?))", search);
}

function cursorOf(where: z.infer<typeof place>): string {
  return Buffer.from(JSON.stringify(where)).toString("base64url");
}

function placeOf(cursor: string): z.infer<typeof place> {
  try {
    return place.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch {
    throw badRequest("query parameter cursor: is not one that a list of branches has returned");
  }
}
