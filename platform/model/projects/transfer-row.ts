import type { TableDefinition } from "../../storage/table";

/** Offers a project to everybody who knows the id of the request. */
export interface TransferRequestRow {
  /** The hash of the id. */
  id: string;
  project_id: string;
  created_at: string;
  expires_at: string;
}

export const transferRequestTable: TableDefinition<TransferRequestRow> = {
  name: "transfer_requests",
  public: ["id", "project_id", "created_at", "expires_at"],
  columns: ["id", "project_id", "created_at"],
  indexes: ["project_id"],
  latest: "created_at",
};
