import type { PagedRequest, Request } from "../../api/core/request";
import type { PageOptions } from "../../api/http/pagination";
import type { Operation } from "../../api/schemas/operation";
import type { ServerClock } from "../../api/server-clock";
import type { ObjectKey } from "../ownership/claim";
import type { Values } from "../values";
import type { Change, Overtaken } from "./change";
import type { Collection, Reader } from "./collection";
import type { Progress } from "./progress";
import type { ProjectVisibility } from "./visibility";

/**
 * What a call is for.
 *
 * - `change`: it changes the object;
 * - `refresh`: it only reads the object into the state; what has replaced it or a part of it comes into the state, too;
 * - `preview`: it does not wait long for what it starts, and reads no passwords;
 * - `look`: it can do without an answer: it does not repeat its reads for long, either, and reads no passwords.
 */
export type Purpose = "change" | "refresh" | "preview" | "look";

/** One running call of the engine, as the verbs of a kind see it: they talk to the platform with it. */
export interface Context extends Reader {
  /** Organization of projects that do not declare theirs. */
  readonly orgId: string | undefined;
  /** Whether the program sets `retainOnDelete` for the resource: then its parts stay, too. */
  readonly isRetained: boolean;
  /** Whether passwords and connection URIs are read. */
  readonly readsSecrets: boolean;
  /** Whether what has replaced the object comes into the state. Any other call leaves what it did not create alone. */
  readonly isRefresh: boolean;
  readonly progress: Pick<Progress, "hasCreated" | "latestOperation" | "unapplied" | "learn" | "succeeded" | "failed">;
  readonly visibility: ProjectVisibility;
  /** The platform's time. */
  readonly serverClock: Pick<ServerClock, "capture" | "earliestTimestamp">;
  /** What the kind has kept in the state, to tell later whether a change has been made that must not be made twice. */
  evidence: Values | undefined;
  /** The same of the object as it was last read. The state holds it once the call succeeds. */
  observed: Values | undefined;
  /** The latest operation of the project when the connection in the state was read: only later ones can have changed it. */
  readonly operationBefore: string | undefined;
  /** The same of the connection as this call has read it. */
  latestOperation: string | undefined;
  /** What a refresh has found to stand against changes of the object, as a message. The state keeps it until the next one. */
  obstacle: string | undefined;

  /** Sends a request that only reads. */
  read<Response>(request: Request<Response>): Promise<Response>;
  /** Every entry of a list. */
  list<Item, Page>(request: PagedRequest<Item, Page>, options?: PageOptions): AsyncGenerator<Item, void>;
  /** An object of a collection; undefined if it does not exist. */
  readOne<Item>(collection: Collection<Item>, key: string): Promise<Item | undefined>;
  /** The latest operations of a project, newest first, from one list for all calls of a process. */
  recentOperations(project: string): Promise<readonly Operation[]>;
  /** Changes or deletes an object and waits until that is done. Returns nothing if the response was lost. */
  change<Response extends object>(change: Change<Response>): Promise<Response | undefined>;
  /** Waits until no operation of the project is running, whatever they come to. */
  waitUntilIdle(project: string | undefined): Promise<unknown>;
  /**
   * Polls for what no operation tells, until it is found.
   *
   * @throws Error the late one, if the time of this call is over
   */
  until<Result>(find: () => Promise<Result | undefined>, late: () => Error): Promise<Result>;
  /** Why the object is no longer the one that this call may change, if so. */
  overtaken(): Promise<Overtaken | undefined>;
  /** Makes sure that an object that is not found is gone, and not only invisible to this key. */
  assertVisible(): Promise<void>;
  /** Shows a text in the resource's row; an empty text clears the row. */
  show(text: string): void;
  /** Shows a warning at the resource, once. What a list says is confirmed before. */
  warn(text: string): void;
  /** Whether the program declared an input, or something in it, when the state was written. */
  hasDeclared(path: string): boolean;
  /** Whether another resource of this run has an object. */
  isHeldByOther(key: ObjectKey): boolean;
}
