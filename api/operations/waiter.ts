import { backoffDelay } from "../backoff";
import { type Clock, reasonOf } from "../clock";
import { HttpError, isNotFound, OperationFailedError, OperationTimeoutError, PlatformError } from "../errors";
import { isFinalRefusal, type Outcome } from "../http/outcome";
import { paginate } from "../http/pagination";
import type { Request } from "../request";
import { type Operation, operations as operationRequests } from "../schemas/operation";
import { progressOf } from "./status";

/** How to wait for operations. Times in milliseconds. */
export interface WaitOptions {
  /** Until when to wait, on the client's clock. Default: ten minutes from now. */
  readonly deadline?: number | undefined;
  /**
   * Since when the operations have been under way, on the client's clock: the pause between two looks follows that
   * age. Default: now.
   */
  readonly since?: number | undefined;
  /** How long an operation may stay `failed` without another try. Default: 15,000. */
  readonly quietGrace?: number | undefined;
  /** How long an operation may be `failed`, tries or not. Default: 60,000. */
  readonly failedGrace?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told what is still waited for, after each look. */
  readonly onProgress?: ((pending: readonly Operation[]) => void) | undefined;
  /** Told how long a look has waited in this process's own line: what comes after the wait is not to pay for that. */
  readonly onQueued?: ((milliseconds: number) => void) | undefined;
}

/** The default time to wait for the operations of one request. */
export const defaultOperationTimeout = 600_000;
const defaultQuietGrace = 15_000;
const defaultFailedGrace = 60_000;
/** A poll right after the mutation can come before the operation is registered: it is believed after so long. */
const notFoundGrace = 10_000;

interface Watched {
  operation: Operation;
  /** Since when the platform has not known it. */
  missingSince: number | undefined;
  failed: { since: number; lastMoved: number } | undefined;
}

/** One caller's wait for the operations of one project. */
interface Wait {
  readonly pending: Map<string, Watched>;
  /** How many there were at first. */
  readonly operations: number;
  readonly since: number;
  readonly options: WaitOptions;
  readonly deadline: number;
  nextLook: number;
  lastFault: PlatformError | undefined;
  readonly settle: (error?: Error) => void;
}

interface Watching {
  readonly waits: Set<Wait>;
  /** Ends the present pause, for a wait that wants to look earlier. */
  wake: () => void;
}

/** What the watch needs to see operations. */
export interface OperationSource {
  readonly clock: Clock;
  readonly attempt: <Answer>(
    request: Request<Answer>,
    deadline: number,
    queued: (milliseconds: number) => void,
  ) => Promise<Outcome<Answer>>;
}

/** How a look may be made. */
interface LookOptions {
  readonly deadline: number;
  readonly queued: (milliseconds: number) => void;
}

/**
 * Watches operations until they end. There is one watch per project, whoever waits: one pending operation is fetched by
 * its id, several are read from one list.
 */
export class OperationWaiter {
  readonly #source: OperationSource;
  readonly #projects = new Map<string, Watching>();

  constructor(source: OperationSource) {
    this.#source = source;
  }

