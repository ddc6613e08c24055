import { once } from "node:events";
import { type Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

import type { AnswerBody } from "../support/platform";

/** A request, and the agent whose connections it uses. Default: a connection of its own. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent | undefined;
}

export interface Reply {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly body: AnswerBody;
}

/** Longer than any machine is busy: a platform that sends nothing for so long hangs. */
const silenceMs = 120_000;

/** Sends a request and reads the whole response. Rejects if the connection fails or the platform hangs. */
export async function ask(
  { apiUrl, apiKey }: { readonly apiUrl: string; readonly apiKey: string },
  { method, path, body, headers, agent }: Question,
): Promise<Reply> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const length =
    sent === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(sent) };
  const outgoing = request(`${apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...length, ...headers },
    agent: agent ?? false,
    timeout: silenceMs,
  });
  outgoing.once("timeout", () => outgoing.destroy(new Error(`no response within ${silenceMs / 1000} s`)));
  // A connection that fails during the response rejects the reading of it.
  outgoing.on("error", () => undefined);
  outgoing.end(sent);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const answered = await text(incoming);
  return {
    status: incoming.statusCode ?? 0,
    requestId: incoming.headers["x-request-id"]?.toString(),
    body: (answered === "" ? undefined : JSON.parse(answered)) as AnswerBody,
  };
}
