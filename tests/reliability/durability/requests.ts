import { Agent, request } from "node:http";

import type { AnswerBody } from "../../support/platform";

/** An answer that has come back whole: what it acknowledges has to stay. */
export interface Acknowledged {
  readonly status: number;
  readonly body: AnswerBody;
}

/** The platform was killed before the answer had come back: nobody knows what has become of the request. */
export class Unanswered extends Error {}

export interface Requests {
  readonly send: (method: string, path: string, body?: unknown, key?: string) => Promise<Acknowledged>;
  readonly get: (path: string, key?: string) => Promise<Acknowledged>;
  readonly close: () => void;
}

/** Longer than any machine is busy: whoever says nothing for so long hangs. */
const silenceMs = 120_000;

/** Sends requests to a platform that may be killed at any moment. */
export function requestsTo(apiUrl: string, ownKey: string): Requests {
  const agent = new Agent({ keepAlive: true });
  const send = (method: string, path: string, body?: unknown, key = ownKey): Promise<Acknowledged> =>
    new Promise((resolve, reject) => {
      const fail = (cause: Error): void => reject(new Unanswered(`${method} ${path}: ${cause.message}`, { cause }));
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${key}`,
        ...(text === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      };
      const outgoing = request(`${apiUrl}${path}`, { method, headers, agent, timeout: silenceMs }, (incoming) => {
        let answered = "";
        incoming.setEncoding("utf8").on("data", (more: string) => (answered += more));
        incoming.once("error", fail).once("end", () => {
          const { statusCode: status = 0 } = incoming;
          const read: unknown = answered === "" ? undefined : JSON.parse(answered);
          resolve({ status, body: read as AnswerBody });
        });
      });
      outgoing
        .once("error", fail)
        .once("timeout", () => outgoing.destroy(new Error(`no answer for ${silenceMs / 1000} s`)));
      outgoing.end(text);
    });
  return { send, get: (path, key) => send("GET", path, undefined, key), close: () => agent.destroy() };
}