  /** Resolves when all have ended well; see `PlatformClient.wait`. */
  async wait(operations: readonly Operation[], options: WaitOptions): Promise<void> {
    const byProject = new Map<string, Operation[]>();
    for (const operation of operations) {
      const known = byProject.get(operation.project_id);
      if (known === undefined) byProject.set(operation.project_id, [operation]);
      else known.push(operation);
    }
    // Once one project has failed, nobody waits for the others any more.
    const over = new AbortController();
    const signal = options.signal === undefined ? over.signal : AbortSignal.any([options.signal, over.signal]);
    try {
      await Promise.all([...byProject].map(([project, own]) => this.#waitFor(project, own, { ...options, signal })));
    } finally {
      over.abort();
    }
  }

  #waitFor(project: string, operations: readonly Operation[], options: WaitOptions): Promise<void> {
    const { clock } = this.#source;
    const began = clock.now();
    return new Promise((resolve, reject) => {
      const stopped = (): void => {
        if (options.signal !== undefined) wait.settle(reasonOf(options.signal));
      };
      const wait: Wait = {
        pending: new Map(),
        operations: operations.length,
        since: options.since ?? began,
        options,
        deadline: options.deadline ?? began + defaultOperationTimeout,
        nextLook: began,
        lastFault: undefined,
        settle: (error) => {
          options.signal?.removeEventListener("abort", stopped);
          this.#leave(project, wait);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      for (const operation of operations) {
        wait.pending.set(operation.id, { operation, missingSince: undefined, failed: undefined });
      }
      if (options.signal?.aborted === true) {
        stopped();
        return;
      }
      options.signal?.addEventListener("abort", stopped, { once: true });
      // What the mutation's own answer says counts as the first look.
      if (!this.#judge(wait, new Map(operations.map((operation) => [operation.id, operation]))))
        this.#join(project, wait);
    });
  }

  #join(project: string, wait: Wait): void {
    const watching = this.#projects.get(project);
    if (watching === undefined) {
      const fresh: Watching = { waits: new Set([wait]), wake: () => undefined };
      this.#projects.set(project, fresh);
      void this.#run(project, fresh);
    } else {
      watching.waits.add(wait);
      watching.wake();
    }
  }

  #leave(project: string, wait: Wait): void {
    const watching = this.#projects.get(project);
    if (watching?.waits.delete(wait) !== true || watching.waits.size > 0) return;
    this.#projects.delete(project);
    watching.wake();
  }

  async #run(project: string, watching: Watching): Promise<void> {
    while (watching.waits.size > 0) {
      await this.#pauseUntil(Math.min(...[...watching.waits].map((wait) => wait.nextLook)), watching);
      const now = this.#source.clock.now();
      const due = [...watching.waits].filter((wait) => wait.nextLook <= now);
      if (due.length === 0) continue;
      // A list shows them all for the price of one, so nobody is left out of a look.
      const all = [...watching.waits];
      const wanted = new Map(
        all.flatMap((wait) => [...wait.pending].map(([id, { operation }]) => [id, operation] as const)),
      );
      const options: LookOptions = {
        deadline: Math.min(...all.map(({ deadline }) => deadline)),
        queued: (milliseconds) => {
          for (const wait of all) wait.options.onQueued?.(milliseconds);
        },
      };
      let seen: Map<string, Operation | "unknown">;
      try {
        seen = await this.#look(project, [...wanted.values()], options);
      } catch (error) {
        const fault = PlatformError.isInstance(error) ? error : new PlatformError("unreachable", String(error), error);
        for (const wait of all) if (watching.waits.has(wait)) this.#bear(wait, fault);
        continue;
      }
      for (const wait of all) if (watching.waits.has(wait)) this.#judge(wait, seen);
    }
  }

