import { isDeepStrictEqual } from "node:util";

import { milliseconds } from "../../api/duration";
import {
  asSentence,
  describeError,
  HttpError,
  isNotFound,
  messageOf,
  PlatformError,
  summaryOf,
} from "../../api/errors";
import { Context, type CreationRecord } from "../kind/context";
import { changesAt, declaredPaths, differences, newlyOwned, top, uniqueInputs } from "../kind/differences";
import { plain, refusedChanges, ruleFor, same, shapeProblems, unsetProblems } from "../kind/field-rules";
import type { Found } from "../kind/found";
import { type Changes, type Kind, type Problem, projectOf } from "../kind/kind";
import type { Pending } from "../kind/pending";
import type { Values } from "../kind/values";
import { atPath, pick, unknownValue, withValue } from "../kind/values";
import { type Claim, type ClaimType, titleOf } from "../ownership/claim";
import type { CreationEntry } from "../ownership/journal";
import type { Owner } from "../ownership/visibility";
import { Adoption, type CreateCall } from "./adoption";
import { idempotencyRecords } from "./idempotency";
import { type Orphan, Recovery } from "./recovery";
import type { Account, Services } from "./services";
import {
  type HiddenInputs,
  hiddenKey,
  hiddenInputsOf as hiddenOf,
  type HiddenOutputs,
  parseState,
  type State,
  storedState,
  type Timeouts,
} from "./state";

/** A difference between program and state, as the engine is told. */
export interface Difference {
  /** `undefined`: the engine compares the inputs itself, which shows each property. */
  readonly changes: boolean | undefined;
  /** Inputs whose change needs a new object. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** A change failed after the platform had accepted it: the object is there, and the next call goes on from here. */
export class PartialFailure extends Error {
  readonly resourceId: string;
  readonly #outputs: Values;

  constructor(resourceId: string, outputs: Values, cause: unknown) {
    super(messageOf(cause), { cause });
    this.resourceId = resourceId;
    this.#outputs = outputs;
  }

  /** An accessor, since there are secrets in there: whoever prints the error does not print them. */
  get outputs(): Values {
    return this.#outputs;
  }
}

/** The object in the state is not there any more: there is nothing to go on with. */
class GoneError extends PlatformError {}

/** What a call that failed half-way knows of itself. */
interface Left {
  readonly hidden: StoredHidden;
  readonly declaredBefore: readonly string[];
  /** Paths of the inputs that it was to apply. */
  readonly wanted: readonly string[];
}

/** What is kept of the resource whatever a call comes to. */
interface StoredHidden extends HiddenInputs {
  readonly attempt?: string | undefined;
  readonly owner?: Owner | undefined;
}

/** An object that a call has adopted, recovered or created. */
interface Held<Outputs> {
  readonly base: Found<Outputs>;
  /** The creation id, if this stack has created it. */
  readonly creationId: string | undefined;
}

/** An object as the platform reports it. A lookup has no inputs of its own: those in the state stay. */
export interface Reading {
  readonly outputs: Values;
  readonly inputs?: Values;
}

/** As what another resource has an object, in a sentence. */
const holding: Readonly<Record<ClaimType, string>> = {
  managed: "manages it, too",
  adopted: "has taken it over in this run",
  part: "declares it as its part",
};

/** A verb whose time to wait the program can set. */
type Verb = keyof Timeouts;

/**
 * A kind as a provider serves it: all that is the same for every kind.
 *
 * Speaks of plain values, in which {@link unknownValue} stands for what is not known yet; how they travel is the
 * adapter's business (`dynamic.ts`).
 */
export class Lifecycle<Inputs, Outputs extends object> {
  readonly #kind: Kind<Inputs, Outputs>;
  readonly #services: Services;
  readonly #adoption: Adoption<Inputs, Outputs>;
  readonly #recovery: Recovery<Inputs, Outputs>;

  constructor(kind: Kind<Inputs, Outputs>, services: Services) {
    this.#kind = kind;
    this.#services = services;
    this.#adoption = new Adoption(kind, services.registry);
    this.#recovery = new Recovery(kind, services);
  }

