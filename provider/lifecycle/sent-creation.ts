import { HttpError, isConflict, isRetryAsked, OutcomeUnknownError } from "../../api/core/errors";
import type { Request } from "../../api/core/request";
import { tagAnnotation } from "../../api/schemas/branch";
import type { Operation } from "../../api/schemas/operation";
import { auth } from "../../api/schemas/user";
import { checkFailed, operationsOf, unknownOutcome } from "../call/change";
import type { Answer } from "../call/collection";
import type { Creation } from "../kind/creation";
import { changesAt, differences } from "../kind/differences";
import { ruleFor, top } from "../kind/field-rules";
import { projectOf } from "../kind/kind";
import { newTag, type OwnershipTag, tagText } from "../ownership/ownership-tag";
import type { Values } from "../values";
import { claimNew, holderOf } from "./claims";
import { appearedAt } from "./appeared-at";
import { severalAppeared, unrecorded } from "./errors";
import { addressOf, type Counted, knownOf, namesakesOf } from "./existing/namesakes";
import { ConflictError } from "./existing/words";
import type { Work } from "./work";

/** The result of a creation's request. */
interface Result {
  readonly outputs: Values;
  /** Undefined if the operations are not known, because the response was lost or names none. */
  readonly operations?: readonly Operation[];
  readonly answers?: readonly Answer[] | undefined;
}

/**
 * How long after being sent a creation can take effect, in milliseconds. If only name and time identify an object, one
 * that appeared later belongs to somebody else.
 */
const effectWithin = 60_000;

const nextUpNames = "The next `pulumi up` names the object if there is one.";
const nextUpCreates = "Run the same command again.";
const nothingFound = "No object was found that it could have created";

/**
 * The request of a creation in one call: sends it until the object exists, and searches for the object if the response
 * is lost.
 */
export class SentCreation {
  readonly #work: Work;
  readonly #inputs: Values;
  readonly #creation: Creation<Values>;
  readonly #assertFree: () => Promise<void>;
  readonly #tag: OwnershipTag;
  readonly #sentAt: () => Date;
  #resentAt: Date | undefined;
  /** Whether a request without a usable response may have created an object. */
  #mayExist = false;

  /** @param assertFree makes sure that no object has the natural key by now */
  constructor(work: Work, inputs: Values, creation: Creation<Values>, assertFree: () => Promise<void>) {
    const { services, call } = work;
    this.#work = work;
    this.#inputs = inputs;
    this.#creation = creation;
    this.#assertFree = assertFree;
    this.#tag = newTag(call.urn, services.stack(call.urn));
    this.#sentAt = work.serverClock.capture();
  }

