import type { RowTable } from "./containment";
import type { ControlPlane } from "./control-plane";

/** The last number that was used as an id for one kind of objects. */
export interface NumberRow {
  kind: string;
  last: number;
}

export const numberTable: RowTable<NumberRow> = {
  name: "numbers",
  within: "platform",
  primaryKey: ["kind"],
};

/** The first numbers. The real platform counts across all accounts, so they are never 1. */
const firstNumbers = { apiKey: 165_432, database: 834_686, trigger: 1_347_042 } as const;

/** The next numeric id for an object. No number is used twice. */
export function nextSequenceNumber({ tables }: ControlPlane, kind: keyof typeof firstNumbers): number {
  const stored = tables.numbers.get({ kind });
  const next = stored ? stored.last + 1 : firstNumbers[kind];
  tables.numbers.put({ kind, last: next });
  return next;
}
