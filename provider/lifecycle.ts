import { milliseconds } from "../api/duration";
import { asSentence, factOf, isNotFound, messageOf, PlatformError, RefusedError, retold } from "../api/errors";
import { refusedChanges, ruleFor, same, shapeProblems, unsetProblems } from "./check";
import { Claims } from "./claims";
import { changesAt, declaredPaths, differences, newlyOwned, top, uniqueInputs } from "./compare";
import { Context } from "./context";
import { projectOf, type Found, type Kind, type Problem, type Values } from "./kind";
import { ownerOf } from "./mark";
import { notesOf } from "./notes";
import {
  hiddenInputsOf as hiddenOf,
  hiddenKey,
  parseState,
  storedState,
  type State,
  type HiddenInputs,
  type HiddenOutputs,
  type Pending,
  type Timeouts,
} from "./state";
import type { Surroundings } from "./surroundings";
import { atPath, pick, unknownValue, withValue } from "./values";

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
  readonly hidden: HiddenInputs;
  readonly attempt: string | undefined;
  readonly declaredBefore: readonly string[];
  /** Paths of the inputs that it was to apply. */
  readonly wanted: readonly string[];
}

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
  readonly #around: Surroundings;
  readonly #claims: Claims<Inputs, Outputs>;

  constructor(kind: Kind<Inputs, Outputs>, around: Surroundings) {
    this.#kind = kind;
    this.#around = around;
    this.#claims = new Claims(kind, around);
  }

  /** Judges inputs and fills in the name. Sends nothing. */
  check(before: Values | undefined, given: Values): { readonly inputs: Values; readonly problems: readonly Problem[] } {
    const kind = this.#kind;
    const { inputs, hidden } = this.#named(withoutHidden(given), hiddenOf(given), before);
    const old = before === undefined ? undefined : withoutHidden(before);
    if (before !== undefined) this.#around.seen.addUnnamed(hidden.urn);
    const account = this.#around.account();
    const problems: Problem[] = [
      ...("problems" in account ? account.problems : []),
      ...timeoutProblems(hidden.timeouts),
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
    const urn = hiddenOf(given).urn;
    await this.#remember(id, { ...state, hidden: { ...hidden, urn } });
    const changed = differences(kind, outputs, hidden.declared ?? [], inputs);
    const replacing = changed.filter((path) => ruleFor(kind.rules, path).replaces === true);
    const broken = hidden.pending?.broken === true;
    if (replacing.length > 0 || broken) {
      this.#claims.assertReplaceable(inputs, outputs);
      const unique = uniqueInputs(kind, inputs);
      const collides =
        unique.length > 0 &&
        unique.every((name) => same({}, atPath(outputs, name), inputs[name]) || inputs[name] === undefined);
      if (urn !== "") this.#around.warn(urn, this.#replaceWarning(replacing, inputs, hidden.pending));
      return {
        changes: hidden.pending === undefined ? undefined : true,
        replaces: broken ? ["id"] : [...new Set(replacing.map(top))],
        deleteBeforeReplace: collides || broken,
      };
    }
    if (hidden.pending !== undefined) return { changes: true, replaces: [], deleteBeforeReplace: false };
    const owned = newlyOwned(kind, hidden.declared ?? [], inputs);
    return { changes: changed.length + owned.length > 0 ? undefined : false, replaces: [], deleteBeforeReplace: false };
  }

  /** Makes the object, or takes one over. */
  async create(given: Values): Promise<{ readonly id: string; readonly outputs: Values }> {
    const kind = this.#kind;
    const hidden = hiddenOf(given);
    const inputs = withoutHidden(given);
    const context = this.#context(hidden, "create");
    const name = this.#nameOf(inputs);
    const release = await context.takeTurn(this.#turnOf(inputs), `create ${name}`);
    let base: Found<Outputs> | undefined;
    let attempt: string | undefined;
    try {
      const parsed = kind.inputs.parse(inputs);
      base = await this.#claims.adopted(context, inputs, parsed, hidden.urn);
      if (base === undefined) {
        const lost = await this.#claims.lost(context, inputs, parsed, hidden.urn);
        if (lost !== undefined) {
          ({ base, attempt } = lost);
          if (!lost.endedWell) {
            await this.#repaired(context, base.outputs, "create", "An earlier run was interrupted while making it");
            const known = { ...base.outputs, ...context.learned };
            base = { id: base.id, outputs: (await kind.read(context, known)) ?? known };
          }
          await kind.complete?.(context, base.outputs);
          base = { id: base.id, outputs: { ...base.outputs, ...context.learned } };
        }
      }
      if (base !== undefined) {
        this.#around.seen.take({ kind: kind.name, id: base.id });
        this.#claims.assertPartsFree(base.outputs, changesAt(declaredPaths(kind, inputs)), hidden.urn);
        const outputs = await this.#applied(context, base, inputs, parsed);
        this.#note(hidden.urn, base.id, outputs, declaredPaths(kind, inputs));
        return { id: base.id, outputs: this.#stored(outputs, inputs, hidden, { attempt }) };
      }
      context.useAttempts(this.#claims.attempts(context, parsed, hidden.urn, (made) => (attempt = made)));
      const made = await kind.create(context, parsed).catch((error: unknown) => {
        if (context.accepted) throw error;
        return this.#claims.explained(context, parsed, hidden.urn, error);
      });
      await kind.complete?.(context, made.outputs);
      const outputs = await this.#found(context, { ...made.outputs, ...context.learned });
      if (outputs === undefined) throw this.#missing(made.id);
      this.#note(hidden.urn, made.id, outputs, declaredPaths(kind, inputs));
      return { id: made.id, outputs: this.#stored(outputs, inputs, hidden, { attempt }) };
    } catch (error) {
      const made = (context.recorded as Found<Outputs> | undefined) ?? (context.accepted ? base : undefined);
      if (made === undefined) throw nothingDone(error, "create");
      this.#note(hidden.urn, made.id, made.outputs, declaredPaths(kind, inputs));
      const wanted = declaredPaths(kind, inputs).filter((path) => ruleFor(kind.rules, path).noted !== true);
      throw await this.#partial(
        context,
        "create",
        made,
        inputs,
        { hidden, attempt, declaredBefore: [], wanted },
        error,
      );
    } finally {
      release();
    }
  }

  /** The object as it is: its outputs and the inputs that say the same. Undefined when it is gone. */
  async read(id: string, stored: Values): Promise<{ readonly outputs: Values; readonly inputs: Values } | undefined> {
    const kind = this.#kind;
    const state = parseState(kind, id, stored);
    const context = this.#context(state.hidden, "update");
    await this.#remember(id, state);
    const actual = await this.#found(context, state.outputs).catch((error: unknown) => {
      throw nothingDone(error, "read");
    });
    if (actual === undefined) return undefined;
    const declared = state.hidden.declared ?? [];
    const outputs = kept(kind.rules, declared, (path) => atPath(state.outputs, path), actual as Values);
    const hidden: HiddenOutputs = { urn: "", ...state.hidden, declared, version: kind.version };
    return {
      outputs: storedState(outputs, hidden),
      inputs: { ...pick(outputs, declared), [hiddenKey]: hiddenInputs(hidden) },
    };
  }

  /** Applies what changed, after going on with what an earlier call left unfinished. */
  async update(id: string, stored: Values, given: Values): Promise<Values> {
    const kind = this.#kind;
    const state = parseState(kind, id, stored);
    const hidden = hiddenOf(given);
    const inputs = withoutHidden(given);
    await this.#remember(id, { ...state, hidden: { ...state.hidden, urn: hidden.urn } });
    const context = this.#context(hidden, "update");
    const { pending, attempt, declared = [] } = state.hidden;
    let base: Found<Outputs> = { id, outputs: state.outputs as Outputs };
    let changed = differences(kind, state.outputs, declared, inputs);
    let release: () => void = () => undefined;
    try {
      // Nothing is changed by going on to wait, so it needs no turn: many can do so at once.
      const endedWell = pending === undefined || (await context.resume(pending, projectOf(kind, state.outputs)));
      release = await context.takeTurn(this.#turnOf(state.outputs), `update ${this.#nameOf(inputs)}`);
      if (pending !== undefined) {
        const actual = await this.#found(context, state.outputs);
        if (actual === undefined) throw this.#gone(id);
        const keep = (path: string): unknown => atPath(state.outputs, path);
        base = { id, outputs: kept(kind.rules, declared, keep, actual as Values) as Outputs };
        if (!endedWell) await this.#repaired(context, base.outputs, pending.step, pending.reason);
        if (pending.step === "create") {
          await kind.complete?.(context, base.outputs);
          base = { id, outputs: { ...base.outputs, ...context.learned } };
        }
      }
      const again = pending === undefined || endedWell ? [] : pending.applies;
      changed = [...differences(kind, base.outputs as Values, declared, inputs), ...again];
      this.#claims.assertPartsFree(base.outputs, changesAt(declaredPaths(kind, inputs)), hidden.urn);
      await kind.update(context, base.outputs, kind.inputs.parse(inputs), changesAt(changed));
      const outputs = await this.#found(context, { ...base.outputs, ...context.learned });
      if (outputs === undefined) throw this.#gone(id);
      this.#note(hidden.urn, id, outputs, declaredPaths(kind, inputs));
      return this.#stored(outputs, inputs, hidden, { attempt, change: context.noted });
    } catch (error) {
      if (error instanceof GoneError) throw error;
      if (await this.#isGone(context, base.outputs, error)) throw this.#gone(id, error);
      if (!context.accepted) throw nothingDone(error, "update");
      const left = { hidden, attempt, declaredBefore: declared, wanted: changed };
      throw await this.#partial(context, pending?.step ?? "update", base, inputs, left, error);
    } finally {
      release();
    }
  }

  /** Removes the object; one that cannot be removed by its nature is let go with a warning. */
  async delete(id: string, stored: Values): Promise<void> {
    const kind = this.#kind;
    const state = parseState(kind, id, stored);
    const { hidden, outputs } = state;
    await this.#remember(id, state);
    const context = this.#context(hidden, "delete");
    if (this.#around.seen.isTaken({ kind: kind.name, id: kind.id(outputs) })) {
      context.warn(
        `This run has taken over the ${kind.noun} ${id}, which was to be deleted or replaced here: nothing was deleted. To replace it nevertheless, remove \`adopt\` if it is declared, and run the same again.`,
      );
      return;
    }
    const release = await context.takeTurn(this.#turnOf(outputs), `delete ${this.#nameOf(outputs)}`);
    try {
      const isOwn = hidden.attempt !== undefined;
      const reason = isOwn ? undefined : await kind.undeletable?.(context, outputs as Outputs);
      if (reason !== undefined) {
        context.warn(`${reason} It was released from the state and is still there.`);
        return;
      }
      await kind.remove(context, outputs as Outputs);
      if (hidden.urn !== undefined)
        await this.#around.journal.settleChanges(ownerOf(hidden.urn)).catch(() => undefined);
    } catch (error) {
      throw goesOn(error, context.accepted, `The ${kind.noun} ${id} stays in the state.`);
    } finally {
      release();
    }
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
    { hidden, attempt, declaredBefore, wanted }: Left,
    error: unknown,
  ): Promise<PartialFailure> {
    const kind = this.#kind;
    const known = { ...base.outputs, ...context.learned };
    const outputs = isDenied(error) ? known : ((await kind.read(context, known).catch(() => undefined)) ?? known);
    const broken =
      step === "create" &&
      context.endedBadly &&
      kind.usable !== undefined &&
      !(await kind.usable(context, outputs).catch(() => true));
    const pending: Pending = {
      step,
      ...(context.unfinished ?? { operations: [], applies: [], ...(context.endedBadly ? {} : { ended: true }) }),
      reason: factOf(error),
      ...(broken ? { broken: true } : {}),
    };
    const advice = broken
      ? `The ${kind.noun} ${base.id} never became usable: the next \`pulumi up\` makes it anew.`
      : "The next `pulumi up` goes on from here.";
    const wantedHere = changesAt(wanted);
    // What the platform does not tell, or moves by itself, counts as done only if this call has done it.
    const keep = (path: string): unknown => {
      const { noted, moves, replaces } = ruleFor(kind.rules, path);
      const isUndone = wantedHere.has(path) && !context.applied.has(path);
      if (isUndone && noted === true) return atPath(known, path);
      return isUndone && moves === true && replaces !== true ? undefined : atPath(inputs, path);
    };
    return new PartialFailure(
      base.id,
      this.#stored(outputs, inputs, hidden, { attempt, change: context.noted, pending, declaredBefore, keep }),
      new Error(retold(error, { next: advice }), { cause: error }),
    );
  }

  /** Applies the declared inputs to an object that was taken over. */
  async #applied(context: Context, base: Found<Outputs>, inputs: Values, parsed: Inputs): Promise<Outputs> {
    const changed = differences(this.#kind, base.outputs as Values, [], inputs).filter((path) => {
      const { replaces, noted } = ruleFor(this.#kind.rules, path);
      return replaces !== true && noted !== true;
    });
    if (changed.length === 0) return base.outputs;
    await this.#kind.update(context, base.outputs, parsed, changesAt(changed));
    const outputs = await this.#found(context, { ...base.outputs, ...context.learned });
    if (outputs === undefined) throw this.#gone(base.id);
    return outputs;
  }

  #stored(
    outputs: Outputs,
    inputs: Values,
    hidden: HiddenInputs,
    {
      attempt,
      change,
      pending,
      declaredBefore = [],
      keep = (path) => atPath(inputs, path),
    }: {
      readonly attempt: string | undefined;
      readonly change?: string | undefined;
      readonly pending?: Pending;
      /** What was declared before a failed change: what it was to clear may not be cleared yet. */
      readonly declaredBefore?: readonly string[];
      /** What stays as declared, where it does. Default: as declared now. */
      readonly keep?: (path: string) => unknown;
    },
  ): Values {
    const kind = this.#kind;
    const declared = [...new Set([...declaredBefore, ...declaredPaths(kind, inputs)])];
    return storedState(kept(kind.rules, declared, keep, outputs as Values), {
      ...hiddenInputs(hidden),
      version: kind.version,
      declared,
      ...(attempt === undefined ? {} : { attempt }),
      ...(change === undefined ? {} : { change }),
      ...(pending === undefined ? {} : { pending }),
    });
  }

  #context({ urn = "", timeouts }: Partial<HiddenInputs>, verb: Verb): Context {
    const account = this.#around.account();
    if ("problems" in account) {
      const list = account.problems.map(({ property, reason }) => `${property} ${reason}`).join("; ");
      throw new PlatformError("invalid", asSentence(list), undefined);
    }
    const own = timeouts?.[verb];
    const warn = (line: string): void => this.#around.warn(urn, line);
    return new Context({
      client: account.client,
      orgId: account.settings.orgId,
      timeout: (own === undefined ? undefined : milliseconds(own)) ?? account.settings.operationTimeout,
      progress: (line) => this.#around.progress(urn, line),
      warn,
      failures: this.#around.failures,
      notes: notesOf({ journal: this.#around.journal, client: account.client, kind: this.#kind.name, urn, warn }),
    });
  }

  /** The engine has this object in its state: that settles how it came to be. */
  async #remember(id: string, { hidden, outputs }: State<Outputs>): Promise<void> {
    const { urn, attempt, change, declared = [] } = hidden;
    if (urn === undefined || urn === "") return;
    this.#note(urn, id, outputs, declared);
    const { journal } = this.#around;
    if (attempt !== undefined) await journal.recorded(ownerOf(urn), attempt).catch(() => undefined);
    if (change !== undefined) await journal.settle(ownerOf(urn), change).catch(() => undefined);
  }

  /** An object that is in the state, or will be when this call has ended. */
  #note(urn: string, id: string, outputs: Partial<Outputs>, declared: readonly string[]): void {
    const { name: kind, id: idOf, parts } = this.#kind;
    const { seen } = this.#around;
    // An object whose name has changed keeps its id in state, and is found under another one.
    const { createdAt } = outputs as Values;
    for (const each of [id, idOf(outputs)]) seen.add(urn, { kind, id: each }, createdAt);
    for (const part of parts?.(outputs as Outputs, changesAt(declared)) ?? []) seen.own(urn, part);
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

  #turnOf(values: Values): string | undefined {
    return this.#kind.turn?.(values) ?? projectOf(this.#kind, values);
  }

  #nameOf(values: Values): string {
    const name = values[this.#kind.defaultName ?? "name"];
    return typeof name === "string" ? `${this.#kind.noun} ${name}` : this.#kind.noun;
  }

  /** An object as it is. That it is gone is not believed at one answer: it would be made a second time. */
  async #found(context: Context, state: Partial<Outputs>): Promise<Outputs | undefined> {
    return (await this.#kind.read(context, state)) ?? (await this.#kind.read(context, state));
  }

  #missing(id: string): PlatformError {
    return new PlatformError(
      "outcome-unknown",
      `The platform has answered that it made the ${this.#kind.noun} ${id}, and now does not find it`,
      undefined,
      {
        else: "If it stays like that, run `pulumi refresh` before the next `pulumi up`, which then makes a new one.",
      },
    );
  }

  /** Whether something failed because the object is not there any more. */
  async #isGone(context: Context, outputs: Outputs, error: unknown): Promise<boolean> {
    if (!isNotFound(error)) return false;
    return (await this.#kind.read(context, outputs).catch(() => outputs)) === undefined;
  }

  #gone(id: string, cause?: unknown): GoneError {
    return new GoneError(
      "invalid",
      `The ${this.#kind.noun} ${id} is gone: run \`pulumi refresh\`, and the next \`pulumi up\` makes a new one.${cause === undefined ? "" : ` (${factOf(cause)})`}`,
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
  return new Error(error.retold({ left: untouched[verb], ...next }), { cause: error });
}

/** A delete that was accepted and is not known to have ended well says what to do, and what is left. */
function goesOn(error: unknown, accepted: boolean, left: string): unknown {
  const isOfOperation = PlatformError.isInstance(error) && error.kind.startsWith("operation-");
  if (!isOfOperation && !accepted) return nothingDone(error, "delete");
  if (!isOfOperation && !isOfExchange(error)) return error;
  const next = isDenied(error) ? "" : "Run the same command again.";
  return new Error(error.retold({ left, next }), { cause: error });
}

/** Whether an error is about a request that changes nothing or was not performed. */
function isOfExchange(error: unknown): error is PlatformError {
  return PlatformError.isInstance(error) && ["refused", "unreachable", "unreadable"].includes(error.kind);
}

/** A key that is refused now will be refused for everything else, too. */
function isDenied(error: unknown): boolean {
  return RefusedError.isInstance(error) && (error.status === 401 || error.status === 403);
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
    const { replaces, unreadable, moves, noted } = ruleFor(rules, path);
    const value = [replaces, unreadable, moves, noted].includes(true) ? keep(path) : undefined;
    return value === undefined ? result : withValue(result, path.split("."), value);
  }, outputs);
}

function hiddenInputs({ urn, name, timeouts }: HiddenInputs): HiddenInputs {
  return { urn, ...(name === undefined ? {} : { name }), ...(timeouts === undefined ? {} : { timeouts }) };
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
