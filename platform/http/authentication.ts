import type { IncomingMessage } from "node:http";

import { HttpError } from "../http-error";
import { type Caller, findCaller } from "../model/accounts/caller";
import type { ControlPlane } from "../model/control-plane";

/**
 * Finds the caller whose API key is in the `authorization` header, and records that the key was used.
 *
 * @throws HttpError 401 if there is no key, or if it is invalid or revoked.
 */
export function authenticate(controlPlane: ControlPlane, { headers, socket }: IncomingMessage): Caller {
  const secret = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
  const caller = secret === undefined ? undefined : findCaller(controlPlane, secret);
  if (!caller) {
    throw new HttpError(401, "supplied credentials do not pass authentication");
  }
  controlPlane.keyUsage.record(caller.key.id, {
    last_used_at: new Date(controlPlane.clock.now()).toISOString(),
    last_used_from_addr: socket.remoteAddress ?? "",
  });
  return caller;
}
