import assert from "node:assert/strict";

import { PlatformClient, type ClientOptions, type WireRequest } from "../../api/index";
import { reasonOf } from "../../api/clock";
import { endless, ManualClock } from "../support/clock";

/** What a scripted transport does with one request. */
export interface Answer {
  /** Default: 200. */
  readonly status?: number;
  /** With names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
  /** How long the answer takes, in milliseconds of the manual clock. */
  readonly takes?: number;
  /** Thrown instead of an answer. */
  readonly fault?: Error;
}

/** A request that was sent: its path below the base URL, with the query, and when. */
export interface Sent extends WireRequest {
  readonly path: string;
  readonly at: number;
}

/** What a transport answers: one after the other, the last again and again; or one made for each request. */
export type Answers = readonly Answer[] | ((sent: Sent) => Answer);

/** A client of a platform that answers as a test says, and whose time passes as a test says. */
export interface ScriptedClient {
  readonly client: PlatformClient;
  readonly clock: ManualClock;
  /** What was sent, in order. */
  readonly sent: Sent[];
}

export const apiUrl = "https://platform.example/api/v2";
export const apiKey = "napi_secret_1234567890";

/** The system's error for a connection that failed. */
export function systemFault(code: string, syscall?: string): Error {
  return Object.assign(new Error(`${syscall ?? "read"} ${code}`), {
    code,
    ...(syscall === undefined ? {} : { syscall }),
  });
}

export function scriptedClient(answers: Answers, options: Partial<ClientOptions> = {}): ScriptedClient {
  const clock = new ManualClock();
  const sent: Sent[] = [];
  const client = new PlatformClient({
    apiKey,
    apiUrl,
    clock,
    attemptTimeout: endless,
    transport: async (request) => {
      const one: Sent = { ...request, path: request.url.slice(apiUrl.length), at: clock.now() };
      if (request.signal.aborted) throw reasonOf(request.signal);
      sent.push(one);
      const answer = typeof answers === "function" ? answers(one) : (answers[sent.length - 1] ?? answers.at(-1));
      assert.ok(answer, "there is no answer left");
      const { status = 200, headers = { "content-type": "application/json" }, body = {}, takes, fault } = answer;
      if (takes !== undefined) await clock.sleep(takes, request.signal);
      if (fault !== undefined) throw fault;
      return {
        status,
        header: (name) => headers[name.toLowerCase()],
        body: typeof body === "string" ? body : JSON.stringify(body),
      };
    },
    ...options,
  });
  return { client, clock, sent };
}

/** The error that a promise ends with. */
export async function errorOf(promise: Promise<unknown>): Promise<Error> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error, "it did not fail");
  return error;
}

/** Every entry of a list. */
export async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}
