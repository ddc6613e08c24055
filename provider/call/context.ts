import type { Request } from "../../api/core/request";
import type { Operation } from "../../api/schemas/operation";
import type { ObjectKey } from "../ownership/claim";
import type { Values } from "../values";
import type { Change } from "./change";
import type { Collection, Reader } from "./collection";
import type { Deletion } from "./delete-object";
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

/** Facts about an object that the state keeps besides its outputs. */
export interface Kept {
  /** Tells later whether a change has been made that must not be made twice. */
  readonly evidence?: Values | undefined;
  /** The latest operation of the project when the connection was read: only later ones can have changed it. */
  readonly latestOperation?: string | undefined;
}

/** The resource in the program. */
export interface DeclaredResource {
  /** Whether the program sets `retainOnDelete`: then its parts stay, too. */
  readonly isRetained: boolean;
  /** Whether the program declared an input, or something in it, when the state was written. */
  readonly hasDeclared: (path: string) => boolean;
  /** Whether another resource of this run has an object. */
  readonly isHeldByOther: (key: ObjectKey) => boolean;
}

/** One running call of the engine, as the verbs of a kind see it: they talk to the platform with it. */
export interface Context extends Reader {
  /** Organization of projects that do not declare theirs. */
  readonly orgId: string | undefined;
  /** Whether passwords and connection URIs are read. */
  readonly readsSecrets: boolean;
  /** Whether what has replaced the object comes into the state. Any other call leaves what it did not create alone. */
  readonly isRefresh: boolean;
  readonly resource: DeclaredResource;
  /** Facts about the object in the state. */
  readonly kept: Kept;
  readonly progress: Pick<Progress, "hasCreated" | "latestOperation" | "unapplied" | "learn" | "succeeded" | "failed">;
  readonly visibility: ProjectVisibility;

  /** Sends a request that only reads. */
  read<Response>(request: Request<Response>): Promise<Response>;
  /** An object of a collection; undefined if it does not exist. */
  readOne<Item>(collection: Collection<Item>, key: string): Promise<Item | undefined>;
  /** The latest operations of a project, newest first, from one list for all calls of a process. */
  recentOperations(project: string): Promise<readonly Operation[]>;
  /** Changes an object and waits until that is done. Returns nothing if the response was lost. */
  change<Response extends object>(change: Change<Response>): Promise<Response | undefined>;
  /** Deletes an object and waits until that is done. An object that does not exist counts as deleted once a read confirms it. */
  delete<Response extends object>(deletion: Deletion<Response>): Promise<void>;
  /** Waits until no operation of the project is running, whatever they come to. */
  waitUntilIdle(project: string | undefined): Promise<unknown>;
  /**
   * Polls for what no operation tells, until it is found.
   *
   * @param find `show` shows a text in the resource's row
   * @throws Error the late one, if the time of this call is over
   */
  until<Result>(
    find: (show: (text: string) => void) => Promise<Result | undefined>,
    late: () => Error,
  ): Promise<Result>;
  /** Shows a warning at the resource, once. What a list says is confirmed before. */
  warn(text: string): void;
}
