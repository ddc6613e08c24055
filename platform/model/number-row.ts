import type { TableDefinition } from "../storage/table";

/** The last id of the objects of one kind whose ids are numbers. */
export interface NumberRow {
  kind: string;
  last: number;
}

export const numberTable: TableDefinition<NumberRow> = {
  name: "numbers",
  columns: ["kind"],
  primaryKey: ["kind"],
  indexes: [],
};