  async #pauseUntil(time: number, watching: Watching): Promise<void> {
    const rest = time - this.#source.clock.now();
    if (rest <= 0) return;
    const awake = new AbortController();
    watching.wake = () => awake.abort();
    await this.#source.clock.sleep(rest, awake.signal).catch(() => undefined);
    watching.wake = () => undefined;
  }

  async #look(
    project: string,
    wanted: readonly Operation[],
    options: LookOptions,
  ): Promise<Map<string, Operation | "unknown">> {
    const seen = new Map<string, Operation | "unknown">();
    if (wanted.length > 1) {
      for (const operation of await this.#list(project, wanted, options)) seen.set(operation.id, operation);
    }
    for (const { id } of wanted) if (!seen.has(id)) seen.set(id, await this.#get(project, id, options));
    return seen;
  }

  /** The project's latest operations, as far back as the wanted ones go. */
  async #list(project: string, wanted: readonly Operation[], options: LookOptions): Promise<readonly Operation[]> {
    const oldest = wanted.reduce((time, { created_at }) => Math.min(time, Date.parse(created_at)), Infinity);
    const missing = new Set(wanted.map(({ id }) => id));
    const listed: Operation[] = [];
    const pages = paginate(operationRequests.list(project), (page) => this.#once(page, options), {});
    try {
      for await (const operation of pages) {
        listed.push(operation);
        missing.delete(operation.id);
        if (missing.size === 0 || Date.parse(operation.created_at) < oldest) break;
      }
    } catch (error) {
      // Each is asked for by itself then, and what is not there is told apart from what could not be seen.
      if (!isNotFound(error)) throw error;
    }
    return listed;
  }

  async #get(project: string, id: string, options: LookOptions): Promise<Operation | "unknown"> {
    try {
      return (await this.#once(operationRequests.get(project, id), options)).operation;
    } catch (error) {
      if (isNotFound(error)) return "unknown";
      throw error;
    }
  }

  /** One attempt: the next look is the next attempt, so faults use up the deadline and nothing else. */
  async #once<Answer>(request: Request<Answer>, { deadline, queued }: LookOptions): Promise<Answer> {
    const outcome = await this.#source.attempt(request, deadline, queued);
    if (outcome.is === "answered") return outcome.answer;
    throw outcome.error;
  }

  /** Takes in what a look has shown, and settles the wait if that decides it. Answers whether it did. */
  #judge(wait: Wait, seen: ReadonlyMap<string, Operation | "unknown">): boolean {
    const now = this.#source.clock.now();
    for (const [id, watched] of [...wait.pending]) {
      const sight = seen.get(id);
      if (sight === undefined) continue;
      const failure = sight === "unknown" ? missed(watched, now) : this.#take(wait, watched, sight, now);
      if (failure !== undefined) {
        wait.settle(failure);
        return true;
      }
    }
    wait.lastFault = undefined;
    if (wait.pending.size === 0) {
      wait.settle();
      return true;
    }
    return this.#goOn(wait, now);
  }

  #take(wait: Wait, watched: Watched, sight: Operation, now: number): Error | undefined {
    const before = watched.operation;
    watched.operation = sight;
    watched.missingSince = undefined;
    const progress = progressOf(sight.status);
    switch (progress) {
      case "success":
        wait.pending.delete(sight.id);
        return undefined;
      case "failure":
        return new OperationFailedError(sight, seconds(now - wait.since));
      case "pending":
        watched.failed = undefined;
        return undefined;
      case "retryable": {
        const moved = sight.failures_count !== before.failures_count || sight.updated_at !== before.updated_at;
        watched.failed ??= { since: now, lastMoved: now };
        if (moved) watched.failed.lastMoved = now;
        const { quietGrace = defaultQuietGrace, failedGrace = defaultFailedGrace } = wait.options;
        const over = now - watched.failed.lastMoved >= quietGrace || now - watched.failed.since >= failedGrace;
        return over ? new OperationFailedError(sight, seconds(now - watched.failed.since)) : undefined;
      }
      default:
        return progress satisfies never;
    }
  }

  /** A look that showed nothing: it is refused for good, or the platform could not be reached this time. */
  #bear(wait: Wait, fault: PlatformError): void {
    if (HttpError.isInstance(fault) && isFinalRefusal(fault.status)) {
      wait.settle(fault);
      return;
    }
    wait.lastFault = fault;
    this.#goOn(wait, this.#source.clock.now());
  }

  #goOn(wait: Wait, now: number): boolean {
    const operations = [...wait.pending.values()].map(({ operation }) => operation);
    if (now >= wait.deadline) {
      wait.settle(new OperationTimeoutError(operations, seconds(now - wait.since), wait.lastFault));
      return true;
    }
    // The operations of a project run one after the other.
    wait.nextLook = Math.min(now + backoffDelay(now - wait.since, wait.operations), wait.deadline);
    wait.options.onProgress?.(operations);
    return false;
  }
}

function missed(watched: Watched, now: number): Error | undefined {
  watched.missingSince ??= now;
  if (now - watched.missingSince < notFoundGrace) return undefined;
  const { id, action, project_id, status } = watched.operation;
  return new PlatformError(
    "operation-unknown",
    `The platform does not know operation ${id} (${action}) of project ${project_id}, which was ${status} when last seen`,
    undefined,
  );
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}
