import { randomUUID } from "node:crypto";
import { arch, platform } from "node:os";

import { backoffDelay } from "./backoff";
import { type Clock, reasonOf, systemClock } from "./clock";
import { Deadline } from "./deadline";
import { HttpError, PlatformError } from "./errors";
import { isReadOnly, type Outcome, outcomeOfNetworkError, outcomeOfResponse } from "./http/outcome";
import { type PageOptions, paginate } from "./http/pagination";
import { RateLimiter } from "./http/rate-limiter";
import { failedAtProxy, fetchTransport, type Transport, type WireResponse } from "./http/transport";
import { OperationWaiter, type WaitOptions } from "./operations/waiter";
import { encoded, type Method, type PagedRequest, type Query, type Request } from "./request";
import type { Operation } from "./schemas/operation";
import { ServerClock } from "./server-clock";

/** The vendor's public service. */
export const publicApiUrl = "https://console.neon.tech/api/v2";

/** How to reach the platform. */
export interface ClientOptions {
  /** The API key. Never logged, never part of an error. */
  readonly apiKey: string;
  /** Base URL including `/api/v2`. Default: the vendor's public service. */
  readonly apiUrl?: string | undefined;
  /** How long one attempt may take, in milliseconds. Default: 30,000. */
  readonly attemptTimeout?: number | undefined;
  /** Put in front of this package's own user agent. */
  readonly userAgent?: string | undefined;
  /** Told of every attempt. No secrets are in what it is told. Default: nobody is told. */
  readonly onAttempt?: ((attempt: HttpAttempt) => void) | undefined;
  /** Default: the machine's time. */
  readonly clock?: Clock | undefined;
  /** Default: `node-fetch` with connections kept open. */
  readonly transport?: Transport | undefined;
}

/** One attempt at a request, for logs. */
export interface HttpAttempt {
  readonly method: Method;
  /** Path below the base URL, with its query. */
  readonly path: string;
  /** Left out when there was no answer. */
  readonly status?: number;
  /** What went wrong instead of an answer. */
  readonly fault?: string;
  readonly milliseconds: number;
  readonly requestId: string;
}

/** How long to try, and when to stop. */
export interface SendOptions {
  /**
   * When to stop retrying, on the client's clock. Default: two minutes from now. Time in this process's own queue for the
   * rate limit extends it.
   */
  readonly deadline?: Deadline | number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each retry with the reason. */
  readonly onRetry?: ((error: PlatformError) => void) | undefined;
  /**
   * Waits for what has refused a request with 423, where that can be seen: then the next attempt comes as soon as it is
   * over, and not only after the usual pause. Answers whether it has waited.
   */
  readonly untilFree?: ((deadline: number) => Promise<boolean>) | undefined;
}

const defaultSendTimeout = 120_000;
const defaultAttemptTimeout = 30_000;
/** What is shorter is no key of the platform, and may be a part of any text. */
const shortestKey = 16;
/** An address that has never answered is more likely mistyped than out of order: it is tried this often, for this long. */
const unreachableLimit = { attempts: 3, milliseconds: 3_000 };

/**
 * Talks to the platform: authentication, one retry rule, pagination, waiting for operations, and this process's share
 * of the rate limit. One client per account; it may be used by any number of callers at once.
 *
 * @example
 * ```ts
 * import { PlatformClient, projects } from "neon-pulumi/api";
 *
 * const client = new PlatformClient({ apiKey: process.env.NEON_API_KEY ?? "" });
 * for await (const project of client.list(projects.list({ search: "shop" }))) {
 *   console.log(project.id, project.name);
 * }
 * const created = await client.send(projects.create({ name: "shop" }));
 * await client.wait(created.operations);
 * ```
 */
export class PlatformClient {
  readonly clock: Clock;
  /** The platform's time. */
  readonly serverClock: ServerClock;
  readonly #apiUrl: string;
  readonly #attemptTimeout: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #withoutKey: (text: string) => string;
  readonly #onAttempt: (attempt: HttpAttempt) => void;
  readonly #transport: Transport;
  readonly #rateLimiter: RateLimiter;
  readonly #waiter: OperationWaiter;
  /** Whether the base URL has ever returned a response. */
  #isReachable = false;

