import { hashOf, isHash } from "../storage/hash";
import type { Store } from "../storage/store";
import type { Tables } from "./tables";

/** Migrates the data of older versions. */
export function migrate(store: Store, tables: Tables): void {
  store.migrate(() => encryptSecrets(tables));
}

/** Version 1 stored role passwords and the ids of transfer requests in plain text. Writing a row encrypts its passwords. */
function encryptSecrets({ roles, snapshots, transferRequests }: Tables): void {
  for (const row of roles.list({})) roles.put(row);
  for (const row of snapshots.list({})) snapshots.put(row);
  for (const { id, ...row } of transferRequests.list({})) {
    if (isHash(id)) continue;
    transferRequests.delete({ id });
    transferRequests.put({ id: hashOf(id), ...row });
  }
}
