import { randomUUID } from "node:crypto";

import { NeonClient } from "../../api/client";
import { type Clock, systemClock } from "../../api/core/clock";
import type { Method } from "../../api/core/request";
import { fetchTransport, type Transport } from "../../api/http/transport";
import { differencesFrom, requestDifferencesFrom } from "../support/openapi";

/** A request that was sent, as far as it may be shown. */
export interface Sent {
  readonly method: Method;
  /** Path below the base URL, with its query. */
  readonly path: string;
  readonly status: number;
}

/** What a recorder talks to. */
interface RecorderOptions {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Whether answers may hold nothing that the published document does not name. */
  readonly strict: boolean;
  /** How many times faster than time the client's pauses go. */
  readonly speed: number;
}

/** How long one attempt may take, by the machine's clock. */
const attemptMs = 30_000;

/**
 * Every request of the suite goes through here, the client's and the plain ones: it is counted, and held against the
 * published document together with its answer.
 */
export class Recorder {
  readonly client: NeonClient;
  readonly #options: RecorderOptions;
  readonly #send = fetchTransport();
  readonly #sent: Sent[] = [];
  #differences: string[] = [];

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.client = this.clientOf(options.apiKey);
  }

  /** What was sent so far. */
  get sent(): readonly Sent[] {
    return this.#sent;
  }

  /** The last request that was sent. */
  get last(): Sent {
    const last = this.#sent.at(-1);
    if (last === undefined) throw new Error("nothing was sent yet");
    return last;
  }

  /** How often each request was sent, without ids. */
  get counts(): string {
    const counts = new Map<string, number>();
    for (const { method, path } of this.#sent) {
      const route = path.replace(/\?.*/, "").replaceAll(/(?<=s\/)(?!me$)[^/]+/g, "{id}");
      counts.set(`${route} ${method}`, (counts.get(`${route} ${method}`) ?? 0) + 1);
    }
    return [...counts]
      .sort()
      .map(([request, count]) => `${String(count).padStart(5)}  ${request}`)
      .join("\n");
  }

  /** A client that uses another key. */
  clientOf(apiKey: string): NeonClient {
    const { apiUrl, speed } = this.#options;
    const attemptTimeout = attemptMs * speed;
    return new NeonClient({
      apiUrl,
      apiKey,
      clock: fastClock(speed),
      attemptTimeout,
      transport: this.#transport,
    });
  }

  /** Sends a request without a body once, and parses the answer if it is JSON. */
  async call(method: Method, path: string, authorization?: string): Promise<{ status: number; body: unknown }> {
    const answer = await this.#transport({
      method,
      url: `${this.client.apiUrl}${path}`,
      headers: {
        accept: "application/json",
        "x-request-id": randomUUID(),
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: undefined,
      signal: AbortSignal.timeout(attemptMs),
    });
    return { status: answer.status, body: parsed(answer.body) };
  }

  /** How requests and answers differed from the published document since this was asked last. */
  takeDifferences(): readonly string[] {
    const differences = this.#differences;
    this.#differences = [];
    return differences;
  }

  readonly #transport: Transport = async (request) => {
    const answer = await this.#send(request);
    const { method, body = "" } = request;
    const path = request.url.slice(this.client.apiUrl.length);
    this.#sent.push({ method, path, status: answer.status });
    // Thrown from here, a difference would be a fault of the connection, and the request would be sent again.
    this.#differences.push(
      // The document describes no member of a form but by its type.
      ...(typeof body === "string" ? requestDifferencesFrom(method, path, parsed(body)) : []),
      ...differencesFrom(method, path, answer.status, parsed(answer.body), this.#options.strict),
    );
    return answer;
  };
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}

/** A clock that runs faster than time: what waits by it waits less. */
function fastClock(times: number): Clock {
  return {
    now: () => systemClock.now() * times,
    date: () => systemClock.date(),
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / times, signal),
  };
}
