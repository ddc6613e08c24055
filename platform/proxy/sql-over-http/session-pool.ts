import type { Clock } from "../../clock";
import type { ComputeConnector } from "../compute-connection";
import type { ProxiedCompute } from "../compute-directory";
import { QuerySession } from "./query-session";

/** The real proxy's limits. */
const maxSessions = 20;
const idleMs = 300_000;

/** The statements that undo the changes of a request in a session. They also work outside a transaction. */
const resetStatements = [
  "ROLLBACK",
  "CLOSE ALL",
  "SET SESSION AUTHORIZATION DEFAULT",
  "RESET ALL",
  "DEALLOCATE ALL",
  "UNLISTEN *",
  "SELECT pg_advisory_unlock_all()",
  "DISCARD TEMP",
  "DISCARD SEQUENCES",
].join(";");

/** The properties that interchangeable sessions have in common. */
export interface PoolKey {
  readonly compute: ProxiedCompute;
  readonly role: string;
  readonly database: string;
}

/** The sessions of one role in one database of a compute. */
class Pool {
  readonly name: string;
  readonly idle: IdleSession[] = [];
  readonly waiting: ((session: QuerySession | undefined) => void)[] = [];
  /** All sessions, including those that are being opened. */
  size = 0;

  constructor(name: string) {
    this.name = name;
  }
}

interface IdleSession {
  readonly session: QuerySession;
  /** Ends the watch and the timer of the idle session. */
  readonly take: () => void;
}

/** Keeps sessions open between HTTP requests, each of which uses one alone. */
export class SessionPool {
  readonly #connector: ComputeConnector;
  readonly #clock: Clock;
  readonly #pools = new Map<string, Pool>();
  #isClosed = false;

  constructor(connector: ComputeConnector, clock: Clock) {
    this.#connector = connector;
    this.#clock = clock;
  }

  /**
   * Runs work with a session that nobody else uses. Waits if all are in use.
   *
   * @throws DatabaseError if the compute refuses the session, ProxyError if the compute cannot be reached
   */
  async use<Result>(key: PoolKey, work: (session: QuerySession) => Promise<Result>): Promise<Result> {
    const name = JSON.stringify([key.compute.endpointId, key.role, key.database]);
    const pool = this.#pools.get(name) ?? new Pool(name);
    this.#pools.set(name, pool);
    const session = await this.#acquire(pool, key);
    try {
      return await work(session);
    } finally {
      // Release the session before the answer, so that requests that follow each other use the same one.
      await this.#release(pool, session);
    }
  }

  /** Closes the idle sessions now, and the others when their requests are done. */
  close(): void {
    this.#isClosed = true;
    for (const pool of this.#pools.values()) for (const { session } of pool.idle) session.close();
  }

  async #acquire(pool: Pool, key: PoolKey): Promise<QuerySession> {
    const kept = pool.idle.pop();
    if (kept) {
      kept.take();
      return kept.session;
    }
    if (pool.size >= maxSessions) {
      const session = await new Promise<QuerySession | undefined>((resolve) => pool.waiting.push(resolve));
      // Without a session, another request has given up its place to this one.
      if (session) return session;
    }
    return this.#open(pool, key);
  }

  async #open(pool: Pool, { compute, role, database }: PoolKey): Promise<QuerySession> {
    pool.size += 1;
    try {
      return await this.#connector.open(compute, (folder) => QuerySession.open(folder, role, database));
    } catch (error) {
      this.#giveUpPlace(pool);
      throw error;
    }
  }

  /** Makes a session usable for the next request, whatever the last one did in it. */
  async #release(pool: Pool, session: QuerySession): Promise<void> {
    try {
      if (session.isOpen && !this.#isClosed) await session.runAll(resetStatements);
    } catch {
      session.close();
    }
    if (!session.isOpen || this.#isClosed) {
      session.close();
      this.#giveUpPlace(pool);
      return;
    }
    const next = pool.waiting.shift();
    if (next) next(session);
    else this.#keep(pool, session);
  }

  #keep(pool: Pool, session: QuerySession): void {
    const cancelTimer = this.#clock.after(idleMs, () => session.close());
    const stopWatching = session.watchIdle(() => {
      cancelTimer();
      pool.idle.splice(pool.idle.indexOf(entry), 1);
      this.#giveUpPlace(pool);
    });
    const entry: IdleSession = {
      session,
      take: () => {
        cancelTimer();
        stopWatching();
      },
    };
    pool.idle.push(entry);
  }

  #giveUpPlace(pool: Pool): void {
    pool.size -= 1;
    pool.waiting.shift()?.(undefined);
    if (pool.size === 0 && pool.waiting.length === 0) this.#pools.delete(pool.name);
  }
}
