import { describeError, isNotFound, NeonError, OutcomeUnknownError, summaryOf } from "../../api/errors";
import { isEnded } from "../../api/operations/status";
import type { Request } from "../../api/request";
import type { Operation } from "../../api/schemas/operation";
import type { Values } from "../values";
import { type IdempotencyRecords, keyOf, type Once } from "./idempotency";
import type { PendingChange } from "./pending-work";
import type { Progress } from "./progress";
import { branchOf } from "./project-operations";
import type { Sender } from "./sender";

/** A request that changes or deletes an object. */
export interface Change<Response extends object> {
  /** What is being done, such as `resize compute`. */
  readonly what: string;
  readonly project: string | undefined;
  readonly request: Request<Response>;
  /** Paths of the inputs that this applies: they are applied again if its operations fail. */
  readonly applies?: readonly string[];
  /**
   * Outputs that only the response reports: recorded before its operations are waited for. The response is missing when
   * it was lost and the change was found to be done.
   */
  readonly outputs?: (response: Response | undefined) => Values;
  /**
   * Whether the change is done, asked when the response was lost or says nothing.
   *
   * @param before what `once` says of the object before this change was sent for the first time
   */
  readonly done: (before: Values) => Promise<boolean>;
  /**
   * Makes sure that the object is still the one in the state, before the change is sent again: in the meantime, another program
   * may have deleted it and created another one of the same name. Only for requests that name the object. Also asked when
   * the change was confirmed, but is not done.
   *
   * @throws NeonError if it is another one
   */
  readonly assertSame?: () => Promise<unknown>;
  /** The compute whose configuration it changes: if that is as wanted, the response names no operation although one may still run. */
  readonly configures?: string;
  /** The change must not be sent twice: that would undo what was done since the first time. */
  readonly once?: Once;
  /** The response says nothing, not even of an operation: only a read tells whether the change was performed. */
  readonly silent?: true;
}

/** How a change is sent, given what earlier calls have made of it. */
interface Sending {
  /** What the object was like before the change was sent for the first time. Empty if it may be sent twice. */
  readonly before: Values;
  /** When it was sent for the first time. */
  readonly sentAt: () => Date;
  /** An earlier call has made the change. */
  readonly wasDone: boolean;
  /** An earlier call has made the change, and this one has waited for its operations. */
  readonly hasWaited: boolean;
  /** The id of its record, if it must not be sent twice. */
  readonly changeId?: string | undefined;
  readonly once?: PendingChange;
}

/** What changes need of the call's context. */
interface ChangeContext {
  readonly sender: Sender;
  readonly progress: Progress;
  readonly warn: (text: string) => void;
  readonly waitFor: (
    operations: readonly Operation[],
    applies: readonly string[],
    once?: PendingChange,
  ) => Promise<void>;
}

/**
 * Sends, records and waits for the changes of a call, in this order: whatever fails after the platform has accepted one, the
 * progress of the call is recorded.
 */
export class ChangeSender {
  readonly #context: ChangeContext;
  readonly #records: IdempotencyRecords;

  constructor(context: ChangeContext, records: IdempotencyRecords) {
    this.#context = context;
    this.#records = records;
  }

  /**
   * Changes or deletes an object and waits until that is done. Returns nothing if the response was lost, or if an earlier
   * run received it.
   */
  async make<Response extends object>(change: Change<Response>): Promise<Response | undefined> {
    const { applies = [] } = change;
    const sending = await this.#prepare(change);
    this.#context.sender.show(change.what);
    const response = sending.wasDone ? undefined : await this.#send(change, sending);
    this.#context.progress.accepted(applies, change.outputs?.(response), sending.changeId);
    if (!sending.hasWaited) await this.#waitForChange(change, sending, response);
    if (change.silent === true && response !== undefined && !(await this.#isDone(change, sending.before))) {
      await change.assertSame?.();
      throw notDone(change);
    }
    this.#context.progress.succeeded(applies, sending.once?.idempotencyKey);
    return response;
  }

  /** Finds out what earlier calls have made of a change that must not be made twice, and records that it is sent now. */
  async #prepare({ what, once, done }: Pick<Change<object>, "what" | "once" | "done">): Promise<Sending> {
    const { serverClock } = this.#context.sender.client;
    const sentAt = serverClock.capture();
    if (once === undefined) return { before: {}, sentAt, wasDone: false, hasWaited: false };
    const unsettled = this.#context.progress.unsettled(keyOf(once));
    const interrupted = await this.#records.find(once);
    const earlier = unsettled ?? interrupted;
    const wasDone = earlier !== undefined && (await done(earlier.before));
    if (wasDone) {
      this.#context.warn(
        `An earlier run may have completed this: ${what}. The object has changed since, so it was not repeated. If something else has changed it, declare another value of the trigger.`,
      );
    }
    const { before } = (wasDone ? earlier : interrupted) ?? once;
    return {
      before,
      sentAt: interrupted === undefined ? sentAt : () => new Date(interrupted.sentAt ?? interrupted.writtenAt),
      wasDone,
      hasWaited: wasDone && unsettled !== undefined,
      changeId:
        interrupted?.id ??
        (wasDone ? undefined : await this.#records.write(once, serverClock.now(), (text) => this.#context.warn(text))),
      once: { idempotencyKey: keyOf(once), before },
    };
  }

