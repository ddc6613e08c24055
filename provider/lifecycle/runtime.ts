import { milliseconds } from "../../api/duration";
import { asSentence, PlatformError } from "../../api/errors";
import { Context } from "../kind/context";
import { changesAt } from "../kind/differences";
import { type Kind, projectOf } from "../kind/kind";
import type { Values } from "../kind/values";
import type { Owner } from "../ownership/visibility";
import { idempotencyRecords } from "./idempotency";
import type { Account, Services } from "./services";
import { type HiddenInputs, hiddenInputsOf, type State, type Timeouts } from "./state";
import { savedHiddenInputs } from "./stored-outputs";

/** What a call is about, besides its inputs. */
interface CallOptions {
  readonly verb: keyof Timeouts;
  readonly hidden: Partial<HiddenInputs>;
  /** The project that the object belongs to, if that is known. */
  readonly project?: string | undefined;
  /** The owner of that project, as recorded in the state. */
  readonly owner?: Owner | undefined;
}

/** A kind and the services of this process: what all verbs of the lifecycle share. */
export class KindRuntime<Inputs, Outputs extends object> {
  readonly kind: Kind<Inputs, Outputs>;
  readonly services: Services;

  constructor(kind: Kind<Inputs, Outputs>, services: Services) {
    this.kind = kind;
    this.services = services;
  }

  /** @throws PlatformError `invalid` if a setting is missing or wrong */
  account(): Account {
    const account = this.services.account();
    if (!("problems" in account)) return account;
    const list = account.problems.map(({ property, reason }) => `${property} ${reason}`).join("; ");
    throw new PlatformError("invalid", asSentence(list), undefined);
  }

  /** The context that the verbs of the kind work with in one call. */
  context({ verb, hidden, project, owner }: CallOptions): Context {
    const { client, settings, visibility, fingerprint } = this.account();
    const { journal, locks, registry, failures, progress, warn } = this.services;
    const { urn = "", timeouts } = hidden;
    const timeout = timeouts?.[verb];
    const warnHere = (line: string): void => warn(urn, line);
    return new Context({
      client,
      locks,
      orgId: settings.orgId,
      timeout: (timeout === undefined ? undefined : milliseconds(timeout)) ?? settings.operationTimeout,
      progress: (line) => progress(urn, line),
      warn: warnHere,
      failures,
      records: idempotencyRecords({ journal, client, account: fingerprint, kind: this.kind.name, warn: warnHere }),
      visibility,
      assertVisible: async () => {
        if (project !== undefined) await visibility.assertVisible(project, owner);
      },
      isHeldByOther: (key) => registry.claimsOfOthers(key, urn).length > 0,
    });
  }

  /** The hidden inputs of a call, with the timeouts that the program declares in this run. */
  hiddenOf(given: Values): HiddenInputs {
    const hidden = hiddenInputsOf(given);
    const timeouts = this.services.program.timeoutsOf(hidden.urn, hidden.timeouts);
    return { ...savedHiddenInputs(hidden), ...(timeouts === undefined ? {} : { timeouts }) };
  }

  /** The journal entries that the state proves to be recorded are no longer needed. */
  async settle({ hidden: { attempt, change } }: State<Outputs>): Promise<void> {
    for (const number of [attempt, change]) {
      if (number !== undefined) await this.services.journal.settle(number).catch(() => undefined);
    }
  }

  /** Registers that the resource has this object and its declared parts, or will have them when this call returns. */
  claim(urn: string, outputs: Partial<Outputs>, declared: readonly string[], stateUrn: string = urn): void {
    const { name, id, parts } = this.kind;
    const { registry } = this.services;
    registry.claim({ kind: name, id: id(outputs), urn, stateUrn, as: "managed" });
    for (const part of parts?.(outputs as Outputs, changesAt(declared)) ?? []) {
      registry.claim({ ...part, urn, stateUrn, as: "part" });
    }
  }

  /**
   * Reads an object. That it is gone is believed only after a second read, and only of an account that could see it:
   * otherwise the object would be created again.
   */
  async read(context: Context, state: Partial<Outputs>): Promise<Outputs | undefined> {
    const found = (await this.kind.read(context, state)) ?? (await this.kind.read(context, state));
    if (found === undefined) await context.assertVisible();
    return found;
  }

  /** The owner of the project that an object belongs to. */
  async ownerOf(context: Context, outputs: Outputs, known: Owner | undefined): Promise<Owner | undefined> {
    const project = this.projectOf(outputs);
    return project === undefined ? undefined : (known ?? (await context.visibility.ownerOf(project)));
  }

  projectOf(values: Partial<Outputs> | Values): string | undefined {
    return projectOf(this.kind, values);
  }

  /** The lock that a mutation of this object needs. */
  lockOf(values: Values): string | undefined {
    return this.kind.lock?.(values) ?? this.projectOf(values);
  }

  /** The object as progress lines name it, such as `branch pr-42`. */
  titleOf(values: Values): string {
    const name = values[this.kind.defaultName ?? "name"];
    return typeof name === "string" ? `${this.kind.noun} ${name}` : this.kind.noun;
  }
}
