import { randomUUID } from "node:crypto";
import { arch, platform } from "node:os";

import { backoffDelay } from "./backoff";
import { type Clock, reasonOf, systemClock } from "./clock";
import { HttpError, PlatformError } from "./errors";
import { onlyReads, type Outcome, outcomeOfAnswer, outcomeOfFault } from "./http/outcome";
import { type PageOptions, paginate } from "./http/pagination";
import { RateLimiter } from "./http/rate-limiter";
import { failedAtProxy, fetchTransport, type Transport, type WireAnswer } from "./http/transport";
import { OperationWaiter, type WaitOptions } from "./operations/waiter";
import { encoded, type Method, type PagedRequest, type Query, type Request } from "./request";
import type { Operation } from "./schemas/operation";

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
  /** Until when to try again, on the client's clock. Default: two minutes from now. */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told why another attempt is needed. */
  readonly onRetry?: ((error: PlatformError) => void) | undefined;
  /** Told how long an attempt has waited in this process's own line: the deadline moves by as much. */
  readonly onQueued?: ((milliseconds: number) => void) | undefined;
  /**
   * Waits for what has refused a request with 423, where that can be seen: then the next attempt comes as soon as it is
   * over, and not only after the usual pause. Answers whether it has waited.
   */
  readonly untilFree?: ((deadline: number) => Promise<boolean>) | undefined;
}