  /** @throws PlatformError `invalid` when the key or the base URL cannot be right. */
  constructor(options: ClientOptions) {
    this.clock = options.clock ?? systemClock;
    this.serverClock = new ServerClock(this.clock);
    this.#apiUrl = checkedUrl(options.apiUrl ?? publicApiUrl);
    this.#attemptTimeout = options.attemptTimeout ?? defaultAttemptTimeout;
    const key = checkedKey(options.apiKey);
    this.#withoutKey = (text) => (key.length < shortestKey ? text : text.replaceAll(key, "[API key]"));
    this.#headers = {
      accept: "application/json",
      authorization: `Bearer ${key}`,
      "user-agent": [options.userAgent, `neon-pulumi (node ${process.versions.node}; ${platform()} ${arch()})`]
        .filter(Boolean)
        .join(" "),
    };
    this.#onAttempt = options.onAttempt ?? (() => undefined);
    this.#transport = options.transport ?? fetchTransport();
    this.#rateLimiter = new RateLimiter(this.clock);
    this.#waiter = new OperationWaiter(this.clock, (request, deadline) => this.attempt(request, deadline));
  }

  /** The base URL, without a slash at its end. */
  get apiUrl(): string {
    return this.#apiUrl;
  }

  /**
   * Sends a request, again where that is safe, and answers what the platform says.
   *
   * @throws HttpError the platform refused it; nothing was changed.
   * @throws OutcomeUnknownError a mutation was sent and nobody knows whether it was performed.
   * @throws PlatformError `unreachable` or `unreadable`.
   */
  async send<Response>(request: Request<Response>, options: SendOptions = {}): Promise<Response> {
    const began = this.clock.now();
    const deadline = Deadline.derive(options.deadline ?? began + defaultSendTimeout);
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await this.attempt(request, deadline, options.signal);
      if (outcome.is === "succeeded") return outcome.response;
      if (outcome.is === "final" || (outcome.is === "unknown" && !isReadOnly(request.method))) throw outcome.error;
      const now = this.clock.now();
      const elapsed = now - began - deadline.extension;
      const isPatient = attempts < unreachableLimit.attempts || elapsed < unreachableLimit.milliseconds;
      if (!this.#isReachable && !isPatient) throw neverAnswered(this.#apiUrl, outcome.error);
      const delay = Math.max(backoffDelay(elapsed), outcome.is === "not performed" ? (outcome.retryAfter ?? 0) : 0);
      if (now + delay > deadline.at) throw retriesExhausted(outcome.error, attempts, elapsed);
      options.onRetry?.(outcome.error);
      if (isLocked(outcome) && (await options.untilFree?.(deadline.at)) === true) continue;
      await this.clock.sleep(delay, options.signal);
    }
  }

  /**
   * Every entry of a list, page after page. Ends at a missing cursor, an empty page or a cursor that was seen before,
   * so it always ends.
   */
  list<Item, Page>(
    request: PagedRequest<Item, Page>,
    options: PageOptions & SendOptions = {},
  ): AsyncGenerator<Item, void> {
    return paginate(request, (page) => this.send(page, options), options);
  }

  /**
   * Waits until all of these operations have ended well.
   *
   * Operations of one project that are waited for at the same time are watched with one request.
   *
   * @throws OperationFailedError one ended without success, or stayed `failed` beyond the grace time.
   * @throws OperationTimeoutError they had not ended at the deadline; they go on.
   */
  wait(operations: readonly Operation[], options: WaitOptions = {}): Promise<void> {
    return this.#waiter.wait(operations, options);
  }

  /** Sends a request once, unless the platform has asked this process to send nothing until after the deadline. */
  async attempt<Response>(
    request: Request<Response>,
    deadline = new Deadline(Infinity),
    signal?: AbortSignal,
  ): Promise<Outcome<Response>> {
    const hold = await this.#rateLimiter.acquire(routeOf(request), deadline, signal);
    return hold === undefined ? this.#sendOnce(request, signal) : heldBack(request, hold);
  }

  async #sendOnce<Response>(request: Request<Response>, signal: AbortSignal | undefined): Promise<Outcome<Response>> {
    const requestId = randomUUID();
    const path = request.path + queryText(request.query);
    const began = this.clock.now();
    const report = (result: { status: number } | { fault: string }): void =>
      this.#onAttempt({
        method: request.method,
        path,
        ...result,
        milliseconds: Math.round(this.clock.now() - began),
        requestId,
      });
    let response: WireResponse;
    try {
      response = await this.#exchange(request, path, requestId, signal);
    } catch (fault) {
      report({ fault: fault instanceof Error ? fault.message : String(fault) });
      if (signal?.aborted === true) throw abortError(request, signal);
      return outcomeOfNetworkError(request, fault);
    }
    report({ status: response.status });
    this.#isReachable = true;
    this.serverClock.synchronize(response.header("date"));
    const outcome = outcomeOfResponse(request, this.#redacted(response), this.serverClock.now(), requestId);
    if (response.status === 429 && outcome.is === "not performed")
      this.#rateLimiter.throttle(began, outcome.retryAfter);
    return outcome;
  }

  /** An error response may echo the request, and messages quote it. */
  #redacted(response: WireResponse): WireResponse {
    if (response.status < 300) return response;
    const header = (name: string): string | undefined => {
      const value = response.header(name);
      return value === undefined ? undefined : this.#withoutKey(value);
    };
    return { status: response.status, header, body: this.#withoutKey(response.body) };
  }

  async #exchange(
    request: Request<unknown>,
    path: string,
    requestId: string,
    signal?: AbortSignal,
  ): Promise<WireResponse> {
    const timeout = new AbortController();
    const completed = new AbortController();
    void this.clock.sleep(this.#attemptTimeout, completed.signal).then(
      () => timeout.abort(new Error(`no answer within ${this.#attemptTimeout / 1000} s`)),
      () => undefined,
    );
    const anySignal = signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]);
    try {
      return await this.#transport({
        method: request.method,
        url: this.#apiUrl + path,
        headers: {
          ...this.#headers,
          "x-request-id": requestId,
          ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: request.body === undefined ? undefined : JSON.stringify(request.body),
        signal: anySignal,
      });
    } catch (fault) {
      throw timeout.signal.aborted ? reasonOf(timeout.signal) : fault;
    } finally {
      completed.abort();
    }
  }
}