  /** Judges inputs and fills in the name. Sends nothing. */
  check(before: Values | undefined, given: Values): { readonly inputs: Values; readonly problems: readonly Problem[] } {
    const kind = this.#kind;
    const { program, registry } = this.#services;
    const said = hiddenOf(given);
    const { inputs, hidden } = this.#named(withoutHidden(given), program.take(said), before);
    registry.declare(hidden.urn);
    const old = before === undefined ? undefined : withoutHidden(before);
    const account = this.#services.account();
    const problems: Problem[] = [
      ...("problems" in account ? account.problems : []),
      ...timeoutProblems(said.timeouts),
      ...shapeProblems(kind.inputs, inputs),
      ...(old === undefined && "settings" in account ? unsetProblems(kind.rules, inputs, account.settings) : []),
      ...(old === undefined ? [] : refusedChanges(kind.rules, old, inputs)),
    ];
    return { inputs: { ...inputs, [hiddenKey]: hidden }, problems };
  }

  /** Compares state and program. Sends nothing. */
  async diff(id: string, stored: Values, given: Values): Promise<Difference> {
    const kind = this.#kind;
    const state = parseState(kind, id, stored);
    const { hidden, outputs } = state;
    const inputs = withoutHidden(given);
    const { urn } = hiddenOf(given);
    await this.#settle(state);
    this.#claim(urn, outputs, declaredPaths(kind, inputs), hidden.urn);
    const { program, rowNames } = this.#services;
    if (hidden.urn !== undefined && hidden.urn !== urn && program.isRunning) rowNames.renamed(hidden.urn, id, urn);
    this.#adoption.assertNotAdoptedByOther(outputs, urn);
    const changed = differences(kind, outputs, hidden.declared ?? [], inputs);
    const replacing = changed.filter((path) => ruleFor(kind.rules, path).onChange === "replace");
    const broken = hidden.pending?.broken === true;
    // Asked for whatever the reason for a replacement is: `replaceOnChanges` makes one of any change.
    const deleteBeforeReplace = broken || this.#collides(outputs, inputs, given);
    if (replacing.length > 0 || broken) {
      this.#adoption.assertReplaceable(inputs, outputs);
      if (this.#services.program.isRunning) {
        this.#services.warn(urn, this.#replaceWarning(replacing, inputs, hidden.pending));
      }
      return {
        changes: hidden.pending === undefined ? undefined : true,
        replaces: broken ? ["id"] : [...new Set(replacing.map(top))],
        deleteBeforeReplace,
      };
    }
    if (hidden.pending !== undefined) return { changes: true, replaces: [], deleteBeforeReplace };
    const owned = newlyOwned(kind, hidden.declared ?? [], inputs);
    if (changed.length + owned.length > 0) return { changes: undefined, replaces: [], deleteBeforeReplace };
    // Destroying uses the timeouts in the state. The engine sees none of them, and cannot find this difference itself.
    const wanted = this.#services.program.timeoutsOf(urn, hidden.timeouts);
    const changes = !isDeepStrictEqual(plain(wanted ?? {}), plain(hidden.timeouts ?? {}));
    return { changes, replaces: [], deleteBeforeReplace };
  }

  /** Whether an object of these inputs could not be created beside the present one. */
  #collides(outputs: Partial<Outputs>, inputs: Values, given: Values): boolean {
    const kind = this.#kind;
    const unique = uniqueInputs(kind, inputs);
    // A replacement is named anew: a default name that an alias has kept is not carried over.
    const { urn, name } = hiddenOf(given);
    const key = kind.defaultName;
    const isDefault = key !== undefined && name !== undefined && inputs[key] === name;
    const anew = isDefault ? this.#named({ ...inputs, [key]: undefined }, { urn }, undefined).inputs : inputs;
    return (
      unique.length > 0 &&
      unique.every((input) => same({}, atPath(outputs, input), anew[input]) || anew[input] === undefined)
    );
  }

