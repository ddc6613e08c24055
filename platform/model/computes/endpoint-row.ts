import type { z } from "zod";

import type { endpointSettings } from "../../../api/schemas/project-settings";
import type { Stored, vendor } from "../../published/answers";
import type { RowTable } from "../containment";
import type { Deletable } from "../deletable";

/** Members that the API returns as they are stored. */
export const endpointMembers = [
  "id",
  "project_id",
  "branch_id",
  "name",
  "type",
  "host",
  "proxy_host",
  "region_id",
  "provisioner",
  "settings",
  "autoscaling_limit_min_cu",
  "autoscaling_limit_max_cu",
  "suspend_timeout_seconds",
  "pooler_enabled",
  "pooler_mode",
  "disabled",
  "passwordless_access",
  "current_state",
  "pending_state",
  "creation_source",
  "created_at",
  "updated_at",
  "last_active",
  "started_at",
  "suspended_at",
] as const;

export interface EndpointRow extends Deletable, Stored<vendor.Endpoint, typeof endpointMembers> {
  settings: z.infer<typeof endpointSettings>;
  /** Deprecated for clients, but still returned. */
  pooler_enabled: boolean;
  /** The time at which the compute is suspended for inactivity. */
  idle_at: number | null;
}

export const endpointTable: RowTable<EndpointRow> = {
  name: "endpoints",
  within: "branch",
  branching: "none",
  columns: ["type", "current_state", "deleted_at"],
  indexes: ["project_id, created_at", "branch_id, created_at", "idle_at", "deletion_id", "host"],
  latest: "created_at",
};
