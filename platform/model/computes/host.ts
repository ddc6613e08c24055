import { randomInt } from "node:crypto";

import type { ControlPlane } from "../control-plane";
import { sharedHost } from "../databases";

/** The host of a new compute, which never changes; undefined without a Postgres. */
export function newHost({ databases, tables }: ControlPlane): string | undefined {
  if (!databases) return undefined;
  if (!databases.addressing.isOwn) return sharedHost;
  for (;;) {
    const host = `127.${randomInt(64, 128)}.${randomInt(256)}.${randomInt(1, 255)}`;
    if (!tables.endpoints.get({ host })) return host;
  }
}
