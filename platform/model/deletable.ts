import type { Moment } from "./branches/data-origin";

/** Deleted rows are kept until the deletion can no longer fail or be recovered from. */
export interface Deletable {
  /** Clients cannot see a deleted object. */
  deleted_at: string | null;
  /** The operation that carries out the deletion. If it fails, the object becomes visible again. */
  deletion_id: string | null;
}

/**
 * Whether a role or database was deleted while its branch had no compute: Postgres still has it, and loses it when a compute
 * starts.
 *
 * @param moment the moment in the history of the branch from which on nothing counts; default: now. Which log position a deletion
 *   had is not known: none counts then.
 */
export function isLeftInPostgres({ deleted_at, deletion_id }: Deletable, moment?: Moment): boolean {
  if (deleted_at === null || deletion_id !== null) return false;
  return moment === undefined || ("time" in moment && Date.parse(deleted_at) <= Date.parse(moment.time));
}
