import type { Operation } from "../../api/schemas/operation";
import type { Found } from "./found";
import { type Pending, pendingOperation } from "./pending";
import type { Values } from "./values";

/** What of a call is saved with the resource when it fails half-way. */
type Unfinished = Pick<Pending, "operations" | "applies" | "ended">;

/** Something was accepted, and what it has started is not known: nobody can say yet that it has ended well. */
const unknownOperations: Unfinished = { operations: [], applies: [] };

/** How far a call has come: recorded step by step, so that whatever fails next leaves it behind. */
export class Progress {
  #created: Found<unknown> | undefined;
  #learned: Values = {};
  #accepted = false;
  #endedBadly = false;
  #waiting: Unfinished | undefined;
  #changeNumber: string | undefined;
  readonly #applied = new Set<string>();
  /** What steps of earlier calls were to apply and no step of this one has applied yet. */
  readonly #owed = new Set<string>();

  /** What has been created, as soon as the platform has answered. */
  get created(): Found<unknown> | undefined {
    return this.#created;
  }

  /** Outputs that this call has learned so far, to be laid over what was known before. */
  get learned(): Values {
    return { ...(this.#created?.outputs as Values | undefined), ...this.#learned };
  }

  /** Whether the platform has accepted any change of this call. */
  get accepted(): boolean {
    return this.#accepted;
  }

  /** Whether an operation of this call, or of the one it resumes, has ended without success. */
  get endedBadly(): boolean {
    return this.#endedBadly;
  }

  /** Paths of the inputs whose change was accepted by this call, whether it has ended yet or not. */
  get applied(): ReadonlySet<string> {
    return this.#applied;
  }

  /** Paths of the inputs that a step of an earlier call was to apply, and that have to be applied again. */
  get owed(): ReadonlySet<string> {
    return this.#owed;
  }

  /** The number of the journal entry of a change that must not be sent twice, once it was accepted. */
  get changeNumber(): string | undefined {
    return this.#changeNumber;
  }

  /** What was accepted and has not ended well. */
  get unfinished(): Unfinished {
    const nothing: Unfinished = { operations: [], applies: [], ...(this.#endedBadly ? {} : { ended: true }) };
    if (this.#waiting === undefined && this.#owed.size === 0) return nothing;
    const { operations, applies } = this.#waiting ?? unknownOperations;
    return { operations, applies: [...new Set([...applies, ...this.#owed])] };
  }

  /** The platform may have accepted a change, but its answer was lost. */
  sent(applies: readonly string[]): void {
    this.#waiting = { operations: [], applies };
  }

  /** The platform has created the object. */
  create(found: Found<unknown>): void {
    this.#accepted = true;
    this.#created = found;
    this.#waiting = unknownOperations;
  }

  /** The platform has accepted a change. */
  accept(applies: readonly string[], learned: Values = {}, changeNumber?: string): void {
    this.#accepted = true;
    this.#changeNumber = changeNumber ?? this.#changeNumber;
    this.#learned = { ...this.#learned, ...learned };
    for (const path of applies) this.#applied.add(path);
  }

  /** The call goes on with what an earlier one has left, or an interrupted run has started. */
  resume({ operations, applies }: Unfinished = unknownOperations): void {
    this.#accepted = true;
    this.#waiting = { operations, applies };
  }

  /** These operations are waited for. */
  wait(operations: readonly Operation[], applies: readonly string[]): void {
    this.#waiting = { operations: operations.map(pendingOperation), applies };
  }

  /** What was waited for has ended well. */
  finish(): void {
    this.#waiting = undefined;
  }

  /** A wait has failed. */
  fail(hasEnded = true): void {
    this.#endedBadly = hasEnded;
  }

  /** These have to be applied again. Until they are, the call is not done. */
  owe(applies: readonly string[]): void {
    for (const path of applies) this.#owed.add(path);
    this.#waiting ??= unknownOperations;
    this.#endedBadly = true;
  }

  /** These are applied. */
  settle(applies: readonly string[]): void {
    for (const path of applies) this.#owed.delete(path);
  }
}
