import { milliseconds } from "../../api/duration";
import { asSentence, invalid } from "../../api/errors";
import { Context } from "../kind/context";
import { changesAt } from "../kind/differences";
import { idempotencyRecords } from "../kind/idempotency";
import { type AnyKind, projectOf } from "../kind/kind";
import type { Values } from "../kind/values";
import type { ObjectKey } from "../ownership/claim";
import type { CreationEntry } from "../ownership/journal";
import type { Owner } from "../ownership/visibility";
import { Adoption } from "./adoption";
import { CreationSearch } from "./creation-search";
import { otherCreator } from "./effect-time";
import { Recovery } from "./recovery";
import type { Account, Services } from "./services";
import { entryOf, type HiddenInputs, hiddenInputsOf, type State, type Timeouts } from "./state";
import { savedHiddenInputs } from "./stored-outputs";

interface CallOptions {
  readonly verb: keyof Timeouts;
  readonly hidden: Partial<HiddenInputs>;
  /** The project that the object belongs to, if that is known. */
  readonly project?: string | undefined;
  /** The number of the resource's entry in the state, if it has one. */
  readonly entry?: string | undefined;
  /** The owner of that project, as recorded in the state. */
  readonly owner?: Owner | undefined;
  /** Whether objects may be read from lists that this process has just read. Default: no. */
  readonly sharesReads?: boolean;
  /** Whether the call only reads an object into the state. Default: no. */
  readonly isRefresh?: boolean;
}

/** A resource, and the entry of the state that is its own. */
interface Holder {
  readonly urn: string;
  /** Default: the same. */
  readonly stateUrn?: string | undefined;
  readonly entry: string | undefined;
}

/** How long a preview waits for an answer of the platform, in milliseconds. */
const previewTimeout = 20_000;

/** A kind and the services of this process: what all verbs of the lifecycle share. */
export class KindRuntime {
  readonly kind: AnyKind;
  readonly services: Services;
  readonly adoption: Adoption;
  readonly search: CreationSearch;
  readonly recovery: Recovery;

  constructor(kind: AnyKind, services: Services) {
    this.kind = kind;
    this.services = services;
    this.adoption = new Adoption(kind, services);
    this.search = new CreationSearch(kind, services);
    this.recovery = new Recovery(kind, services, this.adoption, this.search);
  }

  /** @throws NeonError `invalid` if a setting is missing or wrong */
  account(): Account {
    const account = this.services.account();
    if (!("problems" in account)) return account;
    const list = account.problems.map(({ property, reason }) => `${property} ${reason}`).join("; ");
    throw invalid(asSentence(list));
  }

  /** The context that the verbs of the kind work with in one call. */
  context(options: CallOptions): Context {
    const declared = options.hidden.timeouts?.[options.verb];
    const timeout = declared === undefined ? undefined : milliseconds(declared);
    return this.#context(options, timeout ?? this.account().settings.operationTimeout, true);
  }

  /** The context of a preview: it does not wait long, and reads no passwords. */
  previewContext(urn: string): Context {
    return this.#context({ verb: "create", hidden: { urn }, sharesReads: true }, previewTimeout, false);
  }