  /** Creates the object, or takes over one that exists. */
  async create(given: Values): Promise<{ readonly id: string; readonly outputs: Values }> {
    const kind = this.#kind;
    const hidden = this.#hiddenOf(given);
    const inputs = withoutHidden(given);
    const { urn } = hidden;
    const account = this.#account();
    let interrupted: readonly CreationEntry[] = [];
    const parsed = kind.inputs.parse(inputs);
    const record = this.#recovery.record({ urn, parsed }, account.fingerprint, () => interrupted);
    const context = this.#context(account, hidden, "create", { project: this.#projectOf(inputs), creation: record });
    const call: CreateCall<Inputs> = { context, urn, inputs, parsed };
    const release = await context.acquireLock(this.#lockOf(inputs), `create ${this.#nameOf(inputs)}`);
    let held: Held<Outputs> | undefined;
    try {
      const adopted = await this.#adoption.adopted(call);
      held = adopted && { base: adopted, creationId: undefined };
      if (held === undefined) {
        interrupted = await this.#recovery.interrupted(context, urn, account.fingerprint);
        const orphan = await this.#recovery.recoverOrphan(call, interrupted);
        held = orphan && this.#recovered(call, orphan);
        if (orphan !== undefined && held !== undefined) held = await this.#finished(call, held, orphan.endedWell);
      }
      if (held !== undefined) this.#adoption.assertPartsFree(held.base.outputs, declaredAt(kind, inputs), urn);
      const outputs = held === undefined ? await this.#created(call) : await this.#applied(call, held.base);
      const id = held?.base.id ?? kind.id(outputs);
      this.#claim(urn, outputs, declaredPaths(kind, inputs));
      if (held === undefined) {
        await this.#adoption.warnOfCandidates(call, { id, outputs });
        await this.#recovery.warnOfOrphans(call, account.fingerprint);
      }
      const owner = await this.#ownerOf(context, outputs, undefined);
      const attempt = held === undefined ? record.number : held.creationId;
      if (attempt !== undefined) await this.#services.journal.returned(attempt);
      return { id, outputs: this.#stored(outputs, inputs, { ...hidden, attempt, owner }) };
    } catch (error) {
      const { accepted, created } = context.progress;
      const made = (created as Found<Outputs> | undefined) ?? (accepted ? held?.base : undefined);
      if (made === undefined) {
        this.#services.journal.abandon(record.number);
        throw nothingDone(error, "create");
      }
      this.#claim(urn, made.outputs, declaredPaths(kind, inputs));
      const wanted = declaredPaths(kind, inputs).filter((path) => ruleFor(kind.rules, path).platform !== "unaware");
      const attempt = held === undefined ? record.number : held.creationId;
      if (attempt !== undefined) await this.#services.journal.returned(attempt);
      const left = { hidden: { ...hidden, attempt }, declaredBefore: [], wanted };
      throw await this.#partial(context, "create", made, inputs, left, error);
    } finally {
      release();
    }
  }

  /** Takes over what an interrupted run of this very stack has created. */
  #recovered({ context, urn, inputs }: CreateCall<Inputs>, { base, entry }: Orphan<Outputs>): Held<Outputs> {
    const recovered = this.#adoption.assertAdoptable(inputs, base.outputs, true);
    this.#adoption.claim(urn, recovered);
    this.#services.journal.recovered(entry);
    context.warn(
      `An earlier run, which was interrupted, has made the ${this.#kind.noun} ${base.id}: it is taken over.`,
    );
    return { base: recovered, creationId: entry.number };
  }

  /** Finishes what the interrupted run has begun. */
  async #finished(
    { context }: CreateCall<Inputs>,
    { base, creationId }: Held<Outputs>,
    endedWell: boolean,
  ): Promise<Held<Outputs>> {
    const kind = this.#kind;
    let { outputs } = base;
    if (!endedWell) {
      await this.#repaired(context, outputs, "create", "An earlier run was interrupted while making it");
      const known = { ...outputs, ...context.progress.learned };
      outputs = (await kind.read(context, known)) ?? known;
    }
    await kind.complete?.(context, outputs);
    return { base: { id: base.id, outputs: { ...outputs, ...context.progress.learned } }, creationId };
  }

