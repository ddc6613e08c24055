import { Agent } from "node:http";

import { messageOf } from "../../../api/errors";
import { ask, type Reply } from "../ask";

/** The platform was killed before the response was complete: nothing is known about the request. */
export class Unanswered extends Error {}

export interface Requests {
  readonly send: (method: string, path: string, body?: unknown, key?: string) => Promise<Reply>;
  readonly get: (path: string, key?: string) => Promise<Reply>;
  readonly close: () => void;
}

/** Sends requests to a platform that may be killed at any moment. */
export function requestsTo(apiUrl: string, ownKey: string): Requests {
  const agent = new Agent({ keepAlive: true });
  const send = (method: string, path: string, body?: unknown, apiKey = ownKey): Promise<Reply> =>
    ask({ apiUrl, apiKey }, { method, path, body, agent }).catch((cause: unknown): never => {
      throw new Unanswered(`${method} ${path}: ${messageOf(cause)}`, { cause });
    });
  return { send, get: (path, key) => send("GET", path, undefined, key), close: () => agent.destroy() };
}
