import type { CredentialCreate } from "../../../api/schemas/credential";
import type { TableDefinition } from "../../storage/table";

/** What authenticates the client of a credential. Encrypted in the file. */
export interface CredentialSecrets {
  api_token: string;
  s3_secret_access_key: string;
}

/** A credential for services of a branch. */
export interface CredentialRow extends CredentialCreate, CredentialSecrets {
  token_id: string;
  project_id: string;
  branch_id: string;
  created_at: string;
  revoked_at: string | null;
}

export const credentialTable: TableDefinition<CredentialRow> = {
  name: "credentials",
  public: ["token_id", "branch_id", "name", "scopes", "principal_type", "created_at"],
  columns: ["token_id", "project_id", "branch_id", "created_at", "revoked_at"],
  primaryKey: ["token_id"],
  indexes: ["project_id", "branch_id, created_at"],
  encrypted: ["api_token", "s3_secret_access_key"],
  latest: "created_at",
};
