import assert from "node:assert/strict";

import { reasonOf } from "../../api/core/clock";
import { NeonClient, type ClientOptions, type WireRequest } from "../../api/index";
import { endless, ManualClock } from "../support/clock";

/** The response to a request. */
export interface ScriptedResponse {
  /** Default: 200. */
  readonly status?: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent unchanged. */
  readonly body?: unknown;
  /** Response time, in milliseconds of the manual clock. */
  readonly takes?: number;
  /** Thrown instead of a response. */
  readonly error?: Error;
}

/** A request that was sent: its path below the base URL, with the query, and its time. */
export interface Sent extends WireRequest {
  readonly path: string;
  readonly at: number;
}

/** One response after the other, of which the last one repeats; or a function of the request. */
export type ScriptedResponses = readonly ScriptedResponse[] | ((sent: Sent) => ScriptedResponse);

/** A client with scripted responses and a manual clock. */
export interface ScriptedClient {
  readonly client: NeonClient;
  readonly clock: ManualClock;
  /** The requests that were sent, in order. */
  readonly sent: Sent[];
}

export const apiUrl = "https://platform.example/api/v2";
export const apiKey = "napi_secret_1234567890";

/** A network error of the system. */
export function systemError(code: string, syscall?: string): Error {
  return Object.assign(new Error(`${syscall ?? "read"} ${code}`), {
    code,
    ...(syscall === undefined ? {} : { syscall }),
  });
}

export function scriptedClient(responses: ScriptedResponses, options: Partial<ClientOptions> = {}): ScriptedClient {
  const clock = new ManualClock();
  const sent: Sent[] = [];
  const client = new NeonClient({
    apiKey,
    apiUrl,
    clock,
    attemptTimeout: endless,
    transport: async (request) => {
      const one: Sent = { ...request, path: request.url.slice(apiUrl.length), at: clock.now() };
      if (request.signal.aborted) throw reasonOf(request.signal);
      sent.push(one);
      const response =
        typeof responses === "function" ? responses(one) : (responses[sent.length - 1] ?? responses.at(-1));
      assert.ok(response, "there is no response left");
      const { status = 200, headers = { "content-type": "application/json" }, body = {}, takes, error } = response;
      if (takes !== undefined) await clock.sleep(takes, request.signal);
      if (error !== undefined) throw error;
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

/** When requests were sent. */
export function timesOf(sent: readonly Sent[]): number[] {
  return sent.map(({ at }) => at);
}

/** The error that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<Error> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error, "the promise did not reject");
  return error;
}

/** All items of a list. */
export async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}