/** The signal's reason, unless the aborted request may already have changed something. */
function abortError(request: Request<unknown>, signal: AbortSignal): Error {
  const outcome = outcomeOfNetworkError(request, reasonOf(signal));
  return outcome.is === "unknown" && !isReadOnly(request.method) ? outcome.error : reasonOf(signal);
}

/** Whether others are at work on the object, and it was not said for how long. */
function isLocked(outcome: Outcome<unknown>): boolean {
  if (outcome.is !== "not performed" || outcome.retryAfter !== undefined) return false;
  return HttpError.isInstance(outcome.error) && outcome.error.status === 423;
}

/** The rate limit's idea of a route: the path without its ids. */
function routeOf({ method, path }: Request<unknown>): string {
  return `${method} ${path
    .split("/")
    .map((segment, index) => (index > 0 && index % 2 === 0 ? "*" : segment))
    .join("/")}`;
}

function queryText(query: Query | undefined): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encoded(name)}=${encoded(String(value))}`],
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/**
 * Whether a text can be the platform's base URL. The version at its end is part of it: at an address without one every
 * object would seem to be gone.
 */
export function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash, username } = new URL(text);
  return /^https?:$/.test(protocol) && /\/v\d+\/*$/.test(pathname) && search + hash + username === "";
}

function checkedUrl(text: string): string {
  if (isBaseUrl(text)) {
    const { origin, pathname } = new URL(text);
    return origin + pathname.replace(/\/+$/, "");
  }
  throw new PlatformError(
    "invalid",
    `The base URL must look like ${publicApiUrl}, with the version at its end.`,
    undefined,
  );
}

function checkedKey(key: string): string {
  // Anything else could not stand in a header; the key itself must not appear in the message.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new PlatformError(
    "invalid",
    key === "" ? "There is no API key." : "The API key contains white space or characters that no key has.",
    undefined,
  );
}

function neverAnswered(apiUrl: string, error: PlatformError): PlatformError {
  if (failedAtProxy(error)) {
    const fix = "Correct the proxy settings: HTTPS_PROXY, HTTP_PROXY and NO_PROXY.";
    return new PlatformError("unreachable", error.summary, error, { fix });
  }
  return new PlatformError(
    "never-answered",
    `${error.summary}. Nothing has ever answered at ${apiUrl}: is the base URL right?`,
    error,
  );
}

/** The platform has asked this process to send nothing for longer than the request may take. */
function heldBack({ method, path }: Request<unknown>, milliseconds: number): Outcome<never> {
  const error = new PlatformError(
    "unreachable",
    `${method} ${path} was not sent: the rate limit is used up, and the platform asks to wait ${Math.ceil(milliseconds / 1000)} s, longer than this request may take`,
    undefined,
  );
  return { is: "not performed", error, retryAfter: milliseconds };
}

function retriesExhausted(error: PlatformError, attempts: number, milliseconds: number): PlatformError {
  // The last refusal keeps its type, so that callers can still read its status.
  if (attempts > 1) error.appendSummary(`(${attempts} attempts in ${Math.round(milliseconds / 1000)} s)`);
  return error;
}
