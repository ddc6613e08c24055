import type { Clock } from "../../api/core/clock";
import type { Request } from "../../api/core/request";
import type { Operation } from "../../api/schemas/operation";
import type { ServerClock } from "../../api/server-clock";
import type { ObjectKey } from "../ownership/claim";
import type { Values } from "../values";
import type { Change } from "./change";
import type { Collection, Reader } from "./collection";
import type { Deletion } from "./delete-object";
import type { Progress } from "./progress";
import type { ProjectVisibility } from "./visibility";

/**
 * The purpose of a call.
 *
 * - `change`: it changes the object;
 * - `refresh`: it only reads the object into the state, including a replacement of the object or of its parts;
 * - `preview`: it gives up waiting early and reads no passwords;
 * - `look`: an answer is optional: it also gives up repeating reads early, and reads no passwords.
 */
export type Purpose = "change" | "refresh" | "preview" | "look";

/** Facts about an object that the state keeps besides its outputs. */
export interface Kept {
  /** Evidence that tells later whether a change has been made that must not be made twice. */
  readonly evidence?: Values | undefined;
  /**
   * The platform's mark for the time of which those outputs are that a refresh reads only if it has to: the latest
   * operation of the project, or the time of the last upload. While the mark is the same, so are these outputs.
   */
  readonly asOf?: string | undefined;
}

/** The resource as the program declares it. */
export interface DeclaredResource {
  /** Whether the program sets `retainOnDelete`, which also keeps the object's parts. */
  readonly isRetained: boolean;
  /** Whether the program declared an input, or a member of it, when the state was written. */
  readonly hasDeclared: (path: string) => boolean;
  /** Whether another resource of this run has this object. */
  readonly isHeldByOther: (key: ObjectKey) => boolean;
  /** The paths of the members of unstored inputs that the program declares as secret. */
  readonly secretMembers: readonly string[];
}

/** The resource's row, and the time, during work that is no request. */
export interface LiveRow {
  /** Shows a line at the resource, which stays in the output. */
  readonly say: (line: string) => void;
  /** Shows a text in the resource's row until the next one. An empty text clears the row. */
  readonly show: (text: string) => void;
  /** Fires when the run is cancelled, or when the call has taken as long as `customTimeouts` allows. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** One running call of the engine, as the verbs of a kind see it. They use it to talk to the platform. */
export interface Context extends Reader {
  readonly purpose: Purpose;
  /** The organization of projects that do not declare one. */
  readonly orgId: string | undefined;
  /** Whether passwords and connection URIs are read. */
  readonly readsSecrets: boolean;
  /**
   * Whether a replacement of the object is accepted into the state. Any other call leaves an object that it did not
   * create alone.
   */
  readonly isRefresh: boolean;
  readonly resource: DeclaredResource;
  /** Facts about the object in the state. */
  readonly kept: Kept;
  readonly progress: Pick<Progress, "hasCreated" | "latestOperation" | "unapplied" | "learn" | "succeeded" | "failed">;
  readonly visibility: ProjectVisibility;
  /** Tells the platform's time. */
  readonly serverClock: Pick<ServerClock, "now">;

  /** Sends a request that only reads. */
  read<Response>(request: Request<Response>): Promise<Response>;
  /** Reads an object of a collection; undefined if it does not exist. */
  readOne<Item>(collection: Collection<Item>, key: string): Promise<Item | undefined>;
  /** The latest operations of a project, newest first, from one list for all calls of a process. */
  recentOperations(project: string): Promise<readonly Operation[]>;
  /** Changes an object and waits until that is done. Returns undefined if the response was lost. */
  change<Response extends object>(change: Change<Response>): Promise<Response | undefined>;
  /** Deletes an object and waits until that is done. An object that does not exist counts as deleted once a read confirms it. */
  delete<Response extends object>(deletion: Deletion<Response>): Promise<void>;
  /** Waits until no operation of the project is running, whether they succeed or fail. */
  waitUntilIdle(project: string | undefined): Promise<unknown>;
  /**
   * Polls for an effect that no operation reports, until it is found.
   *
   * @param find `show` shows a text in the resource's row
   * @throws Error from `late`, if the time of this call is over
   */
  until<Result>(
    find: (show: (text: string) => void) => Promise<Result | undefined>,
    late: () => Error,
  ): Promise<Result>;
  /**
   * Does work that is no request, such as a command of the user. The settings do not limit its time, and it does not
   * count as time of the requests. The work calls `begin` before it changes anything: from then on, a failure is
   * recorded in the state, and the next run on this machine learns of a kill.
   */
  perform<Result>(work: (row: LiveRow, begin: () => void) => Promise<Result>): Promise<Result>;
  /**
   * Shows a warning at the resource, once. A warning about a result from a list is confirmed by another read before.
   */
  warn(text: string): void;
}
