import type { z } from "zod";

import type { endpointSettings } from "../../../api/schemas/project-settings";
import type { RowTable } from "../containment";
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
  pooler_mode: "transaction";
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
