import type { NeonClient } from "../../api/client";
import type { PagedRequest } from "../../api/core/request";
import type { PageOptions } from "../../api/http/pagination";
import { OperationFailedError } from "../../api/operations/errors";
import { isEnded, progressOf } from "../../api/operations/status";
import { branches } from "../../api/schemas/branch";
import { type Operation, operations as operationRequests } from "../../api/schemas/operation";
import { type Collection, onePage } from "./collection";

/** Stands for the branch that operations of a snapshot name, which the platform shows nowhere else. */
export const hiddenBranch = Symbol("a branch that is not shown");

/** The branch that an object's operations name. Undefined: any operation of the project can be one of them. */
export type NamedBranch = string | typeof hiddenBranch | undefined;

/** The services to read operations and wait for them. */
interface OperationsContext {
  readonly client: NeonClient;
  readonly list: <Item, Page>(request: PagedRequest<Item, Page>, options: PageOptions) => AsyncIterable<Item>;
  /** Waits until these operations have succeeded, within the call's time. */
  readonly wait: (operations: readonly Operation[]) => Promise<void>;
  /** Ends waiting for a lock. */
  readonly signal: AbortSignal | undefined;
  /** Ids of the operations that this process has seen fail. */
  readonly failures: ReadonlySet<string>;
}

/** The operations of projects, as one call reads them. */
export class ProjectOperations {
  readonly #context: OperationsContext;

  constructor(context: OperationsContext) {
    this.#context = context;
  }

  /**
   * The latest operations of a project, newest first. With `since`, only operations that are not older by the
   * platform's clock.
   */
  async latest(project: string, limit = mostLatest, since?: Date): Promise<readonly Operation[]> {
    const found: Operation[] = [];
    for await (const operation of this.#context.list(operationRequests.list(project), { limit })) {
      if (since !== undefined && !this.isSince(operation, since)) break;
      found.push(operation);
    }
    return found;
  }

  /**
   * The operations that a mutation whose response was lost can have started, without those that have succeeded. One
   * that has failed in the meantime fails the call, as if the call had waited for it.
   */
  async unfinishedSince(
    project: string | undefined,
    branch: NamedBranch,
    sentAt: () => Date,
  ): Promise<readonly Operation[]> {
    if (project === undefined) return [];
    const all = await this.latest(project, undefined, sentAt());
    const unfinished = all.filter(({ id, status }) => {
      return progressOf(status) !== "success" && !this.#context.failures.has(id);
    });
    // Oldest first: the operation that failed comes before those that were cancelled because of it.
    unfinished.reverse();
    return this.on(branch, project, unfinished);
  }

  /**
   * The operations that can be on a branch, as far as that is known. Operations on other branches do not concern the
   * object.
   */
  async on(branch: NamedBranch, project: string, operations: readonly Operation[]): Promise<readonly Operation[]> {
    if (branch === undefined || operations.length === 0) return operations;
    if (branch !== hiddenBranch) return operations.filter(({ branch_id: id = branch }) => id === branch);
    const shown = new Set<string | undefined>();
    for await (const { branch: one } of this.#context.list(branches.list(project), {})) shown.add(one.id);
    return operations.filter(({ branch_id: id }) => !shown.has(id));
  }

  /** Whether an operation is not older than this time by the platform's clock. */
  isSince({ created_at }: Operation, since: Date): boolean {
    return Date.parse(created_at) >= this.#context.client.serverClock.earliestTimestamp(since);
  }

  /**
   * Waits until no operation of the project is running, whether they succeed or fail. Outside of projects, there are
   * none.
   *
   * @returns the latest operations, newest first
   */
  async waitUntilIdle(project: string | undefined): Promise<readonly Operation[]> {
    for (;;) {
      const all = project === undefined ? [] : await this.latest(project);
      const running = all.filter(({ status }) => !isEnded(status));
      if (running.length === 0) return all;
      await this.#context.wait(running).catch((error: unknown) => {
        if (!hasEnded(error)) throw error;
      });
    }
  }

  /**
   * Waits for the operations that lock a project, whether they succeed or fail. A client that only retries now and then
   * would hardly ever succeed while another client makes one change after the other.
   *
   * @returns whether there were any
   */
  async waitUntilUnlocked(project: string | undefined, until: number): Promise<boolean> {
    if (project === undefined) return false;
    const latest = await this.latest(project, 20).catch(() => []);
    const pending = latest.filter(({ status }) => !isEnded(status));
    if (pending.length === 0) return false;
    const { client, signal } = this.#context;
    const { clock, serverClock } = client;
    const oldest = Math.min(...pending.map(({ created_at }) => Date.parse(created_at)));
    const since = clock.now() - Math.max(0, serverClock.now().getTime() - oldest);
    await client.wait(pending, { deadline: until, signal, since }).catch(() => undefined);
    return true;
  }
}

/** How many of the latest operations of a project are considered. */
const mostLatest = 200;

/**
 * How many pages of the largest size to read of a project's operations, to find out what has happened to its branches.
 */
const recentPages = 3;
const recentPage = 1000;

/** The running operations of a project, by branch. */
export function runningOperationsOf(projectId: string): Collection<readonly [string, readonly Operation[]]> {
  return {
    name: `running-operations/${projectId}`,
    projectId,
    pages: (reader) =>
      onePage(async () => {
        const latest: Operation[] = [];
        for await (const { items } of reader.pages(operationRequests.list(projectId))) {
          latest.push(...items);
          if (latest.length >= mostLatest) break;
        }
        const running = latest.slice(0, mostLatest).filter(({ status }) => !isEnded(status));
        const branchIds = new Set(running.map(({ branch_id: branchId = "" }) => branchId));
        return [...branchIds].map((id) => [id, running.filter((one) => one.branch_id === id)] as const);
      }),
    keyOf: ([branchId]) => branchId,
    optional: true,
  };
}

/** The latest operations of a project, newest first. An operation that is missing here may still exist. */
export function recentOperationsOf(
  projectId: string,
): Pick<Collection<Operation>, "name" | "projectId" | "pages" | "keyOf"> {
  return {
    name: `operations/${projectId}`,
    projectId,
    pages: async function* (reader) {
      let count = 0;
      for await (const page of reader.pages(operationRequests.list(projectId), recentPage)) {
        count += 1;
        // A short page is the last one: another page would be empty.
        const isShort = page.items.length < recentPage;
        yield { ...page, isLast: page.isLast || isShort || count === recentPages };
      }
    },
    keyOf: ({ id }) => id,
  };
}

/** Whether an error says that an operation has failed and is not tried again. */
export function hasEnded(error: unknown): boolean {
  return OperationFailedError.isInstance(error) && isEnded(error.operation.status);
}
