import { setMaxListeners } from "node:events";

import type { Operation } from "../../api/schemas/operation";
import type { ObjectKey } from "../ownership/claim";
import type { Owner, ProjectVisibility } from "../ownership/visibility";
import type { Call } from "./call";
import { type Change, ChangeSender } from "./change";
import { IdempotencyRecords } from "./idempotency";
import type { PendingChange } from "./pending-work";
import { Progress } from "./progress";
import { hasEnded, type ProjectOperations } from "./project-operations";
import { Sender } from "./sender";
import type { Account, Services } from "./services";

/** The resource that a call is for. */
interface Subject {
  /** The name of its kind. */
  readonly kind: string;
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
 * - `preview`: it does not wait long, and reads no passwords.
 */
export type Purpose = "change" | "refresh" | "preview";

/** How long a preview waits for an answer of the platform, in milliseconds. */
const previewTimeout = 20_000;

/** What the verbs of a kind use to talk to the platform, in one call of the engine. */
export class Context {
  readonly sender: Sender;
  readonly progress: Progress;
  readonly visibility: ProjectVisibility;
  /** Organization of projects that do not declare theirs. */
  readonly orgId: string | undefined;
  /** Whether the program sets `retainOnDelete` for the resource: then its parts stay, too. */
  readonly isRetained: boolean;
  /** Whether passwords and connection URIs are read. */
  readonly readsSecrets: boolean;
  /** Whether what has replaced the object comes into the state. Any other call leaves what it did not create alone. */
  readonly isRefresh: boolean;
  readonly #services: Services;
  readonly #account: Account;
  readonly #call: Call;
  readonly #subject: Subject;
  readonly #purpose: Purpose;
  readonly #changes: ChangeSender;
  readonly #warned = new Set<string>();

  constructor(
    services: Services,
    account: Account,
    call: Call,
    subject: Subject,
    purpose: Purpose,
    progress = new Progress(),
  ) {
    const { client, settings, sharedReads, fingerprint } = account;
    const isPreview = purpose === "preview";
    this.sender = new Sender({
      client,
      timeout: isPreview ? previewTimeout : (call.timeout ?? settings.operationTimeout),
      signal: call.signal,
      progress: (text) => services.progress(call.urn, text),
      failures: services.failures,
      sharedReads,
      sharesReads: purpose !== "change",
    });
    this.progress = progress;
    this.visibility = account.visibility;
    this.orgId = settings.orgId;
    this.isRetained = call.isRetained;
    this.readsSecrets = !isPreview;
    this.isRefresh = purpose === "refresh";
    this.#services = services;
    this.#account = account;
    this.#call = call;
    this.#subject = subject;
    this.#purpose = purpose;
    const records = new IdempotencyRecords(services.journal, { kind: subject.kind, account: fingerprint });
    this.#changes = new ChangeSender(this, records);
  }

  /** Sends a request that only reads. */
  readonly read: Sender["read"] = (request) => this.sender.read(request);
  readonly readOne: Sender["readOne"] = (collection, key) => this.sender.readOne(collection, key);
  readonly list: Sender["list"] = (request, options) => this.sender.list(request, options);
  readonly pages: Sender["pages"] = (request, pageSize) => this.sender.pages(request, pageSize);
  readonly projects: Sender["projects"] = (query) => this.sender.projects(query);
  readonly waitUntilIdle: ProjectOperations["waitUntilIdle"] = (project) =>
    this.sender.operations.waitUntilIdle(project);

  /** Shows a warning at the resource, once. */
  warn(text: string): void {
    // What a list says is confirmed before anybody is warned of it.
    if (this.sender.hasSharedRead || this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#services.warn(this.#call.urn, text);
  }

  /** Makes sure that an object that is not found is gone, and not only invisible to this key. */
  async assertVisible(): Promise<void> {
    const { project, owner, isProject } = this.#subject;
    if (project === undefined) return;
    if (isProject) await this.visibility.assertDeleted(project, owner);
    else await this.visibility.assertVisible(project, owner);
  }

  /** Whether another resource of this run has an object, or another run on this machine has created it just now. */
  async isHeldByOther(key: ObjectKey): Promise<boolean> {
    const isClaimed = this.#services.registry.claimsOfOthers(key, this.#call.urn).length > 0;
    return isClaimed || (await this.isOfOtherRun(key));
  }

  /** Whether a run of another stack on this machine has created an object just now. */
  async isOfOtherRun({ kind, id }: ObjectKey): Promise<boolean> {
    const own = this.#services.stack(this.#call.urn);
    const others = await this.#services.journal.ofOtherProcesses(kind);
    return others.some(({ objectId, stack }) => objectId === id && stack !== own);
  }

  /** Does some work of the same call, whose reads fail when this many milliseconds have passed. */
  async within<Result>(milliseconds: number, work: (context: Context) => Promise<Result>): Promise<Result> {
    const [late, over] = [new AbortController(), new AbortController()];
    // Each read listens to it. Node takes more than ten for a leak, and says so on the console.
    setMaxListeners(0, late.signal);
    void this.sender.client.clock.sleep(milliseconds, over.signal).then(
      () => late.abort(),
      () => undefined,
    );
    const { signal = late.signal } = this.#call;
    const call = { ...this.#call, signal: AbortSignal.any([signal, late.signal]) };
    try {
      return await work(new Context(this.#services, this.#account, call, this.#subject, this.#purpose, this.progress));
    } finally {
      over.abort();
    }
  }

  /** Does some work while no other call of this process changes the project. */
  async withLock<Result>(project: string | undefined, what: string, work: () => Promise<Result>): Promise<Result> {
    const waiting = (holder: string): void => this.sender.show(`waiting for ${holder}`);
    const release = await this.#services.locks.acquire(project, what, waiting, this.#call.signal);
    try {
      return await work();
    } finally {
      this.sender.show("");
      release();
    }
  }

  /**
   * Changes or deletes an object and waits until that is done. Returns nothing if the response was lost, or if an earlier
   * run received it.
   */
  change<Response extends object>(change: Change<Response>): Promise<Response | undefined> {
    return this.#changes.make(change);
  }

  /**
   * Waits for operations that this call has started.
   *
   * @param once the change that has started them, if it must not be made twice
   */
  async waitFor(operations: readonly Operation[], applies: readonly string[], once?: PendingChange): Promise<void> {
    this.progress.wait(operations, applies, once);
    try {
      await this.sender.wait(operations);
    } catch (error) {
      if (hasEnded(error)) this.progress.failed();
      throw error;
    }
  }
}
