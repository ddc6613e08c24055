import type { DataApiCreate, DataApiSettings } from "../../../api/schemas/data-api";

/** The REST interface of a database, which is deleted with it. */
export interface DataApiRow extends Omit<DataApiCreate, "settings"> {
  readonly settings: DataApiSettings;
  /** Whether the default grants are made in Postgres, if they were asked for. */
  readonly grants?: "pending" | "made" | undefined;
}
