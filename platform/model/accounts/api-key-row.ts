import type { RowTable } from "../containment";

/** An API key. Its secret is stored as a hash. */
export interface ApiKeyRow {
  id: number;
  hash: string;
  name: string;
  /** The creator of the key, who owns a personal key. */
  user_id: string;
  /** The organization that owns the key; undefined for a personal key. */
  org_id?: string | undefined;
  /** The project of a project-scoped key. */
  project_id?: string | undefined;
  created_at: string;
  last_used_at: string | null;
  last_used_from_addr: string;
  revoked_at: string | null;
}

export const apiKeyTable: RowTable<ApiKeyRow> = {
  name: "api_keys",
  within: "platform",
  columns: ["revoked_at"],
  indexes: ["hash", "user_id, created_at", "org_id, created_at", "project_id"],
  latest: "created_at",
};
