import type { MaskingRule } from "../../../api/schemas/masking";

/** The rules by which the data of a branch is masked, and the progress of the masking. */
export interface MaskingRow {
  readonly rules: readonly MaskingRule[];
  readonly state: string;
  /** Set while the first run waits for the data. */
  readonly start?: Pick<MaskingRun, "triggered_by" | "triggered_by_username"> | undefined;
  readonly status_message?: string | undefined;
  readonly created_at: string;
  readonly updated_at: string;
  readonly failed_at?: string | undefined;
  readonly last_run?: MaskingRun | undefined;
}

/** The latest run of the masking. */
export interface MaskingRun {
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly triggered_by?: string;
  readonly triggered_by_username?: string;
  readonly masked_columns?: number;
}
