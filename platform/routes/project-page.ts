import type { ControlPlane } from "../control-plane";
import type { ProjectRow, UserRow } from "../model/rows";
import { badRequest } from "../refusal";

interface ProjectQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly search?: string | undefined;
  readonly recoverable: boolean;
}

/** One page of a user's projects, newest first; there is a cursor while anything is returned. */
export function projectPage(
  { tables }: ControlPlane,
  user: UserRow,
  { cursor, limit, search = "", recoverable }: ProjectQuery,
): { projects: ProjectRow[]; cursor: string | undefined } {
  const projects = tables.projects.list(
    { owner_id: user.id },
    `AND deleted_at IS ${recoverable ? "NOT NULL" : "NULL"} AND created_at < ?
     AND (instr(lower(name), lower(?)) OR instr(id, lower(?)))
     ORDER BY created_at DESC LIMIT ?`,
    cursor === undefined ? afterAll : decoded(cursor),
    search,
    search,
    limit,
  );
  const last = projects.at(-1);
  return { projects, cursor: last && Buffer.from(last.created_at).toString("base64url") };
}

/** Sorts after every timestamp. */
const afterAll = "~";

function decoded(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (!/^\d{4}-[-:T.\d]+Z$/.test(text)) {
    throw badRequest("query parameter cursor: is not one that a list of projects has returned");
  }
  return text;
}
