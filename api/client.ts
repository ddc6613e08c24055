import { randomUUID } from "node:crypto";
import { arch, platform } from "node:os";

import { checkedKey } from "./api-key";
import { checkedUrl, publicApiUrl } from "./base-url";
import { backoffDelay } from "./core/backoff";
import { type Clock, reasonOf, systemClock, unlessAborted } from "./core/clock";
import { Deadline } from "./core/deadline";
import { isBusy, messageOf, NeonError } from "./core/errors";
import { withoutSecrets } from "./core/redaction";
import {
  encoded,
  type FileBody,
  type Method,
  type PagedRequest,
  type Query,
  type Request,
  type S3Target,
} from "./core/request";
import { contentOf, readContent } from "./http/content";
import { sendToS3 } from "./http/file-transfer";
import { IdleLimit } from "./http/idle-limit";
import { isReadOnly, type Outcome, outcomeOfFailure, outcomeOfResponse } from "./http/outcome";
import { type PageOptions, paginate } from "./http/pagination";
import { RateLimiter } from "./http/rate-limiter";
import { isKeyRefused, NoS3AccessError, S3Accesses, signedFor } from "./http/s3";
import { fetchTransport, isProxyError, NotSentError, type Transport, type WireResponse } from "./http/transport";
import { OperationWaiter, type WaitOptions } from "./operations/waiter";
import type { Presigned } from "./schemas/bucket-object";
import type { Operation } from "./schemas/operation";
import { emptyResponse } from "./schemas/wire";
import { ServerClock } from "./server-clock";

/** Options of a client. */
export interface ClientOptions {
  /** The API key. Never logged, never part of an error. */
  readonly apiKey: string;
  /** Base URL including `/api/v2`. Default: `https://console.neon.tech/api/v2`. */
  readonly apiUrl?: string | undefined;
  /** Timeout of one HTTP attempt, in milliseconds. While a file is being sent, it starts again with each part. Default: 30,000. */
  readonly attemptTimeout?: number | undefined;
  /** Prefix of the user agent. Default: none. */
  readonly userAgent?: string | undefined;
  /** Called after each HTTP attempt, for logs. Its argument contains no secrets. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Default: the system time. */
  readonly clock?: Clock | undefined;
  /** Default: `node-fetch` with keep-alive connections. */
  readonly transport?: Transport | undefined;
}

/** One HTTP attempt, for logs. */
export interface Attempt {
  readonly method: Method;
  /** Path below the base URL, with the query. */
  readonly path: string;
  /** Missing if there was no response. */
  readonly status?: number;
  /** Why there was no response. */
  readonly error?: string;
  readonly milliseconds: number;
  readonly requestId: string;
}

/** When to stop retrying, and what to do between retries. */
export interface SendOptions {
  /**
   * When to stop retrying, on the client's clock. Default: two minutes from now. Time that the request waits in this
   * process for the rate limit extends the deadline.
   */
  readonly deadline?: Deadline | number | undefined;
  /**
   * Aborts the wait for the rate limit, the delay between retries, and a read in flight. A mutation in flight is
   * completed and its response is returned, because its outcome would be unknown otherwise.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called before each retry with its reason and its delay in milliseconds. */
  readonly onRetry?: ((error: NeonError, delay: number) => void) | undefined;
  /**
   * Waits for the operations that caused a 423, or a 422 of a branch that is not ready. If this resolves with `true`,
   * the next attempt follows immediately instead of after the backoff. `signal` is the signal of the request.
   */
  readonly untilUnlocked?: ((deadline: number, signal: AbortSignal | undefined) => Promise<boolean>) | undefined;
  /**
   * Called right before each retry, with the reason. If this rejects, the request is not sent again and fails with that
   * error.
   *
   * An `OutcomeUnknownError` means that a gateway asked for a retry, mostly with a 503, but may have passed the
   * mutation on. If the mutation must not be performed twice, look for its result first.
   */
  readonly beforeRetry?: ((reason: NeonError) => Promise<unknown>) | undefined;
}

/** The response header by which a local platform says that it does not limit requests. */
const noRateLimit = { header: "x-rate-limit", value: "none" } as const;

const defaultSendTimeout = 120_000;
const defaultAttemptTimeout = 30_000;
/** Shorter keys are not redacted: they are not real keys, and may be part of any text. */
const minRedactedLength = 16;
/** Minimum attempts and time before giving up on a base URL that has never returned a response: it is probably wrong. */
const unreachableLimit = { attempts: 3, milliseconds: 3_000 };