const defaultPatience = 120_000;
const defaultAttemptTimeout = 30_000;
/** What is shorter is no key of the platform, and may be a part of any text. */
const shortestKey = 16;
/** An address that has never answered is more likely mistyped than out of order: it is tried this often, for this long. */
const unknownAddress = { attempts: 3, milliseconds: 3_000 };

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
  readonly #apiUrl: string;
  readonly #attemptTimeout: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #withoutKey: (text: string) => string;
  readonly #onAttempt: (attempt: HttpAttempt) => void;
  readonly #transport: Transport;
  readonly #budget: RateLimiter;
  readonly #watch: OperationWaiter;
  #hasAnswered = false;
  /** How far the platform's time is ahead of this client's clock, in milliseconds. */
  #clockOffset: number | undefined;

  /** @throws PlatformError `invalid` when the key or the base URL cannot be right. */
  constructor(options: ClientOptions) {
    this.clock = options.clock ?? systemClock;
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
    this.#budget = new RateLimiter(this.clock);
    this.#watch = new OperationWaiter({
      clock: this.clock,
      attempt: (request, deadline, queued) => this.attempt(request, deadline, queued),
    });
  }

  /** The base URL, without a slash at its end. */
  get apiUrl(): string {
    return this.#apiUrl;
  }

  /**
   * What time it is for the platform, as far as its answers tell by now: to the second.
   *
   * @param at another moment, on this client's clock. This machine's calendar is asked only while the platform has told
   *   nothing: it can be set to anything meanwhile.
   */
  platformTime(at: number = this.clock.now()): Date {
    const offset = this.#clockOffset ?? this.clock.date().getTime() - this.clock.now();
    return new Date(at + offset);
  }

  /**
   * The present moment by the platform's clock, to be asked for later: where the platform has not told its time yet, it
   * may have by then.
   */
  moment(): () => Date {
    const at = this.clock.now();
    const known = this.knowsPlatformTime ? this.platformTime(at) : undefined;
    return () => known ?? this.platformTime(at);
  }

  /** Whether the platform has told its time yet, which it does with every answer. */
  get knowsPlatformTime(): boolean {
    return this.#clockOffset !== undefined;
  }

  /**
   * Sends a request, again where that is safe, and answers what the platform says.
   *
   * @throws HttpError the platform refused it; nothing was changed.
   * @throws OutcomeUnknownError a mutation was sent and nobody knows whether it was performed.
   * @throws PlatformError `unreachable` or `unreadable`.
   */
  async send<Answer>(request: Request<Answer>, options: SendOptions = {}): Promise<Answer> {
    let began = this.clock.now();
    let deadline = options.deadline ?? began + defaultPatience;
    const queued = (milliseconds: number): void => {
      began += milliseconds;
      deadline += milliseconds;
      options.onQueued?.(milliseconds);
    };
    for (let attempts = 1; ; attempts += 1) {
      const held = await this.#budget.acquire(routeOf(request), deadline, options.signal, queued);
      const outcome = held === undefined ? await this.#once(request, options.signal) : heldBack(request, held);
      if (outcome.is === "answered") return outcome.answer;
      if (outcome.is === "final" || (outcome.is === "unknown" && !onlyReads(request.method))) throw outcome.error;
      const now = this.clock.now();
      const patient = attempts < unknownAddress.attempts || now - began < unknownAddress.milliseconds;
      if (!this.#hasAnswered && !patient) {
        throw neverAnswered(this.#apiUrl, outcome.error);
      }
      const wait = Math.max(backoffDelay(now - began), outcome.is === "not performed" ? (outcome.retryAfter ?? 0) : 0);
      if (now + wait > deadline) throw gaveUp(outcome.error, attempts, now - began);
      options.onRetry?.(outcome.error);
      if (isLocked(outcome) && (await options.untilFree?.(deadline)) === true) continue;
      await this.clock.sleep(wait, options.signal);
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
    return this.#watch.wait(operations, options);
  }

  /**
   * Sends a request once, if it may be sent before the deadline on the client's clock, and says what became of it.
   *
   * @param queued told for how long it has waited in this process's own line, in milliseconds
   */
  async attempt<Answer>(
    request: Request<Answer>,
    deadline = Infinity,
    queued?: (milliseconds: number) => void,
  ): Promise<Outcome<Answer>> {
    const held = await this.#budget.acquire(routeOf(request), deadline, undefined, queued);
    return held === undefined ? this.#once(request, undefined) : heldBack(request, held);
  }

  async #once<Answer>(request: Request<Answer>, signal: AbortSignal | undefined): Promise<Outcome<Answer>> {
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
    let wire: WireAnswer;
    try {
      wire = await this.#exchange(request, path, requestId, signal);
    } catch (fault) {
      report({ fault: fault instanceof Error ? fault.message : String(fault) });
      if (signal?.aborted === true) throw onlyReads(request.method) ? reasonOf(signal) : outcomeOfStop(request, signal);
      return outcomeOfFault(request, fault);
    }
    report({ status: wire.status });
    this.#hasAnswered = true;
    this.#learnTime(wire.header("date"));
    const outcome = outcomeOfAnswer(request, this.#quotable(wire), this.platformTime(), requestId);
    if (wire.status === 429 && outcome.is === "not performed") this.#budget.refused(began, outcome.retryAfter);
    return outcome;
  }

  /** What refuses a request may send it back, and is quoted in messages. */
  #quotable(wire: WireAnswer): WireAnswer {
    if (wire.status < 300) return wire;
    const header = (name: string): string | undefined => {
      const value = wire.header(name);
      return value === undefined ? undefined : this.#withoutKey(value);
    };
    return { status: wire.status, header, body: this.#withoutKey(wire.body) };
  }

  async #exchange(
    request: Request<unknown>,
    path: string,
    requestId: string,
    signal?: AbortSignal,
  ): Promise<WireAnswer> {
    const timeout = new AbortController();
    const answered = new AbortController();
    void this.clock.sleep(this.#attemptTimeout, answered.signal).then(
      () => timeout.abort(new Error(`no answer within ${this.#attemptTimeout / 1000} s`)),
      () => undefined,
    );
    const either = signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]);
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
        signal: either,
      });
    } catch (fault) {
      throw timeout.signal.aborted ? reasonOf(timeout.signal) : fault;
    } finally {
      answered.abort();
    }
  }

  #learnTime(date: string | undefined): void {
    const said = date === undefined ? NaN : Date.parse(date);
    if (Number.isFinite(said)) this.#clockOffset = said - this.clock.now();
  }
}

function outcomeOfStop(request: Request<unknown>, signal: AbortSignal): Error {
  const outcome = outcomeOfFault(request, reasonOf(signal));
  return outcome.is === "unknown" ? outcome.error : reasonOf(signal);
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
    return new PlatformError("unreachable", error.fact, error, { fix: fix });
  }
  return new PlatformError(
    "never-answered",
    `${error.fact}. Nothing has ever answered at ${apiUrl}: is the base URL right?`,
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

function gaveUp(error: PlatformError, attempts: number, milliseconds: number): PlatformError {
  // The last refusal keeps its type, so that callers can still read its status.
  if (attempts > 1) error.addFact(`(${attempts} attempts in ${Math.round(milliseconds / 1000)} s)`);
  return error;
}