  /** Creates a new object and reads it. */
  async #created(call: CreateCall<Inputs>): Promise<Outputs> {
    const kind = this.#kind;
    const { context, parsed } = call;
    const created = await kind.create(context, parsed).catch(async (error: unknown) => {
      throw context.progress.accepted ? error : await this.#adoption.conflict(call, error);
    });
    await kind.complete?.(context, created.outputs);
    const outputs = await this.#found(context, { ...created.outputs, ...context.progress.learned });
    if (outputs === undefined) throw this.#missing(created.id);
    return outputs;
  }

  /** The object as it is: its outputs and the inputs that say the same. Undefined when it is gone. */
  async read(id: string, stored: Values): Promise<Reading | undefined> {
    const kind = this.#kind;
    const state = parseState(kind, id, stored);
    const { hidden: known, outputs: before } = state;
    const { declared = [] } = known;
    // What no program has declared is a lookup (`get`): there is nothing in the state that could get lost.
    const isLookup = declared.length === 0;
    const context = this.#context(this.#account(), known, "update", {
      ...(isLookup ? {} : { project: this.#projectOf(before), owner: known.owner }),
    });
    await this.#settle(state);
    const found = await this.#found(context, before).catch((error: unknown) => {
      throw nothingDone(error, "read");
    });
    if (found === undefined) return undefined;
    const outputs = kept(kind.rules, declared, (path) => atPath(before, path), found as Values);
    if (isLookup) return { outputs: storedState(outputs, { urn: "", ...known, declared, version: kind.version }) };
    const owner = await this.#ownerOf(context, found, known.owner);
    const hidden: HiddenOutputs = {
      urn: "",
      ...known,
      ...(owner === undefined ? {} : { owner }),
      declared,
      version: kind.version,
    };
    return {
      outputs: storedState(outputs, hidden),
      inputs: { ...pick(outputs, declared), [hiddenKey]: inputsOf(hidden) },
    };
  }

  /** Applies what changed, after going on with what an earlier call left unfinished. */
  async update(id: string, stored: Values, given: Values): Promise<Values> {
    const kind = this.#kind;
    const state = parseState(kind, id, stored);
    const hidden = this.#hiddenOf(given);
    const inputs = withoutHidden(given);
    await this.#settle(state);
    const { pending, attempt, owner, declared = [] } = state.hidden;
    const project = this.#projectOf(state.outputs);
    const context = this.#context(this.#account(), hidden, "update", { project, owner });
    let base: Found<Outputs> = { id, outputs: state.outputs as Outputs };
    let changed = differences(kind, state.outputs, declared, inputs);
    let release: () => void = () => undefined;
    try {
      // Nothing is changed by going on to wait, so it needs no turn: many can do so at once.
      const endedWell = pending === undefined || (await context.resume(pending, project));
      release = await context.acquireLock(this.#lockOf(state.outputs), `update ${this.#nameOf(inputs)}`);
      if (pending !== undefined) {
        const actual = await this.#found(context, state.outputs);
        if (actual === undefined) throw this.#gone(id);
        const keep = (path: string): unknown => atPath(state.outputs, path);
        base = { id, outputs: kept(kind.rules, declared, keep, actual as Values) as Outputs };
        if (!endedWell) await this.#repaired(context, base.outputs, pending.step, pending.reason);
        if (pending.step === "create") {
          await kind.complete?.(context, base.outputs);
          base = { id, outputs: { ...base.outputs, ...context.progress.learned } };
        }
      }
      const again = pending === undefined || endedWell ? [] : pending.applies;
      changed = [...differences(kind, base.outputs as Values, declared, inputs), ...again];
      this.#adoption.assertPartsFree(base.outputs, declaredAt(kind, inputs), hidden.urn);
      await kind.update(context, base.outputs, kind.inputs.parse(inputs), changesAt(changed));
      const outputs = await this.#found(context, { ...base.outputs, ...context.progress.learned });
      if (outputs === undefined) throw this.#gone(id);
      this.#claim(hidden.urn, outputs, declaredPaths(kind, inputs));
      const left = { ...hidden, attempt, owner: await this.#ownerOf(context, outputs, owner) };
      return this.#stored(outputs, inputs, left, { change: context.progress.changeNumber });
    } catch (error) {
      if (error instanceof GoneError) throw error;
      if (await this.#isGone(context, base.outputs, error)) throw this.#gone(id, error);
      if (!context.progress.accepted) throw nothingDone(error, "update");
      const left = { hidden: { ...hidden, attempt, owner }, declaredBefore: declared, wanted: changed };
      throw await this.#partial(context, pending?.step ?? "update", base, inputs, left, error);
    } finally {
      release();
    }
  }

  /** Deletes the object; one that cannot be deleted by its nature is released with a warning. */
  async delete(id: string, stored: Values): Promise<void> {
    const kind = this.#kind;
    const state = parseState(kind, id, stored);
    const { hidden, outputs } = state;
    await this.#settle(state);
    const project = this.#projectOf(outputs);
    const { urn = "" } = hidden;
    const { rowNames } = this.#services;
    const row = { ...hidden, urn: rowNames.rowOf(urn, id) };
    const context = this.#context(this.#account(), row, "delete", { project, owner: hidden.owner });
    const holder = this.#holderOf(outputs, hidden.urn);
    if (holder !== undefined) {
      context.warn(
        `The ${kind.noun} ${id} was not deleted, because ${titleOf(holder.urn)} ${holding[holder.as]}. It was removed from the state under its former name only.`,
      );
      return;
    }
    const release = await context.acquireLock(this.#lockOf(outputs), `delete ${this.#nameOf(outputs)}`);
    try {
      const isOwn = hidden.attempt !== undefined;
      const reason = isOwn ? undefined : await kind.undeletable?.(context, outputs as Outputs);
      if (reason === undefined) await kind.remove(context, outputs as Outputs);
      else context.warn(`${reason} It was released from the state and is still there.`);
      this.#services.registry.release({ kind: kind.name, id: kind.id(outputs) });
      await this.#services.journal.settleChangesOf(id).catch(() => undefined);
      rowNames.forget(urn, id);
    } catch (error) {
      throw goesOn(error, context.progress.accepted, `The ${kind.noun} ${id} stays in the state.`);
    } finally {
      release();
    }
  }

  /** The claim of this run that a delete of this object would violate. */
  #holderOf(outputs: Partial<Outputs>, urn: string | undefined): Claim | undefined {
    const { name: kind, id: idOf } = this.#kind;
    return this.#services.registry.claimsTo({ kind, id: idOf(outputs) }).find(({ as, ...claim }) => {
      const isSame = claim.urn === urn || claim.stateUrn === urn;
      // The engine can replace a resource without telling the provider anything of the old object (`--replace`, a taint):
      // the create then looks like a first one, and can adopt the very object that is deleted next.
      return !isSame || (as === "adopted" && claim.urn === urn);
    });
  }

  async #repaired(context: Context, outputs: Outputs, step: Pending["step"], reason: string): Promise<void> {
    const kind = this.#kind;
    if (step === "create" && kind.usable !== undefined && !(await kind.usable(context, outputs))) {
      throw new Error(asSentence(reason));
    }
    await kind.repair?.(context, outputs);
  }

  /** What is left of a call that failed after something was accepted, to be thrown. */
  async #partial(
    context: Context,
    step: Pending["step"],
    base: Found<Outputs>,
    inputs: Values,
    { hidden, declaredBefore, wanted }: Left,
    error: unknown,
  ): Promise<PartialFailure> {
    const kind = this.#kind;
    const { progress } = context;
    const known = { ...base.outputs, ...progress.learned };
    const outputs = isDenied(error) ? known : ((await kind.read(context, known).catch(() => undefined)) ?? known);
    const broken =
      step === "create" &&
      progress.endedBadly &&
      kind.usable !== undefined &&
      !(await kind.usable(context, outputs).catch(() => true));
    const pending: Pending = {
      step,
      ...progress.unfinished,
      reason: summaryOf(error),
      ...(broken ? { broken: true } : {}),
    };
    const advice = broken
      ? `The ${kind.noun} ${base.id} never became usable: the next \`pulumi up\` makes it anew.`
      : "The next `pulumi up` goes on from here.";
    const wantedHere = changesAt(wanted);
    // What the platform does not report, or moves by itself, counts as done only if this call has done it.
    const keep = (path: string): unknown => {
      const { platform, onChange } = ruleFor(kind.rules, path);
      const isUndone = wantedHere.has(path) && !progress.applied.has(path);
      if (isUndone && platform === "unaware") return atPath(known, path);
      return isUndone && platform === "moves" && onChange !== "replace" ? undefined : atPath(inputs, path);
    };
    return new PartialFailure(
      base.id,
      this.#stored(outputs, inputs, hidden, { change: progress.changeNumber, pending, declaredBefore, keep }),
      new Error(describeError(error, { next: advice }), { cause: error }),
    );
  }

  /** Applies the declared inputs to an object that was taken over. */
  async #applied({ context, inputs, parsed }: CreateCall<Inputs>, base: Found<Outputs>): Promise<Outputs> {
    const changed = differences(this.#kind, base.outputs as Values, [], inputs).filter((path) => {
      const { onChange, platform } = ruleFor(this.#kind.rules, path);
      return onChange !== "replace" && platform !== "unaware";
    });
    if (changed.length === 0) return base.outputs;
    await this.#kind.update(context, base.outputs, parsed, changesAt(changed));
    const outputs = await this.#found(context, { ...base.outputs, ...context.progress.learned });
    if (outputs === undefined) throw this.#gone(base.id);
    return outputs;
  }

  #stored(
    outputs: Outputs,
    inputs: Values,
    { attempt, owner, ...hidden }: StoredHidden,
    {
      change,
      pending,
      declaredBefore = [],
      keep = (path) => atPath(inputs, path),
    }: {
      readonly change?: string | undefined;
      readonly pending?: Pending;
      /** What was declared before a failed change: what it was to clear may not be cleared yet. */
      readonly declaredBefore?: readonly string[];
      /** What stays as declared, where it does. Default: as declared now. */
      readonly keep?: (path: string) => unknown;
    } = {},
  ): Values {
    const kind = this.#kind;
    const declared = [...new Set([...declaredBefore, ...declaredPaths(kind, inputs)])];
    return storedState(kept(kind.rules, declared, keep, outputs as Values), {
      ...inputsOf(hidden),
      ...(hidden.timeouts === undefined ? {} : { timeouts: hidden.timeouts }),
      version: kind.version,
      declared,
      ...(attempt === undefined ? {} : { attempt }),
      ...(owner === undefined ? {} : { owner }),
      ...(change === undefined ? {} : { change }),
      ...(pending === undefined ? {} : { pending }),
    });
  }

  #account(): Account {
    const account = this.#services.account();
    if (!("problems" in account)) return account;
    const list = account.problems.map(({ property, reason }) => `${property} ${reason}`).join("; ");
    throw new PlatformError("invalid", asSentence(list), undefined);
  }

  #context(
    { client, settings, visibility, fingerprint }: Account,
    { urn = "", timeouts }: Partial<HiddenInputs>,
    verb: Verb,
    {
      project,
      owner,
      creation,
    }: {
      readonly project?: string | undefined;
      readonly owner?: Owner | undefined;
      readonly creation?: CreationRecord<unknown>;
    },
  ): Context {
    const { journal, locks, registry, failures, progress, warn } = this.#services;
    const own = timeouts?.[verb];
    return new Context({
      client,
      locks,
      orgId: settings.orgId,
      timeout: (own === undefined ? undefined : milliseconds(own)) ?? settings.operationTimeout,
      progress: (line) => progress(urn, line),
      warn: (line) => warn(urn, line),
      failures,
      records: idempotencyRecords({
        journal,
        client,
        account: fingerprint,
        kind: this.#kind.name,
        warn: (line) => warn(urn, line),
      }),
      visibility,
      assertVisible: async () => {
        if (project !== undefined) await visibility.assertVisible(project, owner);
      },
      isHeldByOther: (key) => registry.claimsOfOthers(key, urn).length > 0,
      creation,
    });
  }

  /** What the program and the state say beside the inputs. */
  #hiddenOf(given: Values): HiddenInputs {
    const hidden = hiddenOf(given);
    const timeouts = this.#services.program.timeoutsOf(hidden.urn, hidden.timeouts);
    return { ...inputsOf(hidden), ...(timeouts === undefined ? {} : { timeouts }) };
  }

  /** The engine has this object in its state: nobody has to search for what made or changed it. */
  async #settle({ hidden: { attempt, change } }: State<Outputs>): Promise<void> {
    const { journal } = this.#services;
    for (const number of [attempt, change]) {
      if (number !== undefined) await journal.settle(number).catch(() => undefined);
    }
  }

  /** The resource has this object and its declared parts, or will have them when this call has ended. */
  #claim(urn: string, outputs: Partial<Outputs>, declared: readonly string[], stateUrn: string = urn): void {
    const { name: kind, id: idOf, parts } = this.#kind;
    const { registry } = this.#services;
    registry.claim({ kind, id: idOf(outputs), urn, stateUrn, as: "managed" });
    for (const part of parts?.(outputs as Outputs, changesAt(declared)) ?? []) {
      registry.claim({ ...part, urn, stateUrn, as: "part" });
    }
  }

  /** Whose the project is that an object stands in. */
  async #ownerOf(context: Context, outputs: Outputs, known: Owner | undefined): Promise<Owner | undefined> {
    const project = this.#projectOf(outputs);
    return project === undefined ? undefined : (known ?? (await context.visibility.ownerOf(project)));
  }

  #projectOf(values: Partial<Outputs> | Values): string | undefined {
    return projectOf(this.#kind, values);
  }

  /**
   * The name to use when the program gives none: the logical name. It stays when the resource is renamed in the program
   * with an alias, because a name that was chosen for the user must not become a change of its own.
   */
  #named(
    inputs: Values,
    hidden: HiddenInputs,
    before: Values | undefined,
  ): { readonly inputs: Values; readonly hidden: HiddenInputs } {
    const key = this.#kind.defaultName;
    if (key === undefined) return { inputs, hidden };
    const declared = inputs[key];
    // Remembered even while the program declares one: a change of what is hidden would show up in `--diff`.
    const chosen = before === undefined ? undefined : hiddenOf(before).name;
    const byDefault = this.#kind.adoptedName?.(inputs) ?? logicalName(hidden.urn);
    const name = chosen ?? (declared === undefined ? byDefault : undefined);
    return {
      inputs: declared === undefined ? { ...inputs, [key]: name } : inputs,
      hidden: name === undefined ? hidden : { ...hidden, name },
    };
  }

  #lockOf(values: Values): string | undefined {
    return this.#kind.lock?.(values) ?? this.#projectOf(values);
  }

  #nameOf(values: Values): string {
    const name = values[this.#kind.defaultName ?? "name"];
    return typeof name === "string" ? `${this.#kind.noun} ${name}` : this.#kind.noun;
  }

  /**
   * An object as it is. That it is gone is not believed at one answer, nor of an account that could not see it: it would
   * be created a second time.
   */
  async #found(context: Context, state: Partial<Outputs>): Promise<Outputs | undefined> {
    const found = (await this.#kind.read(context, state)) ?? (await this.#kind.read(context, state));
    if (found === undefined) await context.assertVisible();
    return found;
  }

  #missing(id: string): PlatformError {
    return new PlatformError(
      "outcome-unknown",
      `The platform has answered that it made the ${this.#kind.noun} ${id}, and now does not find it`,
      undefined,
      {
        fallback:
          "If it stays like that, run `pulumi refresh` before the next `pulumi up`, which then makes a new one.",
      },
    );
  }

  /** Whether something failed because the object is not there any more. */
  async #isGone(context: Context, outputs: Outputs, error: unknown): Promise<boolean> {
    if (!isNotFound(error)) return false;
    const found = await this.#kind.read(context, outputs).catch((cause: unknown) => {
      // This key cannot see what the object belongs to.
      if (PlatformError.isInstance(cause) && cause.kind === "invalid") throw cause;
      return outputs;
    });
    if (found !== undefined) return false;
    await context.assertVisible();
    return true;
  }

  #gone(id: string, cause?: unknown): GoneError {
    return new GoneError(
      "invalid",
      `The ${this.#kind.noun} ${id} is gone: run \`pulumi refresh\`, and the next \`pulumi up\` makes a new one.${cause === undefined ? "" : ` (${summaryOf(cause)})`}`,
      cause,
    );
  }

  #replaceWarning(paths: readonly string[], inputs: Values, pending: Pending | undefined): string {
    const { noun, lossOnReplace } = this.#kind;
    if (paths.length === 0) {
      return `This ${noun} is made anew, because its creation ended badly and it never became usable. ${asSentence(pending?.reason ?? "")}`;
    }
    // Values are left to the engine, which knows the secret ones and shows the rest.
    const changes = paths.map((path) => (atPath(inputs, path) === unknownValue ? `${path} (not known yet)` : path));
    return `This ${noun} is replaced, because a change of ${changes.join(", ")} cannot be made in place.${lossOnReplace === undefined ? "" : ` ${lossOnReplace}`}`;
  }
}

