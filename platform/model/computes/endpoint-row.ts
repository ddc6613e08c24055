import type { z } from "zod";

import type { endpointSettings } from "../../../api/schemas/project-settings";
import type { TableDefinition } from "../../storage/table";
import type { Deletable } from "../deletable";
import type { Sizing } from "./sizing";

export interface EndpointRow extends Deletable, Sizing {
  id: string;
  project_id: string;
  branch_id: string;
  name?: string | undefined;
  type: "read_write" | "read_only";
  host: string;
  proxy_host: string;
  region_id: string;
  provisioner: string;
  settings: z.infer<typeof endpointSettings>;
  pooler_enabled: boolean;
  pooler_mode: string;
  disabled: boolean;
  passwordless_access: boolean;
  current_state: "init" | "active" | "idle";
  pending_state?: "active" | "idle" | undefined;
  creation_source: string;
  created_at: string;
  updated_at: string;
  last_active?: string | undefined;
  started_at?: string | undefined;
  suspended_at?: string | undefined;
  /** When it is suspended because it is inactive. */
  idle_at: number | null;
}

export const endpointTable: TableDefinition<EndpointRow> = {
  name: "endpoints",
  public: [
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
  ],
  columns: [
    "id",
    "project_id",
    "branch_id",
    "host",
    "type",
    "current_state",
    "created_at",
    "idle_at",
    "deleted_at",
    "deletion_id",
  ],
  indexes: ["project_id, created_at", "branch_id, created_at", "idle_at", "deletion_id", "host"],
  latest: "created_at",
};
