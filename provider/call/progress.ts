import type { Operation } from "../../api/schemas/operation";
import type { Origin } from "../ownership/claim";
import type { Values } from "../values";
import { type PendingChange, pendingOperation, type PendingWork } from "./pending-work";

/** The object of a call: the one in the state, or the one that the call has adopted, recovered or created. */
export interface CallObject extends Origin {
  readonly id: string;
  /** What is known of it so far. */
  readonly outputs: Values;
}

/** How far a call has come, recorded step by step. What is pending is saved with the resource if the next step fails. */
export class Progress {
  object: CallObject | undefined;
  /** Paths of the inputs that the call is to apply. */
  wanted: readonly string[] = [];
  /** What the platform has accepted. Undefined: nothing, so that a failure leaves everything as it was. */
  pending: PendingWork | undefined;
  /** Whether the call has created its object. */
  hasCreated = false;
  /** The id of the journal entry of a change that must not be sent twice, once it was accepted. */
  changeId: string | undefined;
  /** Paths of the inputs whose change was accepted by this call, whether its operations have finished or not. */
  readonly applied = new Set<string>();

  /** Paths of the inputs that the platform has accepted and that are not certainly applied. */
  get unapplied(): readonly string[] {
    return this.pending !== undefined && "applies" in this.pending ? this.pending.applies : [];
  }

  /** The change with this key that an earlier call has sent, and that may have been made although an operation failed. */
  unsettled(idempotencyKey: string): PendingChange | undefined {
    return this.#once?.idempotencyKey === idempotencyKey ? this.#once : undefined;
  }

  /** The platform has created the object. */
  created(object: CallObject): void {
    this.hasCreated = true;
    this.object = object;
    this.pending = { stage: "waiting", operations: [], applies: [] };
  }

  /** The platform may have accepted a change, but its response was lost. A call that has done nothing else has done nothing. */
  sent(applies: readonly string[], once?: PendingChange): void {
    if (this.pending !== undefined) this.wait([], applies, once);
  }

  /** The platform has accepted a change, whose operations are not known yet. */
  accepted(applies: readonly string[], learned: Values = {}, changeId = this.changeId): void {
    this.changeId = changeId;
    for (const path of applies) this.applied.add(path);
    this.learn(learned);
    this.wait([], applies);
  }

  /** Something is known of the object now. */
  learn(outputs: Values): void {
    if (this.object !== undefined) this.object = { ...this.object, outputs: { ...this.object.outputs, ...outputs } };
  }

  /**
   * The call waits for these operations.
   *
   * @param once the change that has started them, if it must not be made twice
   */
  wait(operations: readonly Operation[], applies: readonly string[], once = this.#once): void {
    this.pending = {
      stage: this.#stage,
      operations: operations.map(pendingOperation),
      applies: [...new Set([...this.unapplied, ...applies])],
      ...(once && { once }),
    };
  }

  /** These inputs are applied, by the change with this key if it must not be made twice. */
  succeeded(applies: readonly string[], idempotencyKey?: string): void {
    const left = this.unapplied.filter((path) => !applies.includes(path));
    const once = idempotencyKey === this.#once?.idempotencyKey ? undefined : this.#once;
    this.pending =
      left.length === 0
        ? { stage: "finished" }
        : { stage: this.#stage, operations: [], applies: left, ...(once && { once }) };
  }

  /** An operation has failed: what is not certainly applied has to be applied again. */
  failed(): void {
    const [operations, applies, once] = [[], this.unapplied, this.#once];
    this.pending = { stage: "failed", operations, applies, ...(once && { once }) };
  }

  get #stage(): "waiting" | "failed" {
    return this.pending?.stage === "failed" ? "failed" : "waiting";
  }

  get #once(): PendingChange | undefined {
    return this.pending !== undefined && "once" in this.pending ? this.pending.once : undefined;
  }
}
