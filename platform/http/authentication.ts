import type { IncomingMessage } from "node:http";

import { HttpError } from "../http-error";
import { findKey } from "../model/accounts/api-key";
import type { Caller } from "../model/accounts/caller";
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

/** The caller with an API key; `undefined` if the key is invalid or revoked. */
function findCaller(controlPlane: ControlPlane, secret: string): Caller | undefined {
  const { users, organizations } = controlPlane.tables;
  const key = findKey(controlPlane, secret);
  if (!key) return undefined;
  if (key.org_id === undefined) {
    const user = users.get({ id: key.user_id });
    return user && { kind: "personal", key, user };
  }
  const organization = organizations.get({ id: key.org_id });
  if (!organization) return undefined;
  return key.project_id === undefined
    ? { kind: "organization", key, organization }
    : { kind: "project", key, organization, projectId: key.project_id };
}
