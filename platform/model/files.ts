import type { RowTable } from "./containment";
import type { ControlPlane } from "./control-plane";

/** Files of an object that is gone. They are removed after the transaction that has removed the object. */
export interface RemovalRow {
  /** The folder, relative to that of Postgres. */
  id: string;
}

export const removalTable: RowTable<RemovalRow> = {
  name: "removals",
  within: "platform",
};

/** The folders of what has data, relative to that of Postgres. */
export const folderOf = {
  branch: (id: string): string => `branches/${id}`,
  snapshot: (id: string): string => `snapshots/${id}`,
  replica: (endpointId: string): string => `replicas/${endpointId}`,
} as const;

/** Removes a folder after the transaction. */
export function removeFiles({ databases, tables }: ControlPlane, folder: string): void {
  if (databases) tables.removals.put({ id: folder });
}