  /** Sends the request until the object exists, and waits for its operations. */
  async send(): Promise<void> {
    const { kind, progress } = this.#work;
    const earlier = await this.#earlierOperations();
    this.#work.requests.show(this.#creation.what);
    const { outputs, operations, answers = [] } = await this.#result();
    const { creationId } = this.#tag;
    claimNew(this.#work, outputs, creationId);
    progress.created({ id: kind.id(outputs), outputs, creationId });
    const project = projectOf(kind, outputs);
    const started = operations ?? (await this.#work.unfinishedSince(project, outputs, this.#sentAt));
    await this.#work.waitFor(
      started.filter(({ id }) => !earlier.has(id)),
      [],
    );
    progress.succeeded([]);
    this.#work.requests.keepAnswers(answers);
    if (this.#resentAt !== undefined) await this.#warnOfOthers();
  }

  /** Operations that existed before the request, for requests whose response does not name their own. */
  async #earlierOperations(): Promise<ReadonlySet<string>> {
    const project = projectOf(this.#work.kind, this.#inputs);
    if (this.#creation.startsUnnamed !== true || project === undefined) return new Set();
    return new Set((await this.#work.operations.latest(project, 20)).map(({ id }) => id));
  }

  async #result(): Promise<Result> {
    const { kind } = this.#work;
    const { what, repeatable, outputs, answers, startsUnnamed } = this.#creation;
    let lost: Error | undefined;
    const beforeRetry = async (): Promise<void> => {
      await this.#assertStillFree(lost);
      this.#resentAt = this.#work.serverClock.now();
    };
    for (;;) {
      try {
        if (lost !== undefined) await beforeRetry();
        const response = await this.#work.mutate(this.#request, beforeRetry);
        const created = outputs(response);
        this.#work.serverClock.learnTimestamp(timeOf(created), this.#sentAt());
        const operations = startsUnnamed === true ? {} : { operations: operationsOf(response) };
        return { outputs: created, ...operations, answers: answers?.(response) };
      } catch (error) {
        const isLost = OutcomeUnknownError.isInstance(error);
        // A conflict, or a limit that was reached, can mean that an earlier request has created the object.
        const isRefused = HttpError.isInstance(error) && this.#mayExist;
        if (!isLost && !isRefused) throw error;
        lost = error;
        this.#mayExist ||= isLost;
        this.#work.requests.show(`${what}: the response was lost, checking the result`);
        const found = await this.#work.requests
          .search(() => this.#locate(isConflict(error) ? "refused" : "now"))
          .catch((cause: unknown) => {
            throw unknownOutcome(error, checkFailed(cause), nextUpNames, cause);
          });
        if (found !== undefined && kind.secretOnce !== true) {
          this.#warnOfMatch(found);
          return { outputs: found };
        }
        if (found !== undefined) {
          const finding = "An object that it may have created is unusable, because its secret is lost";
          await this.#warnOfOthers();
          this.#work.requests.assertTime(unknownOutcome(error, finding, nextUpCreates));
          continue;
        }
        if (isRefused) throw error;
        // A response that asks for a retry is trusted once no object is found.
        if (!repeatable && !isRetryAsked(error)) throw unknownOutcome(error, nothingFound, nextUpNames);
        this.#work.requests.assertTime(unknownOutcome(error, nothingFound, nextUpCreates));
      }
    }
  }

  /**
   * Makes sure that sending the request again overwrites no object that another program has created since.
   *
   * @param lost why it is unknown whether an earlier request has created the object; undefined if no earlier one can
   * have
   */
  async #assertStillFree(lost: Error | undefined): Promise<void> {
    if (this.#creation.overwrites !== true) return;
    if (lost === undefined) return this.#assertFree();
    try {
      if ((await this.#locate()) === undefined) await this.#assertFree();
    } catch (cause) {
      throw cause instanceof ConflictError ? cause : unknownOutcome(lost, checkFailed(cause), nextUpNames, cause);
    }
  }

  /** Finds the object that the request has created although its response was lost. */
  async #locate(counted: Counted = "now"): Promise<Values | undefined> {
    const { kind } = this.#work;
    const found = await this.#candidates(counted);
    // API keys are never matched: their secret cannot be read again.
    if (found.length > 1 && kind.secretOnce !== true) throw severalAppeared(kind, found);
    const present = found[0] && (await kind.read(this.#work, knownOf(this.#work, this.#inputs, found[0])));
    if (present === undefined || this.#creation.found === undefined) return present;
    const given = await this.#creation.found(present);
    return given && { ...present, ...given };
  }

  /**
   * The objects that can be the result of the request. The tag decides. Without tags, these are all objects that match
   * by name, time and inputs.
   */
  async #candidates(counted: Counted = "now"): Promise<readonly Values[]> {
    const { kind } = this.#work;
    await this.#learnTime();
    const isTagged = this.#isTagged;
    const found: Values[] = [];
    for (const listed of await namesakesOf(this.#work, this.#inputs, counted)) {
      if (holderOf(this.#work, this.#inputs, listed, true) !== undefined) continue;
      if (isTagged) {
        if ((await kind.tagOf?.(this.#work, listed)) === tagText(this.#tag)) found.push(listed);
        continue;
      }
      const present = this.#isInTime(listed) ? await kind.read(this.#work, addressOf(this.#work, listed)) : undefined;
      if (present !== undefined && this.#fits(present)) found.push(present);
    }
    return found;
  }

  get #request(): Request<object> {
    const { request } = this.#creation;
    if (typeof request !== "function") return request;
    return request({ [tagAnnotation]: tagText(this.#tag) }, this.#work.serverClock.now());
  }

  get #isTagged(): boolean {
    return typeof this.#creation.request === "function";
  }

  /** Learns the platform's time from any response, including an error. */
  async #learnTime(): Promise<void> {
    const { serverClock } = this.#work;
    if (serverClock.isSynchronized) return;
    await this.#work.read(auth.get()).catch((error: unknown) => {
      if (!serverClock.isSynchronized) throw error;
    });
  }

  /** Whether an object appeared while the request could take effect. True if the platform does not report the time. */
  #isInTime(found: Values): boolean {
    const appearedAt = timeOf(found);
    if (appearedAt === undefined) return true;
    const { serverClock } = this.#work;
    const latest = new Date((this.#resentAt ?? this.#sentAt()).getTime() + effectWithin);
    return (
      appearedAt >= serverClock.earliestTimestamp(this.#sentAt()) && appearedAt <= serverClock.latestTimestamp(latest)
    );
  }

  /** Whether an object matches the request. Inputs that the creation leaves to an update need not match yet. */
  #fits(present: Values): boolean {
    const { kind } = this.#work;
    if (!this.#isInTime(present)) return false;
    const left = changesAt(this.#creation.leaves ?? []);
    const different = differences(kind, present, [], this.#inputs).filter((path) => !left.has(path));
    return different.every((path) => {
      const { platform, unset } = ruleFor(kind.rules, path);
      // The platform need not report every input. An input that it does not report cannot differ, but a member of a
      // reported one can.
      return platform !== undefined || (present[top(path)] === undefined && unset !== "none");
    });
  }

  /** Warns that the object was found by its natural key alone, because nothing else identifies it. */
  #warnOfMatch(found: Values): void {
    const { kind } = this.#work;
    if (this.#isTagged) return;
    this.#work.warn(
      `The ${kind.noun} ${kind.id(found)} appeared when a request was sent whose response is lost, and is as declared. It was taken for the result of the request. If another program created it, remove this resource with \`pulumi state delete\`.`,
    );
  }

  /**
   * Warns of other objects that the requests of this creation may have created: keys that are useless without the lost
   * response, and objects of an earlier request that appeared after the search. Nothing proves whose they are, so they
   * stay. The search runs after the creation, when it is known best how far timestamps are off.
   */
  async #warnOfOthers(): Promise<void> {
    const { kind } = this.#work;
    if (this.#creation.repeatable || !this.#mayExist) return;
    const created = this.#work.progress.object?.id;
    for (const one of await this.#candidates()) {
      if (kind.id(one) !== created) this.#work.warn(unrecorded(kind, one));
    }
  }
}

/** When an object appeared, by the platform's clock, if the platform reports it. */
function timeOf(outputs: Values): number | undefined {
  const time = Date.parse(appearedAt(outputs) ?? "");
  return Number.isFinite(time) ? time : undefined;
}
