/** Deleted rows are kept until the deletion can no longer fail or be recovered from. */
export interface Deletable {
  /** Clients cannot see a deleted object. */
  deleted_at: string | null;
  /** The operation that carries out the deletion. If it fails, the object becomes visible again. */
  deletion_id: string | null;
}