/** What a call leaves as it was when it fails before anything was accepted. */
const untouched = {
  create: "Nothing was made.",
  update: "Nothing was changed.",
  read: "The state stays as it is.",
  delete: "Nothing was deleted.",
} as const;

function nothingDone(error: unknown, verb: keyof typeof untouched): unknown {
  if (!isOfExchange(error) || isDenied(error)) return error;
  // What it was to be made in can have been deleted by a run that was killed before it had recorded that.
  const isLost = verb === "create" && isNotFound(error);
  const next = isLost ? { next: "If the program makes it, run `pulumi refresh`, and then `pulumi up`." } : {};
  return new Error(error.describe({ state: untouched[verb], ...next }), { cause: error });
}

/** A delete that was accepted and is not known to have ended well says what to do, and what is left. */
function goesOn(error: unknown, accepted: boolean, left: string): unknown {
  const isOfOperation = PlatformError.isInstance(error) && error.kind.startsWith("operation-");
  if (!isOfOperation && !accepted) return nothingDone(error, "delete");
  if (!isOfOperation && !isOfExchange(error)) return error;
  const next = isDenied(error) ? "" : "Run the same command again.";
  return new Error(error.describe({ state: left, next }), { cause: error });
}

/** Whether an error is about a request that changes nothing or was not performed. */
function isOfExchange(error: unknown): error is PlatformError {
  return PlatformError.isInstance(error) && ["http", "unreachable", "unreadable"].includes(error.kind);
}

