import assert from "node:assert/strict";

import type { Values } from "../../support/provider-server";
import { changed, type Sample } from "../../support/sample";
import type { Stage } from "../../support/stage";
import { accountOf, changesBetween, isWithin, objectsOf, type Account, type Objects } from "../../support/account";
import type { DestroyFlags, Did, Engine, Exported, Message, Ran, UpFlags } from "./engine";
import { createNeighbours, createNeighboursIn } from "./neighbours";
import type { KindFacts } from "../../support/kind-facts";
import { pathOf } from "../../support/samples";
import type { Folders, Place } from "../../support/place";
import { nameIn, type Declared, type Options, type Program } from "./program";
import { type Facts, falsehoods } from "./message-facts";

/** A program, or its resources. */
type Declarations = Program | readonly Declared[];

/** What a run does with a resource; `adopt` creates nothing. */
export type Outcome = Did | "adopt";

/** The expected result of a run. Resources that are not named stay unchanged. */
export interface Expected {
  readonly did?: Readonly<Record<string, Outcome>>;
  /** Whether it may warn. Default: only about a replacement. */
  readonly warns?: boolean;
  /** Whether it succeeds. Default: it does. */
  readonly ends?: "well" | "badly" | "either";
  /** Logical names of resources that leave the state while their objects stay. */
  readonly releases?: readonly string[];
  /** Its errors name both accounts. */
  readonly namesAccounts?: boolean;
}

/** A run has failed, so that the rest of the case cannot be judged. */
export class StopError extends Error {}

/** The accounts and stacks of a case, and its problems so far. */
export class Scene {
  readonly stage: Stage;
  readonly sample: Sample;
  readonly facts: KindFacts;
  readonly folders: Folders;
  /** What the program declares. */
  readonly declared: Values;
  /** The owner of the stacks, and another user. */
  readonly owner: Account;
  readonly stranger: Account;
  readonly problems: string[] = [];
  readonly stacks: SceneStack[] = [];
  /** The objects that exist after all stacks are destroyed: released objects. */
  readonly left = new Set<string>();
  /** The objects that a stack has managed at some time. */
  readonly managed = new Set<string>();
  runs = 0;
  #objects: Objects | undefined;
  readonly #first: Objects;
  readonly #engine: (place: Place) => Promise<Engine>;

  private constructor(
    { stage, sample, folders, engine }: SceneOptions,
    declared: Values,
    accounts: readonly [Account, Account],
    first: Objects,
  ) {
    this.stage = stage;
    this.sample = sample;
    this.folders = folders;
    this.facts = sample.facts;
    this.declared = declared;
    [this.owner, this.stranger] = accounts;
    this.#first = first;
    this.#objects = first;
    this.#engine = engine;
  }

  static async create(options: SceneOptions): Promise<Scene> {
    const { stage, sample } = options;
    await createNeighbours(stage);
    const stranger = await stage.platform.signIn("stranger@example.com");
    const accounts = [
      await accountOf(stage.platform, stage.platform.apiKey),
      await accountOf(stage.platform, stranger),
    ] as const;
    const declared = await sample.declare(stage);
    if (typeof declared["projectId"] === "string") await createNeighboursIn(stage, declared["projectId"]);
    return new Scene(options, declared, accounts, await objectsOf(stage.platform, accounts));
  }

  /** A stack at a place; by default, all stacks have the same place. */
  async stack(place: Partial<Place> = {}): Promise<SceneStack> {
    const engine = await this.#engine({ ...this.folders.place(this.owner.apiKey), ...place });
    const stack = new SceneStack(this, engine);
    this.stacks.push(stack);
    return stack;
  }

  /** A stack that has created the resource. */
  async created(app = this.app()): Promise<SceneStack> {
    const stack = await this.stack();
    await stack.up([app], { app: "create" });
    return stack;
  }

  /** The resource that is refactored. */
  app(options?: Options, args: Values = this.declared): Declared {
    return { name: "app", kind: this.sample.kind, args, ...(options === undefined ? {} : { options }) };
  }

  /** A declaration for another object in the same project or account. */
  async another(): Promise<Values> {
    const before = await this.objects();
    const declared = await this.facts.another(this.declared, this.stage);
    this.moved();
    // No stack manages the objects that it needs.
    for (const { path } of changesBetween(before, await this.objects())) this.left.add(path);
    return declared;
  }

  /** A declaration that can be created after {@link declared} was created and deleted. */
  async recreatable(): Promise<Values> {
    return this.facts.once ? this.another() : this.declared;
  }

  /** The declaration without a name: it is the logical name then. */
  get unnamed(): Values {
    return changed(this.declared, "name", undefined);
  }

