import type { ControlPlane } from "./control-plane";

/** Where each kind begins: numbers are given out across all accounts, so a first one is never number 1. */
const firsts = { apiKey: 165_432, database: 834_686 } as const;

/** The next number of a kind; a number is never given out twice. */
export function nextNumber({ tables }: ControlPlane, kind: keyof typeof firsts): number {
  const known = tables.numbers.get({ kind });
  const last = known ? known.last + 1 : firsts[kind];
  tables.numbers.put({ kind, last });
  return last;
}
