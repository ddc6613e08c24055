import type { Operation } from "../../api/schemas/operation";
import type { Origin } from "../ownership/claim";
import type { Values } from "../values";
import { pendingOperation, type PendingWork } from "./pending-work";

/** The object of a call: the one in the state, or the one that the call has adopted, recovered or created. */
export interface CallObject extends Origin {
  readonly id: string;
  /** The outputs that are known so far. */
  readonly outputs: Values;
}

/** The progress of a call, recorded step by step. Pending work is saved with the resource if the next step fails. */
export class Progress {
  object: CallObject | undefined;
  /** Paths of the inputs that the call has to apply. */
  wanted: readonly string[] = [];
  /**
   * The work that the platform has accepted. Undefined if there is none, so that a failure leaves everything as it was.
   */
  pending: PendingWork | undefined;
  /** Whether the call has created its object. */
  hasCreated = false;
  /** The last operation of the creation. */
  latestOperation: string | undefined;
  /** Evidence for the state that tells later whether the changes of this call have been made. */
  evidence: Values | undefined;
  /**
   * Paths of the inputs whose change the platform has accepted in this call, whether or not its operations have
   * finished.
   */
  readonly applied = new Set<string>();

  /** Paths of the inputs that the platform has accepted and that are not certainly applied. */
  get unapplied(): readonly string[] {
    return this.pending !== undefined && "applies" in this.pending ? this.pending.applies : [];
  }

  /** Records that the platform has created the object. */
  created(object: CallObject): void {
    this.hasCreated = true;
    this.object = object;
    this.pending = { stage: "waiting", operations: [], applies: [] };
  }

  /**
   * Records that the platform may have accepted a change whose response was lost. If the call has had no effect before,
   * nothing counts as pending.
   */
  sent(applies: readonly string[]): void {
    if (this.pending !== undefined) this.wait([], applies);
  }

  /** Records that the platform has accepted a change, whose operations are not known yet. */
  accepted(applies: readonly string[], learned: Values = {}): void {
    for (const path of applies) this.applied.add(path);
    this.learn(learned);
    this.wait([], applies);
  }

  /** Records outputs of the object. */
  learn(outputs: Values): void {
    if (this.object !== undefined) this.object = { ...this.object, outputs: { ...this.object.outputs, ...outputs } };
  }

  /** Records that the call waits for these operations. */
  wait(operations: readonly Operation[], applies: readonly string[]): void {
    if (this.hasCreated) this.latestOperation ??= operations.at(-1)?.id;
    this.pending = {
      stage: this.#stage,
      operations: operations.map(pendingOperation),
      applies: [...new Set([...this.unapplied, ...applies])],
    };
  }

  /** Records that these inputs are applied. */
  succeeded(applies: readonly string[]): void {
    const left = this.unapplied.filter((path) => !applies.includes(path));
    this.pending = left.length === 0 ? { stage: "finished" } : { stage: this.#stage, operations: [], applies: left };
  }

  /** Records that an operation has failed: inputs that are not certainly applied have to be applied again. */
  failed(): void {
    this.pending = { stage: "failed", operations: [], applies: this.unapplied };
  }

  get #stage(): "waiting" | "failed" {
    return this.pending?.stage === "failed" ? "failed" : "waiting";
  }
}
