import { invalidCursor } from "../http/validation";
import type { ControlPlane } from "../model/control-plane";
import type { ProjectRow, UserRow } from "../model/rows";

interface ProjectQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly search?: string | undefined;
  readonly recoverable: boolean;
}

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
  { cursor, limit, search = "", recoverable }: ProjectQuery,
): { projects: ProjectRow[]; cursor: string | undefined } {
  const projects = tables.projects.list(
    where,
    `${rest} AND deleted_at IS ${recoverable ? "NOT NULL" : "NULL"} AND created_at < ?
     AND (instr(lower(name), lower(?)) OR instr(id, lower(?)))
     ORDER BY created_at DESC LIMIT ?`,
    ...parameters,
    cursor === undefined ? afterAll : parseCursor(cursor),
    search,
    search,
    limit,
  );
  const last = projects.at(-1);
  return { projects, cursor: last && Buffer.from(last.created_at).toString("base64url") };
}

/** Sorts after every timestamp. */
const afterAll = "~";

function parseCursor(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (!/^\d{4}-[-:T.\d]+Z$/.test(text)) {
    throw invalidCursor("projects");
  }
  return text;
}