/** A key that is refused now will be refused for everything else, too. */
function isDenied(error: unknown): boolean {
  return HttpError.isInstance(error) && (error.status === 401 || error.status === 403);
}

/**
 * Outputs with what was declared once and cannot change in place, or cannot be read, kept as declared: however the
 * platform words or moves it later, only a change of the program may count as one.
 */
function kept(
  rules: Parameters<typeof ruleFor>[0],
  declared: readonly string[],
  keep: (path: string) => unknown,
  outputs: Values,
): Values {
  return declared.reduce((result, path) => {
    const { onChange, platform } = ruleFor(rules, path);
    const value = onChange === "replace" || platform !== undefined ? keep(path) : undefined;
    return value === undefined ? result : withValue(result, path.split("."), value);
  }, outputs);
}

/** What the state's inputs hold beside what the user says. */
function inputsOf({ urn, name }: HiddenInputs): HiddenInputs {
  return { urn, ...(name === undefined ? {} : { name }) };
}

/** The declared paths of these inputs. */
function declaredAt(kind: Parameters<typeof declaredPaths>[0], inputs: Values): Changes {
  return changesAt(declaredPaths(kind, inputs));
}

function withoutHidden(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== hiddenKey));
}

/** The last part of a URN: the name that the program gives a resource. */
function logicalName(urn: string): string {
  // Colons can be in the name itself.
  return urn.split("::").slice(3).join("::");
}

function timeoutProblems(timeouts: Timeouts | undefined): readonly Problem[] {
  return Object.entries(timeouts ?? {}).flatMap(([verb, text]) =>
    typeof text === "string" && milliseconds(text) === undefined
      ? [{ property: `customTimeouts.${verb}`, reason: 'must be a duration such as "90s", "10m" or "1h30m"' }]
      : [],
  );
}
