import type { ControlPlane } from "./control-plane";

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
