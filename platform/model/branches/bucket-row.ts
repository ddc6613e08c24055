import type { BucketCreate } from "../../../api/schemas/bucket";
import type { TableDefinition } from "../../storage/table";

/** A bucket of a branch. A child has a copy of its own. */
export interface BucketRow extends Required<BucketCreate> {
  project_id: string;
  branch_id: string;
  created_at: string;
  /** Whether the branch has it from its parent, and it was not created on the branch since. */
  inherited: boolean;
}

export const bucketTable: TableDefinition<BucketRow> = {
  name: "buckets",
  public: ["name", "access_level", "created_at"],
  columns: ["name", "project_id", "branch_id", "created_at"],
  primaryKey: ["branch_id", "name"],
  indexes: ["project_id"],
  latest: "created_at",
};