/**
 * Client of Neon's API, with authentication, retries, pagination, rate limiting and waiting for operations. Use one client
 * per account; any number of callers may share it.
 *
 * @example
 * ```ts
 * import { NeonClient, projects } from "neon-pulumi/api";
 *
 * const client = new NeonClient({ apiKey: process.env.NEON_API_KEY ?? "" });
 * for await (const project of client.list(projects.list({ search: "shop" }))) {
 *   console.log(project.id, project.name);
 * }
 * const created = await client.send(projects.create({ name: "shop" }));
 * await client.wait(created.operations);
 * ```
 */
export class NeonClient {
  readonly clock: Clock;
  /** The platform's time. */
  readonly serverClock: ServerClock;
  /** The base URL, without a trailing slash. */
  readonly apiUrl: string;
  readonly #attemptTimeout: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #redact: (text: string) => string;
  readonly #onAttempt: (attempt: Attempt) => void;
  readonly #transport: Transport;
  readonly #rateLimiter: RateLimiter;
  readonly #waiter: OperationWaiter;
  readonly #s3: S3Accesses;
  /** Whether the base URL has ever returned a response. */
  #isReachable = false;

  /** @throws NeonError `invalid` if the API key or the base URL is malformed. */
  constructor(options: ClientOptions) {
    this.clock = options.clock ?? systemClock;
    this.serverClock = new ServerClock(this.clock);
    this.apiUrl = checkedUrl(options.apiUrl ?? publicApiUrl);
    this.#attemptTimeout = options.attemptTimeout ?? defaultAttemptTimeout;
    const key = checkedKey(options.apiKey);
    this.#redact = (text) => (key.length < minRedactedLength ? text : text.replaceAll(key, "[API key]"));
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
    this.#waiter = new OperationWaiter(this.clock, (request, deadline, signal) =>
      this.attempt(request, deadline, signal),
    );
    this.#s3 = new S3Accesses(
      (request) => this.send(request),
      () => this.serverClock.now(),
    );
  }

  /**
   * Sends a request and returns the parsed response. Retries until the deadline where that is safe.
   *
   * @throws HttpError if the platform returned an HTTP error. Nothing was changed by this attempt.
   * @throws OutcomeUnknownError if a mutation was sent, but may or may not have been performed.
   * @throws NeonError `unreachable`, `never-responded` or `unreadable`.
   */
  async send<Response>(request: Request<Response>, options: SendOptions = {}): Promise<Response> {
    const { signal } = options;
    const began = this.clock.now();
    const deadline = Deadline.derive(options.deadline ?? began + defaultSendTimeout);
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await this.attempt(request, deadline, signal);
      if (outcome.is === "succeeded") return outcome.response;
      if (outcome.is === "final" || (outcome.is === "unknown" && !isReadOnly(request))) throw outcome.error;
      const now = this.clock.now();
      const elapsed = now - began - deadline.extension;
      const isPatient = attempts < unreachableLimit.attempts || elapsed < unreachableLimit.milliseconds;
      if (!this.#isReachable && !isPatient) throw neverResponded(this.apiUrl, outcome.error);
      const delay = Math.max(backoffDelay(elapsed), outcome.is === "unknown" ? 0 : (outcome.retryAfter ?? 0));
      const reason = outcome.is === "doubtful" ? outcome.unknown : outcome.error;
      if (now + delay > deadline.at) throw retriesExhausted(reason, attempts, elapsed, delay);
      options.onRetry?.(outcome.error, delay);
      const unlocked = isLocked(outcome) ? options.untilUnlocked?.(deadline.at, signal) : undefined;
      const isUnlocked = unlocked !== undefined && (await unlessAborted(unlocked, signal));
      if (!isUnlocked) await this.clock.sleep(delay, signal);
      await options.beforeRetry?.(reason);
    }
  }

  /**
   * Returns all items of a list, page by page. Ends with the first page that has no cursor, no items, or a cursor that was
   * already sent.
   *
   * @throws NeonError also if a page shows that the list is incomplete.
   */
  list<Item, Page>(
    request: PagedRequest<Item, Page>,
    options: PageOptions & SendOptions = {},
  ): AsyncGenerator<Item, void> {
    return paginate(request, (page) => this.send(page, options), options);
  }

  /**
   * Waits until all of these operations have succeeded.
   *
   * Concurrent waits for operations of one project share their polls.
   *
   * @throws OperationFailedError if one ended without success, or stayed `failed` longer than the grace period.
   * @throws OperationTimeoutError if they did not end before the deadline. They continue on the platform.
   */
  wait(operations: readonly Operation[], options: WaitOptions = {}): Promise<void> {
    return this.#waiter.wait(operations, options);
  }

  /**
   * Sends a request once, unless the platform has asked this process to send nothing until after the deadline.
   *
   * @param signal see {@link SendOptions}
   */
  async attempt<Response>(
    request: Request<Response>,
    deadline = new Deadline(Infinity),
    signal?: AbortSignal,
  ): Promise<Outcome<Response>> {
    if (request.s3 !== undefined) {
      try {
        return await this.#attemptS3(request, request.s3, signal);
      } catch (error) {
        if (request.withoutS3 === undefined || !NoS3AccessError.isInstance(error)) throw error;
        return await this.attempt(request.withoutS3, deadline, signal);
      }
    }
    const hold = await this.#rateLimiter.acquire(routeOf(request), deadline, signal);
    if (hold !== undefined) return heldBack(request, hold);
    const outcome = await this.#sendOnce(request, isReadOnly(request) ? signal : undefined);
    if (outcome.is !== "succeeded" || request.upload === undefined) return outcome;
    return await this.#upload(request, outcome.response, request.upload);
  }

  /**
   * Uploads the file of a request to the URL in the response. The deadline does not end an upload that makes progress.
   */
  async #upload<Response>(
    request: Request<Response>,
    response: Response,
    upload: () => Promise<FileBody>,
  ): Promise<Outcome<Response>> {
    const path = request.path.replace(/\/presign$/, "");
    const stored: Request<unknown> = { ...request, method: "PUT", path, schema: emptyResponse };
    const outcome = await this.#sendToS3(stored, response as Presigned, upload);
    return outcome.is === "succeeded" ? { is: "succeeded", response } : outcome;
  }

  /** Sends a request to the S3 API of a branch. The rate limit of the account does not count it. */
  async #attemptS3<Response>(
    request: Request<Response>,
    target: S3Target,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<Response>> {
    for (let isAgain = false; ; isAgain = true) {
      const access = await this.#s3.of(target);
      const signed = await signedFor(access, request, target, this.serverClock.now());
      const content = request.upload ?? (() => Promise.resolve(target.document));
      const outcome = await this.#sendToS3(request, signed, content, isReadOnly(request) ? signal : undefined);
      if (isAgain || outcome.is !== "final" || !isKeyRefused(outcome.error)) return outcome;
      this.#s3.forget(target);
    }
  }

  /** Sends a request to S3, with what `open` returns. */
  async #sendToS3<Response>(
    request: Request<Response>,
    target: Pick<Presigned, "url" | "method" | "headers">,
    open: () => Promise<FileBody | string | undefined>,
    signal?: AbortSignal,
  ): Promise<Outcome<Response>> {
    const { method, path } = request;
    const limit = new IdleLimit(this.clock, this.#attemptTimeout, "no progress");
    const report = this.#reporter({ method, path, requestId: "" });
    try {
      const content = await readContent(open);
      limit.restart();
      const anySignal = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]);
      const answer = this.#redactResponse(request, await sendToS3(target, content, limit, anySignal));
      report({ status: answer.status });
      return outcomeOfResponse(request, answer, this.serverClock.now(), undefined);
    } catch (error) {
      const reason: unknown = limit.signal.aborted && !(error instanceof NotSentError) ? reasonOf(limit.signal) : error;
      report({ error: messageOf(reason) });
      if (signal?.aborted === true) throw reasonOf(signal);
      return outcomeOfFailure(request, reason);
    } finally {
      limit.end();
    }
  }

  async #sendOnce<Response>(request: Request<Response>, signal: AbortSignal | undefined): Promise<Outcome<Response>> {
    const requestId = randomUUID();
    const path = request.path + queryText(request.query);
    const began = this.clock.now();
    const report = this.#reporter({ method: request.method, path, requestId });
    let response: WireResponse;
    try {
      response = await this.#exchange(request, path, requestId, signal);
    } catch (error) {
      report({ error: messageOf(error) });
      if (signal?.aborted === true) throw reasonOf(signal);
      return outcomeOfFailure(request, error);
    }
    report({ status: response.status });
    this.#isReachable = true;
    this.serverClock.synchronize(response.header("date"));
    if (response.header(noRateLimit.header) === noRateLimit.value) this.#rateLimiter.lift();
    const outcome = outcomeOfResponse(
      request,
      this.#redactResponse(request, response),
      this.serverClock.now(),
      requestId,
    );
    if (response.status === 429 && "retryAfter" in outcome) this.#rateLimiter.throttle(began, outcome.retryAfter);
    return outcome;
  }

  /** Begins an attempt. The returned function reports how it has ended. */
  #reporter(attempt: Pick<Attempt, "method" | "path" | "requestId">) {
    const began = this.clock.now();
    return (result: { readonly status: number } | { readonly error: string }): void =>
      this.#onAttempt({ ...attempt, ...result, milliseconds: Math.round(this.clock.now() - began) });
  }

  /** Removes secrets from an error response: it may echo the request, and error messages quote it. */
  #redactResponse({ secrets = [] }: Request<unknown>, response: WireResponse): WireResponse {
    if (response.status < 300) return response;
    const redact = (text: string): string => withoutSecrets(this.#redact(text), secrets);
    const header = (name: string): string | undefined => {
      const value = response.header(name);
      return value === undefined ? undefined : redact(value);
    };
    return { ...response, header, body: redactedBody(response.body, redact) };
  }

  async #exchange(
    request: Request<unknown>,
    path: string,
    requestId: string,
    signal?: AbortSignal,
  ): Promise<WireResponse> {
    const content = await contentOf(request);
    const limit = new IdleLimit(this.clock, this.#attemptTimeout, "no response");
    limit.restart();
    const anySignal = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]);
    try {
      return await this.#transport({
        method: request.method,
        url: this.apiUrl + path,
        headers: {
          ...this.#headers,
          "x-request-id": requestId,
          ...(content === undefined ? {} : { "content-type": content.type }),
        },
        body: content?.body,
        signal: anySignal,
        // Sending a large file may take long. The timeout applies only while nothing is sent or received.
        onProgress: limit.restart,
      });
    } catch (error) {
      if (!limit.signal.aborted) throw error;
      const late = reasonOf(limit.signal);
      throw error instanceof NotSentError ? new NotSentError(messageOf(late), false, late) : late;
    } finally {
      limit.end();
    }
  }
}

