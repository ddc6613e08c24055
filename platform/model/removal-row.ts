import type { TableDefinition } from "../storage/table";

/** Files of an object that is gone. They are removed after the transaction that has removed the object. */
export interface RemovalRow {
  /** The folder, relative to that of Postgres. */
  id: string;
}

export const removalTable: TableDefinition<RemovalRow> = { name: "removals", columns: ["id"], indexes: [] };
