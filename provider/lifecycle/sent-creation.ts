import { hasStatus, messageOf, OutcomeUnknownError, withoutStop } from "../../api/errors";
import { tagAnnotation } from "../../api/schemas/branch";
import type { Operation } from "../../api/schemas/operation";
import { checkFailed, operationsOf, unknownOutcome } from "../call/change";
import type { Answer } from "../call/collection";
import { AlreadyThereError, isConflict } from "../call/conflict";
import { branchOf } from "../call/project-operations";
import type { Creation } from "../kind/creation";
import { isSecretOnce, projectOf } from "../kind/kind";
import { naturalKeyOf, naturalKeySearch } from "../kind/natural-key";
import type { CreationEntry } from "../ownership/journal";
import { newTag, tagText } from "../ownership/ownership-tag";
import type { Values } from "../values";
import { type CreationTimes, learnTime, timeOf } from "./effect-time";
import { severalAppeared } from "./errors";
import { lostSecretWarning } from "./recovery";
import { clockSlack, likelyObjects } from "./search";
import type { CreateWork } from "./work";

/** What the platform has made of the request of a creation. */
interface Result {
  readonly outputs: Values;
  /** Undefined if they are not known: the response was lost, or names none. */
  readonly operations?: readonly Operation[];
  readonly answers?: readonly Answer[] | undefined;
}

const nextUpChecks = "The next `pulumi up` checks again first.";
const nextUpResumes = "The next `pulumi up` resumes from here.";
const nothingFound = "No object was found that it could have created";

/** The creation of one call: recorded in the journal before it is sent, and searched for when its response is lost. */
export class SentCreation {
  readonly id: string;
  readonly #work: CreateWork;
  readonly #creation: Creation<Values>;
  readonly #superseded: readonly CreationEntry[];
  readonly #tag;
  #sentAt: () => Date;
  #resentAt: string | undefined;
  /** Whether a request without a usable response may have created an object. */
  #mayExist = false;

  constructor(work: CreateWork, creation: Creation<Values>, superseded: readonly CreationEntry[]) {
    this.#work = work;
    this.#creation = creation;
    this.#superseded = superseded;
    this.#tag = newTag(work.call.urn);
    this.id = this.#tag.creationId;
    this.#sentAt = work.serverClock.capture();
  }