/** Redacts a body. JSON is parsed first, because a server may escape any character. */
function redactedBody(body: string, redact: (text: string) => string): string {
  try {
    return JSON.stringify(JSON.parse(body, (_, value: unknown) => (typeof value === "string" ? redact(value) : value)));
  } catch {
    return redact(body);
  }
}

/** Whether other operations lock the object, and the response does not say for how long. */
function isLocked(outcome: Outcome<unknown>): boolean {
  return "retryAfter" in outcome && outcome.retryAfter === undefined && isBusy(outcome.error);
}

/** The route that the rate limit applies to: the path without ids. */
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

function neverResponded(apiUrl: string, error: NeonError): NeonError {
  if (isProxyError(error)) {
    const fix = "Correct the proxy settings: HTTPS_PROXY, HTTP_PROXY and NO_PROXY.";
    return new NeonError("unreachable", error.summary, error, { fix });
  }
  return new NeonError("never-responded", `${error.summary}. ${apiUrl} has never returned a response`, error);
}

/** The outcome of a request that was not sent, because the platform asked to send nothing until after the deadline. */
function heldBack({ method, path }: Request<unknown>, milliseconds: number): Outcome<never> {
  const error = new NeonError(
    "unreachable",
    `${method} ${path} was not sent: the account exceeded its rate limit, and Neon asks to wait ${Math.ceil(milliseconds / 1000)} s, longer than this request may take`,
    undefined,
  );
  return { is: "not performed", error, retryAfter: milliseconds };
}

/** Whether a delay is longer than any backoff, so that the platform must have asked for it. */
export function isAskedFor(delay: number): boolean {
  return delay > 10_000;
}

/** @param delay until the retry that the deadline does not allow; all in milliseconds */
function retriesExhausted(error: NeonError, attempts: number, elapsed: number, delay: number): NeonError {
  const tried = attempts > 1 ? `${attempts} attempts in ${Math.round(elapsed / 1000)} s` : "";
  const asked = isAskedFor(delay) ? `Neon asks to wait ${Math.ceil(delay / 1000)} s` : "";
  const details = [tried, asked].filter(Boolean).join(", ");
  // The last error keeps its type, so that callers can read its status.
  if (details !== "") error.appendSummary(`(${details})`);
  return error;
}