  /** Waits for the operations that a change has started; without its response, for those of the branch since it was sent. */
  async #waitForChange(
    change: Pick<Change<object>, "project" | "applies" | "configures">,
    { sentAt, once }: Sending,
    response: object | undefined,
  ): Promise<void> {
    const { project, applies = [] } = change;
    const { sender, progress } = this.#context;
    const operations =
      response === undefined
        ? await sender.operations.unfinishedSince(project, branchOf(progress.object?.outputs), sentAt)
        : await this.#startedBy(response, change);
    // Never repeat a completed once-only change, even if its operations fail.
    const isCompleted = response === undefined && once !== undefined;
    if (isCompleted) progress.succeeded(applies, once.idempotencyKey);
    await this.#context.waitFor(operations, isCompleted ? [] : applies, isCompleted ? undefined : once);
  }

  /** The operations that a response names, or those of the same change that a killed run has made and that are still running. */
  async #startedBy(
    response: object,
    { project, configures }: Pick<Change<object>, "project" | "configures">,
  ): Promise<readonly Operation[]> {
    const named = operationsOf(response);
    if (named.length > 0 || configures === undefined || project === undefined) return named;
    const latest = await this.#context.sender.operations.latest(project, 20);
    return latest.filter(
      ({ action, endpoint_id: id, status }) => action === "apply_config" && id === configures && !isEnded(status),
    );
  }

  /** Sends a change until a response arrives, or the change is found to be done. */
  async #send<Response extends object>(
    change: Change<Response>,
    { before, changeId, once }: Sending,
  ): Promise<Response | undefined> {
    for (;;) {
      try {
        return await this.#context.sender.mutate(change.request, change.assertSame);
      } catch (error) {
        if (!OutcomeUnknownError.isInstance(error)) {
          if (changeId !== undefined) await this.#records.discard(changeId);
          throw error;
        }
        this.#context.progress.sent(change.applies ?? [], once);
        this.#context.sender.show(`${change.what}: the response was lost, checking the result`);
        const isDone = await this.#isDone(change, before).catch((cause: unknown) => {
          // That the object is gone answers the question, too.
          throw isNotFound(cause) ? cause : unknownOutcome(error, checkFailed(cause), runAgain, cause);
        });
        if (isDone) return undefined;
        this.#context.sender.assertTime(unknownOutcome(error, "Nothing has changed so far", runAgain));
        await change.assertSame?.();
      }
    }
  }

  async #isDone({ done }: Pick<Change<object>, "done">, before: Values): Promise<boolean> {
    return (await this.#context.sender.search(async () => ((await done(before)) ? true : undefined))) ?? false;
  }
}

/** The operations that a response names. Responses to some mutations have no such member. */
export function operationsOf(response: { readonly operations?: unknown }): readonly Operation[] {
  // Where the platform documents the member, the schema of the response has parsed it.
  return (response.operations as readonly Operation[] | undefined) ?? [];
}

const runAgain = "Run the same command again.";

function notDone({ what, request: { method, path } }: Pick<Change<object>, "what" | "request">): NeonError {
  const summary = `${method} ${path} succeeded, but the change was not made: ${what}`;
  return new NeonError("outcome-unknown", summary, undefined, { retry: runAgain });
}

export function checkFailed(cause: unknown): string {
  return `Checking the result failed, too: ${describeError(cause, {})}`;
}

/** The outcome of a mutation is not known, even after checking for its result. */
export function unknownOutcome(error: Error, finding: string, retry: string, cause: unknown = error): NeonError {
  return new NeonError("outcome-unknown", `${summaryOf(error)}. ${finding}`, cause, { retry });
}
