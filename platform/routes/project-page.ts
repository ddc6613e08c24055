import { z } from "zod";

import { beforeFirst, cursorOf, formatCursor } from "../model/routing/validation";
import type { ControlPlane } from "../model/control-plane";
import type { UserRow } from "../model/accounts/user-row";
import type { ProjectRow } from "../model/projects/project-row";
import * as published from "../published/requests";

const { query } = published.listSharedProjects;

export const projectPageQuery = query.extend({
  cursor: cursorOf(z.string(), "projects").default(beforeFirst),
  search: z.string().default(""),
});

/** The condition of a list of projects. */
export interface ProjectSelection {
  readonly where: Partial<Pick<ProjectRow, "id" | "owner_id">>;
  /** SQL that follows the conditions. */
  readonly rest?: string;
  readonly parameters?: readonly string[];
}

/** The projects that others share with a user. */
export function sharedWith({ id, email }: UserRow): ProjectSelection {
  return {
    where: {},
    rest: `AND id IN (SELECT project_id FROM permissions WHERE granted_to_email = ? AND revoked_at IS NULL)
      AND owner_id <> ? AND owner_id NOT IN (SELECT org_id FROM memberships WHERE user_id = ?)`,
    parameters: [email, id, id],
  };
}

/** One page of projects, newest first. Every page has a cursor, except an empty one. */
export function projectPage(
  { tables }: ControlPlane,
  { where, rest = "", parameters = [] }: ProjectSelection,
  { cursor, limit, search, recoverable = false }: z.infer<typeof projectPageQuery> & { readonly recoverable?: boolean },
): { projects: ProjectRow[]; pagination: object | undefined } {
  const projects = tables.projects.list(
    where,
    `${rest} AND deleted_at IS ${recoverable ? "NOT NULL" : "NULL"} AND created_at < ?
     AND (instr(lower(name), lower(?)) OR instr(id, lower(?)))
     ORDER BY created_at DESC LIMIT ?`,
    ...parameters,
    cursor,
    search,
    search,
    limit,
  );
  const last = projects.at(-1);
  return { projects, pagination: last && { cursor: formatCursor(last.created_at) } };
}
