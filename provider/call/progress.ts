import type { Operation } from "../../api/schemas/operation";
import type { Origin } from "../ownership/claim";
import type { Values } from "../values";
import { pendingOperation, type PendingWork } from "./pending-work";

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
  /** The last operation of the creation. */
  latestOperation: string | undefined;
  /** Evidence for the state, which tells later whether the changes of this call have been made. */
  evidence: Values | undefined;
  /** Paths of the inputs whose change was accepted by this call, whether its operations have finished or not. */
  readonly applied = new Set<string>();

  /** Paths of the inputs that the platform has accepted and that are not certainly applied. */
  get unapplied(): readonly string[] {
    return this.pending !== undefined && "applies" in this.pending ? this.pending.applies : [];
  }

  /** The platform has created the object. */
  created(object: CallObject): void {
    this.hasCreated = true;
    this.object = object;
    this.pending = { stage: "waiting", operations: [], applies: [] };
  }

  /** The platform may have accepted a change, but its response was lost. A call that has done nothing else has done nothing. */
  sent(applies: readonly string[]): void {
    if (this.pending !== undefined) this.wait([], applies);
  }

  /** The platform has accepted a change, whose operations are not known yet. */
  accepted(applies: readonly string[], learned: Values = {}): void {
    for (const path of applies) this.applied.add(path);
    this.learn(learned);
    this.wait([], applies);
  }

  /** Something is known of the object now. */
  learn(outputs: Values): void {
    if (this.object !== undefined) this.object = { ...this.object, outputs: { ...this.object.outputs, ...outputs } };
  }

  /** The call waits for these operations. */
  wait(operations: readonly Operation[], applies: readonly string[]): void {
    if (this.hasCreated) this.latestOperation ??= operations.at(-1)?.id;
    this.pending = {
      stage: this.#stage,
      operations: operations.map(pendingOperation),
      applies: [...new Set([...this.unapplied, ...applies])],
    };
  }

  /** These inputs are applied. */
  succeeded(applies: readonly string[]): void {
    const left = this.unapplied.filter((path) => !applies.includes(path));
    this.pending = left.length === 0 ? { stage: "finished" } : { stage: this.#stage, operations: [], applies: left };
  }

  /** An operation has failed: what is not certainly applied has to be applied again. */
  failed(): void {
    this.pending = { stage: "failed", operations: [], applies: this.unapplied };
  }

  get #stage(): "waiting" | "failed" {
    return this.pending?.stage === "failed" ? "failed" : "waiting";
  }
}
