import type { RowTable } from "./containment";
import type { ControlPlane } from "./control-plane";

/** The files of a deleted object. They are removed after the transaction that deletes the object. */
export interface RemovalRow {
  /** The folder, relative to the folder of Postgres. */
  id: string;
}

export const removalTable: RowTable<RemovalRow> = {
  name: "removals",
  within: "platform",
};

/** The folders of objects that have data, relative to the folder of Postgres. */
export const folderOf = {
  branch: (id: string): string => `branches/${id}`,
  snapshot: (id: string): string => `snapshots/${id}`,
  replica: (endpointId: string): string => `replicas/${endpointId}`,
} as const;

/** Removes a folder after the transaction. */
export function removeFiles({ databases, tables }: ControlPlane, folder: string): void {
  if (databases) tables.removals.put({ id: folder });
}