  /** The declaration with an input that is changed in place. */
  changed(outputs: Values): Values {
    const [change] = this.sample.inPlace(this.declared, outputs).filter(({ sends }) => sends.length > 0);
    assert.ok(change, "nothing can be changed");
    return changed(this.declared, change.input, change.to);
  }

  async objects(): Promise<Objects> {
    return (this.#objects ??= await objectsOf(this.stage.platform, [this.owner, this.stranger]));
  }

  /** Discards what was read of the accounts, which may have changed. */
  moved(): void {
    this.#objects = undefined;
  }

  problem(text: string): void {
    this.problems.push(text);
  }

  /** The objects that other stacks manage. */
  foreignTo(stack: SceneStack): ReadonlySet<string> {
    const others = this.stacks.filter((other) => other !== stack && !other.isAbandoned);
    return new Set(others.flatMap((other) => [...other.paths]));
  }

  /** Asserts that program, state and platform agree, and that `destroy` leaves the initial objects. */
  async settle(): Promise<void> {
    const all = this.stacks.filter((stack) => !stack.isAbandoned);
    for (const stack of all) {
      if (stack.program === undefined || stack.paths.size === 0) continue;
      await stack.up(stack.program, {});
      await stack.refresh();
    }
    for (const stack of all) if (stack.engine.held.length > 0) await stack.destroy();
    const { left, managed } = this;
    for (const { path, is, members } of changesBetween(this.#first, await this.objects())) {
      // Adopted objects are deleted with their stack, and everything in them.
      if ([...(is === "added" ? left : managed)].some((whole) => isWithin(path, whole))) continue;
      this.problem(`in the end, ${path} was ${is}${members.length === 0 ? "" : ` (${members.join(", ")})`}`);
    }
  }

  async remove(): Promise<void> {
    for (const { engine } of this.stacks) await engine.remove();
    this.folders.remove();
    const added = changesBetween(this.#first, await objectsOf(this.stage.platform, [this.owner, this.stranger]));
    const { projectId } = this.declared;
    const projects = [...added.map(({ path }) => path), `/projects/${String(projectId)}`].filter((path) =>
      /^\/projects\/[^/]+$/.test(path),
    );
    const others = added.filter(({ path, is }) => is === "added" && /(api_keys|vpc_endpoints)\/[^/]+$/.test(path));
    for (const path of [...projects, ...others.map(({ path }) => path)]) {
      for (const key of [this.owner.apiKey, this.stranger.apiKey]) {
        await this.stage.platform.call("DELETE", path, undefined, { key });
      }
    }
  }
}

export interface SceneOptions {
  readonly stage: Stage;
  readonly sample: Sample;
  readonly folders: Folders;
  readonly engine: (place: Place) => Promise<Engine>;
}

/** A stack of a scene, whose runs are judged. */
export class SceneStack {
  readonly engine: Engine;
  /** What it declares. */
  program: Program | undefined;
  /** Whether it is no longer run. */
  isAbandoned = false;
  readonly #scene: Scene;

  constructor(scene: Scene, engine: Engine) {
    this.#scene = scene;
    this.engine = engine;
  }

  /** The objects that it manages, by their paths. */
  get paths(): ReadonlySet<string> {
    return new Set(this.engine.held.flatMap((held) => (held.external === true ? [] : [pathOf(held)])));
  }

  outputs(name: string): Values {
    return this.#held(name).outputs;
  }

  id(name: string): string {
    return this.#held(name).id;
  }

  /** The value of `adopt` for a resource's object. */
  adoption(name: string): string | true {
    return this.#scene.sample.adopt(this.outputs(name));
  }

  /** `pulumi up` of these resources, or of a whole program. */
  up(
    program: Declarations,
    did: Readonly<Record<string, Outcome>>,
    expected: Omit<Expected, "did"> = {},
    flags: UpFlags = {},
  ): Promise<Ran> {
    return this.#updated(program, { ...expected, did }, flags);
  }

  /** `pulumi up` that fails and changes nothing. */
  fails(program: Declarations, expected: Expected = {}, flags: UpFlags = {}): Promise<Ran> {
    return this.#updated(program, { ...expected, ends: "badly" }, flags);
  }

  /** `pulumi up` that may fail; however it ends, program, state and platform agree. */
  tries(program: Declarations, flags: UpFlags = {}): Promise<Ran> {
    return this.#updated(program, { ends: "either", warns: true }, flags);
  }

  async triesTwice(program: Declarations): Promise<void> {
    await this.tries(program);
    await this.tries(program);
  }

  /** `pulumi up` that creates an object a second time, which may fail if the platform allows only one of them. */
  upOrTry(
    program: Declarations,
    did: Readonly<Record<string, Outcome>>,
    expected: Omit<Expected, "did"> = {},
    flags: UpFlags = {},
  ): Promise<Ran> {
    const isAllowed = this.#scene.facts.twice === "another";
    // What is there is named: nothing tells the provider that the engine deletes it next.
    return isAllowed ? this.up(program, did, { warns: true, ...expected }, flags) : this.tries(program, flags);
  }

  /** `pulumi up` of what another stack manages: it creates another object, or fails. */
  createsTwin(): Promise<Ran> {
    const program = [this.#scene.app()];
    if (this.#scene.facts.twice !== "another") return this.fails(program);
    return this.up(program, { app: "create" }, { warns: true });
  }

  /**
   * Runs the stack at another place from now on.
   *
   * @returns where it was run before
   */
  runAt(place: Partial<Place>): Place {
    const before = this.engine.place;
    this.engine.place = { ...before, ...place };
    return before;
  }

  refresh(expected: Expected = {}): Promise<Ran> {
    return this.#judged("refresh", () => this.engine.refresh(), expected);
  }

  async destroy(expected: Expected = {}, flags: DestroyFlags = {}): Promise<Ran> {
    const { target } = flags;
    const names = this.engine.held.map(({ urn }) => nameIn(urn)).filter((name) => target?.includes(name) ?? true);
    const did = Object.fromEntries(names.map((name) => [name, "delete" as const]));
    const all = expected.ends === undefined || expected.ends === "well" ? { did, ...expected } : expected;
    const ran = await this.#judged("destroy", () => this.engine.destroy(flags), all);
    if (ran.ended === "well" && target === undefined) this.program = undefined;
    return ran;
  }

  /** `pulumi state delete`: the object stays, and no stack manages it. */
  async forget(name: string): Promise<void> {
    this.#scene.left.add(pathOf(this.#held(name)));
    await this.engine.forget(name);
  }

  /** Exports the state for another stack. This stack is no longer run. */
  async handedOver(): Promise<Exported> {
    const state = await this.engine.exported();
    this.isAbandoned = true;
    return state;
  }

  #held(name: string) {
    return (
      this.engine.held.find((held) => nameIn(held.urn) === name && held.delete !== true) ??
      assert.fail(`there is no ${name} in the state`)
    );
  }

  async #updated(program: Declarations, expected: Expected, flags: UpFlags): Promise<Ran> {
    const whole = "resources" in program ? program : { resources: program };
    const ran = await this.#judged("up", () => this.engine.up(whole, flags), expected, whole);
    if (ran.ended === "well" && flags.target === undefined) this.program = whole;
    return ran;
  }

  async #judged(
    command: string,
    work: () => Promise<Ran>,
    expected: Expected,
    program: Program = { resources: [] },
  ): Promise<Ran> {
    const scene = this.#scene;
    scene.runs += 1;
    const title = `run ${scene.runs} (${command})`;
    const before = await scene.objects();
    const heldBefore = this.paths;
    const foreign = scene.foreignTo(this);
    const ran = await work();
    scene.moved();
    const after = await scene.objects();
    const run = { before, after, heldBefore, heldAfter: this.paths, foreign, ran, program };
    const wrong = [...this.#strayChanges(run), ...this.#strayState(run, expected), ...this.#otherSteps(run, expected)];
    const untrue = [...this.#wrongMessages(run, expected)];
    for (const problem of new Set([...wrong, ...untrue])) scene.problem(`${title}: ${problem}`);
    if (wrong.length > 0) throw new StopError();
    for (const path of heldBefore) if (!run.heldAfter.has(path) && after.has(path)) scene.left.add(path);
    for (const path of run.heldAfter) {
      scene.managed.add(path);
      scene.left.delete(path);
    }
    return ran;
  }

  /** Changes of objects that this stack does not manage. */
  *#strayChanges({ before, after, heldBefore, heldAfter, foreign }: Judged): Generator<string> {
    const own = [...heldBefore, ...heldAfter];
    for (const { path, is, members } of changesBetween(before, after)) {
      const list = members.length === 0 ? "" : ` (${members.join(", ")})`;
      if (!own.some((whole) => isWithin(path, whole))) {
        yield is === "added"
          ? `created ${path}, and it is in no state`
          : `${path}, which the stack does not manage, was ${is}${list}`;
      } else if (foreign.has(path)) {
        yield `${path}, which another stack manages, was ${is}${list}`;
      }
    }
  }

  /** Where the state and the platform do not agree. */
  *#strayState(run: Judged, { releases = [] }: Expected): Generator<string> {
    const { before, after, heldBefore, heldAfter, foreign, ran, program } = run;
    const released = releases.length > 0;
    for (const path of heldBefore) {
      if (!heldAfter.has(path) && after.has(path) && !released)
        yield `${path} was dropped from the state, and it is still there`;
    }
    for (const path of heldAfter) {
      if (foreign.has(path) && !heldBefore.has(path)) yield `${path}, which is another stack's, was taken over`;
    }
    for (const held of this.engine.held) {
      const path = pathOf(held);
      if (held.external === true || heldBefore.has(path) || !before.has(path) || foreign.has(path)) continue;
      const declared = program.resources.find(({ name }) => name === nameIn(held.urn));
      const isNamed = declared?.args["adopt"] !== undefined || declared?.options?.import !== undefined;
      if (!isNamed) yield `${path} was taken over, and the program does not adopt it`;
    }
    if (ran.ended === "badly") return;
    for (const path of heldAfter) if (!after.has(path)) yield `${path} is in the state, and it is not there`;
    const managed = this.engine.held.filter(({ external }) => external !== true);
    for (const held of managed) {
      const path = pathOf(held);
      const twin = managed.find((other) => other !== held && pathOf(other) === path);
      const createdAt = after.get(path)?.["created_at"];
      // What a killed run has created can replace it.
      const isOld = heldBefore.has(path) && createdAt !== undefined && before.get(path)?.["created_at"] === createdAt;
      if (ran.did[nameIn(held.urn)] === "replace" && isOld) yield `${path} was replaced by itself`;
      if (twin !== undefined && twin.urn < held.urn)
        yield `${nameIn(held.urn)} and ${nameIn(twin.urn)} both manage ${path}`;
      const { password } = held.outputs;
      if (held.kind === "Role" && typeof password === "string" && password !== after.get(path)?.["password"]) {
        yield `the password of ${path} in the state is not the one in force`;
      }
    }
  }

  /** Where the run differs from the expected result. */
  *#otherSteps({ before, ran }: Judged, { did, ends = "well" }: Expected): Generator<string> {
    if (ends !== "either" && ran.ended !== ends) {
      const errors = ran.messages.filter(({ is }) => is === "error").map(({ text }) => text);
      yield `it ends ${ran.ended}${errors.length === 0 ? "" : `: ${errors.join(" / ")}`}`;
    }
    if (did === undefined || ran.ended === "badly") return;
    for (const name of new Set([...Object.keys(did), ...Object.keys(ran.did)])) {
      const actual = this.#outcome(name, ran.did[name], before);
      const wanted = did[name] ?? "same";
      if (actual !== wanted) yield `${name}: ${actual ?? "nothing"} instead of ${wanted}`;
    }
  }

  #outcome(name: string, did: Did | undefined, before: Objects): Outcome | undefined {
    if (did !== "create") return did;
    return before.has(pathOf(this.#held(name))) ? "adopt" : "create";
  }

  *#wrongMessages(
    run: Judged,
    { did = {}, warns = false, ends = "well", namesAccounts = false }: Expected,
  ): Generator<string> {
    const { messages, ended } = run.ran;
    for (const message of messages) yield* falsehoods(message, run);
    const replaces = Object.values(did).includes("replace");
    if (ended === "well" && !warns && !replaces) {
      // An adoption sets what the platform never reports, and says so.
      const sets = this.#scene.sample.sentOnAdoption !== undefined;
      const others = messages.filter(({ text }) => !sets || !text.startsWith("Adopting the "));
      for (const { is, text } of others) yield `an unexpected ${is}: ${text}`;
    }
    if (ended === "badly" && ends !== "well" && !messages.some(({ is }) => is === "error"))
      yield "it fails without an error";
    if (namesAccounts && ended === "badly") yield* this.#accountsNotNamed(messages);
  }

  *#accountsNotNamed(messages: readonly Message[]): Generator<string> {
    const { owner, stranger } = this.#scene;
    const errors = messages.filter(({ is }) => is === "error").map(({ text }) => text);
    for (const [whose, { names }] of [
      ["owner", owner],
      ["stranger", stranger],
    ] as const) {
      const isOrganization = (text: string): boolean => whose === "owner" && /[Oo]rganization org-/.test(text);
      const isNamed = errors.some((text) => isOrganization(text) || names.some((name) => text.includes(name)));
      if (!isNamed) yield `no error names the account of the ${whose}: ${errors.join(" / ")}`;
    }
  }
}

interface Judged extends Facts {
  readonly program: Program;
}
