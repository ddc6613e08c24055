import type { Moment } from "./branches/data-origin";

/** Deleted rows are kept until the deletion can no longer fail or be recovered from. */
export interface Deletable {
  /** Clients cannot see a deleted object. */
  deleted_at: string | null;
  /** The operation that carries out the deletion. If it fails, the object becomes visible again. */
  deletion_id: string | null;
}

/**
 * Whether Postgres still has a role or database that was deleted while its branch had no compute.
 * Postgres loses it when a compute starts.
 *
 * @param moment a moment in the history of the branch: later deletions do not count; default: now. The log position of a deletion
 *   is unknown, so at a log position no deletion counts.
 */
export function isLeftInPostgres({ deleted_at, deletion_id }: Deletable, moment?: Moment): boolean {
  if (deleted_at === null || deletion_id !== null) return false;
  return moment === undefined || ("time" in moment && Date.parse(deleted_at) <= Date.parse(moment.time));
}
