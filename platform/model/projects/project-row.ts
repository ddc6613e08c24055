import type { z } from "zod";

import type { defaultEndpointSettings } from "../../../api/schemas/project-settings";
import type { Stored, vendor } from "../../published/answers";
import type { RowTable } from "../containment";
import type { Sizing } from "../computes/sizing";
import type { ProjectSettings } from "./project-settings";

/** Members that the API returns as they are stored. */
export const projectMembers = [
  "id",
  "owner_id",
  "org_id",
  "name",
  "platform_id",
  "region_id",
  "provisioner",
  "pg_version",
  "proxy_host",
  "store_passwords",
  "history_retention_seconds",
  "default_endpoint_settings",
  "settings",
  "hipaa_enabled_at",
  "creation_source",
  "created_at",
  "updated_at",
  "compute_last_active_at",
] as const;

export interface ProjectRow extends Stored<vendor.Project, typeof projectMembers> {
  /** The user or the organization that owns the project. */
  /** The organization that owns the project; undefined if a user does. */
  /** A project with integrations cannot be transferred. */
  integrations?: readonly ("github" | "vercel")[] | undefined;
  default_endpoint_settings: DefaultEndpointSettings;
  settings: ProjectSettings;
  compute_time_seconds: number;
  active_time_seconds: number;
  deleted_at: string | null;
  recoverable_until: string | null;
  /** The time of the next check of the project's availability; `null` without the `background` option. */
  check_at: number | null;
  /** The time at which the active computes will have used up the quota. */
  quota_at: number | null;
}

export type DefaultEndpointSettings = z.infer<typeof defaultEndpointSettings> & Sizing;

export const projectTable: RowTable<ProjectRow> = {
  name: "projects",
  within: "platform",
  columns: ["name", "org_id"],
  indexes: ["owner_id, created_at", "owner_id, deleted_at", "recoverable_until", "check_at", "quota_at"],
  latest: "created_at",
};
