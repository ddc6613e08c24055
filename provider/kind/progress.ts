import type { Operation } from "../../api/schemas/operation";
import { type Pending, type PendingChange, pendingOperation } from "./pending-work";
import type { Values } from "./values";

/** The unfinished part of a call. It is saved with the resource if the call fails. */
type Unfinished = Pick<Pending, "operations" | "applies" | "once" | "ended">;

/** The object of a call. */
export interface CallObject {
  readonly id: string;
  readonly outputs: Values;
  /** The id of its creation, if this stack has created it. */
  readonly creationId?: string | undefined;
  /** Tells its adoption from any other one, if this stack has adopted it. */
  readonly adoption?: string | undefined;
}

/** The platform has accepted a change, but its operations are not known. */
const unknownOperations: Unfinished = { operations: [], applies: [] };

/** The progress of a call, recorded step by step. It is saved with the resource if the next step fails. */
export class Progress {
  /** The object that the call works with: the one in the state, or the one that it has adopted, recovered or created. */
  object: CallObject | undefined;
  /** Paths of the inputs that the call is to apply. */
  wanted: readonly string[] = [];
  #hasCreated = false;
  #learned: Values = {};
  #accepted = false;
  #operationFailed = false;
  #waiting: Unfinished | undefined;
  #changeNumber: string | undefined;
  /** A change that must not be made twice, and has not succeeded. */
  #unsettled: PendingChange | undefined;
  readonly #applied = new Set<string>();
  /** Paths that earlier calls were to apply and that this call has not applied yet. */
  readonly #owed = new Set<string>();

  /** Whether the call has created its object. */
  get hasCreated(): boolean {
    return this.#hasCreated;
  }

  /** Outputs that this call has learned so far; they override what was known before. */
  get learned(): Values {
    return this.#learned;
  }

  /** Whether the platform has accepted any change of this call. */
  get accepted(): boolean {
    return this.#accepted;
  }

  /** Whether an operation of this call, or of the one it resumes, has failed. */
  get operationFailed(): boolean {
    return this.#operationFailed;
  }

  /** Paths of the inputs whose change was accepted by this call, whether its operations have finished or not. */
  get applied(): ReadonlySet<string> {
    return this.#applied;
  }

  /** The number of the journal entry of a change that must not be sent twice, once it was accepted. */
  get changeNumber(): string | undefined {
    return this.#changeNumber;
  }

  /** What was accepted and has not succeeded. */
  get unfinished(): Unfinished {
    const nothing: Unfinished = { operations: [], applies: [], ...(this.#operationFailed ? {} : { ended: true }) };
    if (this.#waiting === undefined && this.#owed.size === 0) return nothing;
    const { operations, applies } = this.#waiting ?? unknownOperations;
    const once = this.#unsettled;
    return { operations, applies: [...new Set([...applies, ...this.#owed])], ...(once && { once }) };
  }

  /** The change with this key that an earlier call has sent, and that may have been made although an operation failed. */
  unsettled(idempotencyKey: string): PendingChange | undefined {
    return this.#unsettled?.idempotencyKey === idempotencyKey ? this.#unsettled : undefined;
  }

  /** The platform may have accepted a change, but its response was lost. */
  sent(applies: readonly string[], once?: PendingChange): void {
    this.#waiting = { operations: [], applies };
    this.#unsettled = once ?? this.#unsettled;
  }

  /** The platform has created the object. */
  create(object: CallObject): void {
    this.#accepted = true;
    this.#hasCreated = true;
    this.object = object;
    this.#learned = { ...object.outputs, ...this.#learned };
    this.#waiting = unknownOperations;
  }

  /** The platform has accepted a change. */
  accept(applies: readonly string[], learned: Values = {}, changeNumber?: string): void {
    this.#accepted = true;
    this.#changeNumber = changeNumber ?? this.#changeNumber;
    this.#learned = { ...this.#learned, ...learned };
    for (const path of applies) this.#applied.add(path);
  }

  /** The call resumes what an earlier call has left, or an interrupted run has started. */
  resume({ operations, applies, once }: Unfinished = unknownOperations): void {
    this.#accepted = true;
    this.#waiting = { operations, applies };
    this.#unsettled = once;
  }

  /**
   * The call waits for these operations.
   *
   * @param once the change that has started them, if it must not be made twice
   */
  wait(operations: readonly Operation[], applies: readonly string[], once?: PendingChange): void {
    this.#waiting = { operations: operations.map(pendingOperation), applies };
    this.#unsettled = once ?? this.#unsettled;
  }

  /** The operations that the call has waited for have succeeded. */
  finish(): void {
    this.#waiting = undefined;
  }

  /** Waiting has failed. */
  fail(operationFailed = true): void {
    this.#operationFailed = operationFailed;
  }

  /** The call has to apply these paths again before it is done. */
  owe(applies: readonly string[]): void {
    for (const path of applies) this.#owed.add(path);
    this.#waiting ??= unknownOperations;
    this.#operationFailed = true;
  }

  /** The call has applied these paths, by the change with this key if it must not be made twice. */
  settle(applies: readonly string[], idempotencyKey?: string): void {
    for (const path of applies) this.#owed.delete(path);
    if (idempotencyKey === this.#unsettled?.idempotencyKey) this.#unsettled = undefined;
  }
}
