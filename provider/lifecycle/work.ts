import { asSentence, invalid } from "../../api/core/errors";
import type { ServerClock } from "../../api/server-clock";
import type { Call } from "../call/call";
import { Context, type Purpose } from "../call/context";
import type { Pending } from "../call/pending-work";
import type { Account, Services } from "../call/services";
import type { Owner } from "../call/visibility";
import { type AnyKind, projectOf } from "../kind/kind";
import { naturalKeyOf, uniqueInputs } from "../kind/natural-key";
import type { Values } from "../values";
import { unusable } from "./errors";

/** A kind of resource, as this process serves it. */
export interface ServedKind {
  readonly kind: AnyKind;
  readonly services: Services;
}

/** What a call knows of its object when it begins. */
interface Known {
  /** Outputs of the object, or inputs of the one to be created. */
  readonly values?: Values;
  /** The owner of its project, as recorded in the state. */
  readonly owner?: Owner | undefined;
  /** What the kind has kept to tell later whether a change has been made. */
  readonly evidence?: Values | undefined;
}

/** The work of one call of a verb: what all steps of it share. */
export class Work implements ServedKind {
  readonly kind: AnyKind;
  readonly services: Services;
  readonly account: Account;
  readonly call: Call;
  readonly context: Context;

  /** @throws NeonError `invalid` if a setting is missing or wrong */
  constructor(
    { kind, services }: ServedKind,
    call: Call,
    purpose: Purpose,
    { values = {}, owner, evidence }: Known = {},
  ) {
    this.kind = kind;
    this.services = services;
    this.account = accountOf(services);
    this.call = call;
    const subject = {
      project: projectOf(kind, values),
      owner,
      isProject: kind.scope?.isProject === true,
    };
    this.context = new Context(services, this.account, call, subject, purpose);
    this.context.evidence = evidence;
  }

  /** The platform's time. */
  get serverClock(): ServerClock {
    return this.account.client.serverClock;
  }

  /** Does some work while no other call of this process changes the project, or an object outside projects with this natural key. */
  withLock<Result>(verb: string, values: Values, work: () => Promise<Result>): Promise<Result> {
    const { kind } = this;
    const isUnique = uniqueInputs(kind, values).length > 0;
    const lock =
      kind.scope?.lock?.(values) ?? projectOf(kind, values) ?? (isUnique ? naturalKeyOf(kind, values) : undefined);
    return this.context.withLock(lock, `${verb} ${this.kind.noun}`, work);
  }

  /**
   * Repairs the object after one of its operations has failed.
   *
   * @throws Error with the reason of the failure, if the creation failed and the object can never become usable
   */
  async repair(step: Pending["step"], reason: string): Promise<void> {
    const { usable, repair } = this.kind.finishing ?? {};
    const { outputs = {} } = this.context.progress.object ?? {};
    if (step === "create" && usable !== undefined && !(await usable(this.context, outputs))) throw unusable(reason);
    await repair?.(this.context, outputs);
  }

  /** @param recorded the owner of the object's project as the state says; a transfer can have changed it */
  async ownerOf(outputs: Values, recorded: Owner | undefined): Promise<Owner | undefined> {
    const project = projectOf(this.kind, outputs);
    return project === undefined ? undefined : await this.context.visibility.ownerOf(project, recorded);
  }
}

/** A call that looks for what is there. */
export type Looking = Pick<Work, "kind" | "services" | "call" | "context">;

/** The work of a create. */
export class CreateWork extends Work {
  readonly inputs: Values;

  constructor(served: ServedKind, call: Call, given: Values) {
    super(served, call, "change", { values: given });
    this.inputs = served.kind.inputs().parse(given);
  }
}

function accountOf(services: Services): Account {
  const account = services.account();
  if (!("problems" in account)) return account;
  const list = account.problems.map(({ property, reason }) => `${property} ${reason}`).join("; ");
  throw invalid(asSentence(list));
}
