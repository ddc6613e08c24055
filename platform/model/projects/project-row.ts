import type { z } from "zod";

import type { defaultEndpointSettings } from "../../../api/schemas/project-settings";
import type { RowTable } from "../containment";
import type { Sizing } from "../computes/sizing";
import type { ProjectSettings } from "./project-settings";

export interface ProjectRow {
  id: string;
  /** The user or the organization that owns the project. */
  owner_id: string;
  /** The organization that owns the project; undefined if a user does. */
  org_id?: string | undefined;
  /** A project with integrations cannot be transferred. */
  integrations?: readonly ("github" | "vercel")[] | undefined;
  name: string;
  platform_id: string;
  region_id: string;
  provisioner: string;
  pg_version: number;
  proxy_host: string;
  store_passwords: boolean;
  history_retention_seconds: number;
  default_endpoint_settings: DefaultEndpointSettings;
  settings: ProjectSettings;
  hipaa_enabled_at?: string | undefined;
  creation_source: string;
  created_at: string;
  updated_at: string;
  compute_time_seconds: number;
  active_time_seconds: number;
  compute_last_active_at?: string | undefined;
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