  #context(
    { hidden, project, owner, entry, sharesReads = false, isRefresh = false }: CallOptions,
    timeout: number,
    readsSecrets: boolean,
  ): Context {
    const { client, settings, visibility, sharedReads, fingerprint } = this.account();
    const { journal, locks, registry, savedStates, stack, failures, program, progress, warn } = this.services;
    const { urn = "" } = hidden;
    const warned = new Set<string>();
    const warnHere = (line: string): void => {
      if (!warned.has(line)) warn(urn, line);
      warned.add(line);
    };
    const isHeldByOtherStack = async (key: ObjectKey): Promise<boolean> => {
      if (savedStates.otherStackWith(urn, entry, key) !== undefined) return true;
      // No state holds yet what another run has just created.
      const isOwn = (one: CreationEntry): boolean => one.stack === stack(urn);
      const others = await journal.ofOtherProcesses(key.kind);
      return otherCreator(others, isOwn, { id: key.id, found: {} }) !== undefined;
    };
    return new Context({
      client,
      locks,
      orgId: settings.orgId,
      timeout,
      readsSecrets,
      isRefresh,
      sharedReads,
      sharesReads,
      progress: (line) => progress(urn, line),
      warn: warnHere,
      failures,
      records: idempotencyRecords({ journal, client, account: fingerprint, kind: this.kind.name, warn: warnHere }),
      visibility,
      assertVisible: async () => {
        if (project === undefined) return;
        if (this.kind.isProject === true) await visibility.assertDeleted(project, owner);
        else await visibility.assertVisible(project, owner);
      },
      isHeldByOther: async (key) => registry.claimsOfOthers(key, urn).length > 0 || (await isHeldByOtherStack(key)),
      isHeldByOtherStack,
      isRetained: program.isRetained(urn),
    });
  }

  /** The hidden inputs of a call, with the timeouts that the program declares in this run. */
  hiddenOf(given: Values): HiddenInputs {
    const hidden = hiddenInputsOf(given);
    const timeouts = this.services.program.timeoutsOf(hidden.urn, hidden.timeouts);
    return { ...savedHiddenInputs(hidden), ...(timeouts === undefined ? {} : { timeouts }) };
  }

  /** The journal entries that the state proves to be recorded are no longer needed. */
  async settle({ hidden: { attempt, change } }: State): Promise<void> {
    for (const number of [attempt, change]) {
      if (number !== undefined) await this.services.journal.settle(number).catch(() => undefined);
    }
  }

  /** Registers that the resource has this object and its declared parts, or will have them when this call returns. */
  claim({ urn, stateUrn = urn, entry }: Holder, outputs: Values, declared: readonly string[]): void {
    const { name, id, parts } = this.kind;
    const { registry } = this.services;
    registry.claim({ kind: name, id: id(outputs), urn, stateUrn, entry, as: "managed" });
    for (const part of parts?.(outputs, changesAt(declared)) ?? []) {
      registry.claim({ ...part, urn, stateUrn, entry, as: "part" });
    }
  }

  /** Registers the parts that the state declares and the program does not: the update of the resource deletes them. */
  claimFormerParts(urn: string, { hidden, outputs }: State, declared: readonly string[]): void {
    const { kind, services } = this;
    if (services.program.isRetained(urn)) return;
    const parts = (paths: readonly string[]): readonly ObjectKey[] => kind.parts?.(outputs, changesAt(paths)) ?? [];
    const kept = new Set(parts(declared).map(({ id }) => id));
    for (const part of parts(hidden.declared ?? [])) {
      if (kept.has(part.id)) continue;
      services.registry.claim({ ...part, urn, stateUrn: hidden.urn ?? urn, entry: entryOf(hidden), as: "former" });
    }
  }

  /**
   * Reads an object. That it is gone is believed only after a second read, and only of an account that could see it:
   * otherwise the object would be created again.
   */
  async read(context: Context, state: Values): Promise<Values | undefined> {
    const found = (await this.kind.read(context, state)) ?? (await this.kind.read(context, state));
    if (found === undefined) await context.assertVisible();
    return found;
  }

  /** @param recorded the owner of the object's project as the state says; a transfer can have changed it */
  async ownerOf(context: Context, outputs: Values, recorded: Owner | undefined): Promise<Owner | undefined> {
    const project = this.projectOf(outputs);
    return project === undefined ? undefined : await context.visibility.ownerOf(project, recorded);
  }

  projectOf(values: Values): string | undefined {
    return projectOf(this.kind, values);
  }

  lockOf(values: Values): string | undefined {
    return this.kind.lock?.(values) ?? this.projectOf(values);
  }

  /** The object as progress lines name it, such as `branch pr-42`. */
  titleOf(values: Values): string {
    const name = values[this.kind.defaultName ?? "name"];
    return typeof name === "string" ? `${this.kind.noun} ${name}` : this.kind.noun;
  }
}