  /** Sends the request until the object exists, and waits for its operations. */
  async send(): Promise<void> {
    const { kind, services, context } = this.#work;
    const { sender, progress } = context;
    await this.#creation.assertFree?.(context);
    const earlier = await this.#earlierOperations();
    await this.#begin();
    sender.show(this.#creation.what);
    const result = await this.#result().catch(async (error: unknown) => {
      const isUnknown = OutcomeUnknownError.isInstance(error) || (this.#mayExist && isConflict(error));
      if (!isUnknown) await services.journal.discard(this.id);
      throw error;
    });
    const { outputs, operations, answers = [] } = result;
    const id = kind.id(outputs);
    const isOwn = (operation: Operation): boolean => !earlier.has(operation.id);
    progress.created({ id, outputs, creationId: this.id });
    const appearedAt = timeOf(outputs);
    await services.journal.answered(this.id, id, appearedAt === undefined ? undefined : new Date(appearedAt));
    const project = projectOf(kind, outputs);
    const started = operations ?? (await sender.operations.unfinishedSince(project, branchOf(outputs), this.#sentAt));
    await context.waitFor(started.filter(isOwn), []);
    progress.succeeded([]);
    sender.keepAnswers(answers);
  }

  /** The operations that none of the request's own can be, where the response does not name those. */
  async #earlierOperations(): Promise<ReadonlySet<string>> {
    const { kind, context, inputs } = this.#work;
    const project = projectOf(kind, inputs);
    if (this.#creation.startsUnnamed !== true || project === undefined) return new Set();
    const latest = await context.sender.operations.latest(project, 20);
    return new Set(latest.map(({ id }) => id));
  }

  /** Records that an object is about to be created. */
  async #begin(): Promise<void> {
    const { kind, services, context, serverClock, inputs } = this.#work;
    // A later run searches from this time on.
    await learnTime(context);
    this.#sentAt = serverClock.capture();
    const entry = {
      type: "creation" as const,
      id: this.id,
      ...this.#work.ownCreations,
      urnHash: this.#tag.urnHash,
      ...(naturalKeySearch(kind, inputs) === undefined ? {} : { naturalKey: naturalKeyOf(kind, inputs) }),
      ...(serverClock.isSynchronized ? { sentAt: this.#sentAt().toISOString() } : {}),
    };
    const earlier = this.#superseded.map(({ id }) => id);
    await services.journal.beginCreation(entry, earlier).catch((error: unknown) => {
      context.warn(
        `This creation could not be recorded on this machine (${withoutStop(messageOf(error))}). If the run is interrupted, you may have to adopt the object by hand.`,
      );
    });
  }

  async #result(): Promise<Result> {
    const { sender } = this.#work.context;
    const { what, request, repeatable, outputs, answers, startsUnnamed } = this.#creation;
    let lost: Error | undefined;
    const beforeRetry = async (reason: Error): Promise<void> => {
      // The platform answers with 503 before it changes anything, but a gateway before it may do so afterwards.
      this.#mayExist ||= hasStatus(reason, 503);
      await this.#assertFree(lost);
      await this.#resend();
    };
    for (;;) {
      try {
        if (lost !== undefined) await beforeRetry(lost);
        const response = await sender.mutate(request({ [tagAnnotation]: tagText(this.#tag) }), beforeRetry);
        const created = outputs(response);
        this.#work.serverClock.learnTimestamp(timeOf(created), this.#sentAt());
        const operations = startsUnnamed === true ? {} : { operations: operationsOf(response) };
        return { outputs: created, ...operations, answers: answers?.(response) };
      } catch (error) {
        const isLost = OutcomeUnknownError.isInstance(error);
        // Then a 409 can mean that an earlier request has created the object.
        const isDuplicate = hasStatus(error, 409) && this.#unknown().length > 0;
        if (!isLost && !isDuplicate) throw error;
        lost = error;
        this.#mayExist ||= isLost;
        sender.show(`${what}: the response was lost, checking the result`);
        const found = await sender
          .search(() => (isDuplicate ? this.#locate(this.#unknown(), true) : this.#locate()))
          .catch((cause: unknown) => {
            throw unknownOutcome(error, checkFailed(cause), nextUpChecks, cause);
          });
        if (found !== undefined && !isSecretOnce(this.#work.kind)) {
          this.#warnOfMatch(found);
          return { outputs: found };
        }
        if (found !== undefined) {
          await this.warnOfLostSecrets();
          sender.assertTime(
            unknownOutcome(
              error,
              "An object that it may have created is unusable, because its secret is lost",
              nextUpResumes,
            ),
          );
          continue;
        }
        if (isDuplicate) throw error;
        if (!repeatable) throw unknownOutcome(error, nothingFound, nextUpChecks);
        sender.assertTime(unknownOutcome(error, nothingFound, nextUpResumes));
      }
    }
  }

  /**
   * Makes sure that sending the request again overwrites nothing that another program has created since.
   *
   * @param lost why it is not known whether an earlier request has created the object; undefined if none has
   */
  async #assertFree(lost: Error | undefined): Promise<void> {
    const { assertFree } = this.#creation;
    const { context } = this.#work;
    if (assertFree === undefined) return;
    if (lost === undefined) return assertFree(context);
    try {
      if ((await this.#locate()) === undefined) await assertFree(context);
    } catch (cause) {
      throw cause instanceof AlreadyThereError ? cause : unknownOutcome(lost, checkFailed(cause), nextUpChecks, cause);
    }
  }

  async #resend(): Promise<void> {
    const now = this.#work.serverClock.now();
    this.#resentAt = now.toISOString();
    await this.#work.services.journal.resent(this.id, now);
  }

  /**
   * The object that the request has created, although its response was lost.
   *
   * @param isRefused whether the platform has refused to create another one: then it may be the result of any of these creations
   */
  async #locate(creations = [this.#times()], isRefused = false): Promise<Values | undefined> {
    const { kind, context, inputs } = this.#work;
    await learnTime(context);
    if (kind.recovery.by === "tag" && naturalKeySearch(kind, inputs) === undefined) {
      const since = new Date(this.#sentAt().getTime() - clockSlack);
      const tagged = await kind.recovery.list(context, inputs, since);
      const found = tagged.find(({ tag }) => tag === tagText(this.#tag))?.found;
      return found && kind.read(context, found);
    }
    const { likely } = await likelyObjects(this.#work, creations, isRefused);
    // Of keys, none is used.
    if (likely.length > 1 && !isSecretOnce(kind)) throw severalAppeared(kind, likely);
    return likely[0] && kind.read(context, likely[0]);
  }

  #times(): CreationTimes {
    return { sentAt: this.#sentAt().toISOString(), resentAt: this.#resentAt };
  }

  /** The creations whose outcome is not known: this one, and those of interrupted runs. */
  #unknown(): CreationTimes[] {
    const earlier = this.#superseded.filter(({ objectId }) => objectId === undefined);
    return [...(this.#mayExist ? [this.#times()] : []), ...earlier];
  }

  /** Says that the object was found by its natural key: nothing else identifies it. */
  #warnOfMatch(found: Values): void {
    const { kind, context, inputs } = this.#work;
    if (naturalKeySearch(kind, inputs) === undefined) return;
    context.warn(
      `The ${kind.noun} ${kind.id(found)} appeared when a request was sent whose response is lost, and is as declared. It was taken for the result of the request. If another program created it, remove this resource with \`pulumi state delete\`.`,
    );
  }

  /**
   * Warns of objects that are useless without the lost responses of this request and of earlier ones. Nothing proves whose they
   * are, so they stay. When an object was created, it is known best how far timestamps are off.
   */
  async warnOfLostSecrets(): Promise<void> {
    const { kind, context } = this.#work;
    if (!isSecretOnce(kind)) return;
    const { likely, uncertain } = await likelyObjects(this.#work, this.#unknown());
    const created = context.progress.object?.id;
    for (const one of [...likely, ...uncertain]) {
      if (kind.id(one) !== created) context.warn(lostSecretWarning(kind, one));
    }
  }
}
