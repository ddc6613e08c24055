import type { TableDefinition } from "../../storage/table";
import type { Deletable } from "../deletable";

export interface RoleRow extends Deletable {
  project_id: string;
  branch_id: string;
  name: string;
  /** Undefined if the project does not store passwords, and on roles that cannot log in. */
  password?: string | undefined;
  /** What Postgres checks the password with. It is known even if the password is not stored. */
  verifier?: string | undefined;
  /** Replaces the password when this operation has succeeded. */
  next_password?: { value?: string | undefined; verifier?: string | undefined; operation_id: string } | undefined;
  /** The role in Postgres, as the platform has last seen it; undefined before it is created there. */
  catalog?: { oid: number; name: string; login: boolean; verifier?: string | undefined } | undefined;
  protected: boolean;
  authentication_method: "password" | "oauth" | "no_login";
  /** Whether it has only the rights that are granted to it, as the roles that tokens use. Default: those of `neon_superuser`. */
  restricted?: true | undefined;
  created_at: string;
  updated_at: string;
}

export const roleTable: TableDefinition<RoleRow> = {
  name: "roles",
  public: ["branch_id", "name", "protected", "authentication_method", "created_at", "updated_at"],
  columns: ["project_id", "branch_id", "name", "created_at", "deleted_at", "deletion_id"],
  primaryKey: ["branch_id", "name"],
  indexes: ["project_id", "deletion_id"],
  encrypted: ["password", "value", "verifier"],
  latest: "created_at",
};
