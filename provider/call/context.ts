import { HttpError, NeonError } from "../../api/core/errors";
import type { Operation } from "../../api/schemas/operation";
import type { ObjectKey } from "../ownership/claim";
import type { Values } from "../values";
import type { Call } from "./call";
import { type Change, makeChange } from "./change";
import type { Search } from "./inventory";
import { every } from "./page-reader";
import { Progress } from "./progress";
import { hasEnded, type ProjectOperations } from "./project-operations";
import { Requests } from "./requests";
import type { Account, Services } from "./services";
import type { Owner, ProjectVisibility } from "./visibility";

/** The resource that a call is for. */
interface Subject {
  /** The project that the object belongs to, and its owner as recorded in the state, as far as they are known. */
  readonly project?: string | undefined;
  readonly owner?: Owner | undefined;
  /** Whether it is the project. */
  readonly isProject: boolean;
}

/**
 * What a call is for.
 *
 * - `change`: it changes the object;
 * - `refresh`: it only reads the object into the state; what has replaced it or a part of it comes into the state, too;
 * - `preview`: it does not wait long for what it starts, and reads no passwords;
 * - `look`: it can do without an answer: it does not repeat its reads for long, either, and reads no passwords.
 */
export type Purpose = "change" | "refresh" | "preview" | "look";

/** How long a preview or a look waits for the platform, in milliseconds. */
const shortTimeout = 20_000;

/** One running call of the engine, as the verbs of a kind see it: they talk to the platform with it. */
export class Context extends Requests {
  readonly progress = new Progress();
  readonly visibility: ProjectVisibility;
  /** Organization of projects that do not declare theirs. */
  readonly orgId: string | undefined;
  /** Whether the program sets `retainOnDelete` for the resource: then its parts stay, too. */
  readonly isRetained: boolean;
  /** Whether passwords and connection URIs are read. */
  readonly readsSecrets: boolean;
  /** Whether what has replaced the object comes into the state. Any other call leaves what it did not create alone. */
  readonly isRefresh: boolean;
  /** What the kind has kept in the state, to tell later whether a change has been made that must not be made twice. */
  evidence: Values | undefined;
  /** The same of the object as it was last read. The state holds it once the call succeeds. */
  observed: Values | undefined;
  /** What a refresh has found to stand against changes of the object, as a message. The state keeps it until the next one. */
  obstacle: string | undefined;
  /**
   * The error if another object has the id of the object by now: another program may have deleted it and created one of the same
   * name. Asked before a change is sent again, and when a change was confirmed, but is not done.
   */
  replacedBy: (() => Promise<Error | undefined>) | undefined;
  /** The error if a setting that is to be deleted has another value by now. Asked before the delete is sent again. */
  setSince: (() => Promise<Error | undefined>) | undefined;
  protected readonly services: Services;
  protected readonly account: Account;
  protected readonly call: Call;
  readonly #subject: Subject;
  readonly #isLook: boolean;
  readonly #warned = new Set<string>();

  constructor(services: Services, account: Account, call: Call, subject: Subject, purpose: Purpose) {
    const { client, settings, sharedReads } = account;
    const isShort = purpose === "preview" || purpose === "look";
    super({
      client,
      timeout: isShort ? shortTimeout : (call.timeout ?? settings.operationTimeout),
      signal: call.signal,
      progress: (text) => services.progress(call.urn, text),
      failures: services.failures,
      sharedReads,
      sharesReads: purpose !== "change",
      limitsReads: purpose === "look",
    });
    this.visibility = account.visibility;
    this.orgId = settings.orgId;
    this.isRetained = call.isRetained;
    this.readsSecrets = !isShort;
    this.isRefresh = purpose === "refresh";
    this.services = services;
    this.account = account;
    this.call = call;
    this.#subject = subject;
    this.#isLook = purpose === "look";
  }

  readonly waitUntilIdle: ProjectOperations["waitUntilIdle"] = (project) => this.operations.waitUntilIdle(project);

  /** Shows a warning at the resource, once. */
  warn(text: string): void {
    // What a list says is confirmed before anybody is warned of it.
    if (this.hasSharedRead || this.#warned.has(text)) return;
    this.#warned.add(text);
    this.services.warn(this.call.urn, text);
  }

  /** @throws Error if another object has the id of the object by now, or another program has set what is to be deleted */
  async assertSame(): Promise<void> {
    const error = (await this.replacedBy?.()) ?? (await this.setSince?.());
    if (error !== undefined) throw error;
  }

  /** Makes sure that an object that is not found is gone, and not only invisible to this key. */
  async assertVisible(): Promise<void> {
    const { project, owner, isProject } = this.#subject;
    if (project === undefined) return;
    if (isProject) await this.visibility.assertDeleted(project, owner);
    else await this.visibility.assertVisible(project, owner);
  }

  /** Whether the program declared an input, or something in it, when the state was written. */
  hasDeclared(path: string): boolean {
    return this.call.declaredBefore.some((one) => one === path || one.startsWith(`${path}.`));
  }

  /** Whether another resource of this run has an object. */
  isHeldByOther(key: ObjectKey): boolean {
    return this.services.registry.claimsOfOthers(key, this.call.urn).length > 0;
  }

  /** The objects that match, as there were when this process first listed them; or, if asked anew, as there are now. */
  async find<Item>(search: Search<Item>, anew: boolean): Promise<readonly Item[]> {
    if (!anew) {
      try {
        return await this.account.inventory.find(search);
      } catch (error) {
        // The list of all creates is not tried for long. This call may have the time.
        if (this.#isLook || !isOutage(error)) throw error;
      }
    }
    const pages = search.alone?.(this) ?? search.collection.pages(this);
    return (await every(pages)).filter(search.matches);
  }

  /** Changes or deletes an object and waits until that is done. Returns nothing if the response was lost. */
  change<Response extends object>(change: Change<Response>): Promise<Response | undefined> {
    return makeChange(this, change);
  }

  /** Another run has made the change of these inputs: it is not sent. */
  countAsMade(applies: readonly string[]): void {
    this.progress.succeeded(applies);
  }

  /** Work that no operation stands for has failed for good. */
  failed(): void {
    this.progress.failed();
  }

  /** Waits for operations that this call has started. */
  async waitFor(operations: readonly Operation[], applies: readonly string[]): Promise<void> {
    this.progress.wait(operations, applies);
    try {
      await this.wait(operations);
    } catch (error) {
      if (hasEnded(error)) this.progress.failed();
      throw error;
    }
  }
}

/** Whether a later attempt may succeed: the platform does not answer, is overloaded or fails by itself. */
function isOutage(error: unknown): boolean {
  if (HttpError.isInstance(error)) return error.status === 429 || error.status >= 500;
  return NeonError.isInstance(error) && error.kind === "unreachable";
}
