import type { JwksUrlCreate } from "../../../api/schemas/jwks-url";
import type { TableDefinition } from "../../storage/table";

/** A URL whose keys verify the tokens of clients. Without a branch, it applies to all branches. */
export interface JwksRow extends Omit<JwksUrlCreate, "skip_role_creation"> {
  id: string;
  project_id: string;
  created_at: string;
  updated_at: string;
}

export const jwksTable: TableDefinition<JwksRow> = {
  name: "jwks",
  public: [
    "id",
    "project_id",
    "branch_id",
    "jwks_url",
    "provider_name",
    "jwt_audience",
    "role_names",
    "created_at",
    "updated_at",
  ],
  columns: ["id", "project_id", "branch_id", "created_at"],
  indexes: ["project_id, created_at", "branch_id"],
  latest: "created_at",
};
