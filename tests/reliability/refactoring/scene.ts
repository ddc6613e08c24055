import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { KindName } from "../../../provider/frozen-entry";
import { accountOf, changesBetween, isWithin, objectsOf, type Account, type Objects } from "../../support/account";
import { currentDoor, type Door, typeOf } from "../../support/door";
import type { KindFacts } from "../../support/kind-facts";
import { Folders, type Place } from "../../support/place";
import { withPlugin } from "../../support/plugin";
import type { Values } from "../../support/provider-server";
import { changed, type Sample } from "../../support/sample";
import { pathOf } from "../../support/samples";
import { type CliResult, Stack, unattended } from "../../support/stack";
import type { Stage } from "../../support/stage";
import { isOurs, nameIn, type Ran, reported } from "../cli-events";
import { stackConfig } from "../lanes";
import { type Expected, type Held, type Judged, misstatements, mistakes } from "./judge";
import { createNeighbours, createNeighboursIn } from "./neighbours";

/** A run has failed, so that the rest of the case cannot be judged. */
export class StopError extends Error {}

/** A resource of a program. */
interface Declared {
  /** Its logical name, and that of its variable. Default: `app`. */
  readonly name?: string;
  /** Default: what the sample declares. */
  readonly args?: Values;
  /** Its options, as the program's text. Default: none. */
  readonly options?: string;
}

/** The accounts and stacks of a case, and its problems so far. */
export class Scene {
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

  private constructor(
    readonly stage: Stage,
    readonly sample: Sample,
    readonly folders: Folders,
    /** The declarations of the program. */
    readonly declared: Values,
    accounts: readonly [Account, Account],
    first: Objects,
  ) {
    [this.owner, this.stranger] = accounts;
    this.#first = first;
    this.#objects = first;
  }

  static async create(stage: Stage, sample: Sample): Promise<Scene> {
    await createNeighbours(stage);
    const stranger = await stage.platform.signIn("stranger@example.com");
    const accounts = [
      await accountOf(stage.platform, stage.platform.apiKey),
      await accountOf(stage.platform, stranger),
    ] as const;
    const declared = await sample.declare(stage);
    if (typeof declared["projectId"] === "string") await createNeighboursIn(stage, declared["projectId"]);
    const first = await objectsOf(stage.platform, accounts);
    return new Scene(stage, sample, await Folders.installed(), declared, accounts, first);
  }

  get facts(): KindFacts {
    return this.sample.facts;
  }

  /** A stack at a place; by default, all stacks have the same place. */
  async stack(place: Partial<Place> = {}): Promise<SceneStack> {
    const stack = await SceneStack.create(this, { ...this.folders.place(this.owner.apiKey), ...place });
    this.stacks.push(stack);
    return stack;
  }

  /** A stack that has created the resource. */
  async created(app = this.app()): Promise<SceneStack> {
    const stack = await this.stack();
    await stack.up(app, { did: { app: "create" } });
    return stack;
  }

  /** The text of the resource that is refactored. */
  app(declared: Declared = {}): string {
    return this.resource(this.sample.kind, declared);
  }

  /** The text of another resource of the same kind. */
  async other(options = ""): Promise<string> {
    return this.app({ name: "other", args: await this.another(), options });
  }

  resource(kind: KindName, { name = "app", args = this.declared, options = "" }: Declared): string {
    return `const ${name} = new neon.${kind}("${name}", ${JSON.stringify(args)}, { ${options} });\n`;
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

  /** The declaration without a name: it is the logical name then. */
  get unnamed(): Values {
    return changed(this.declared, "name", undefined);
  }

  /** The declaration with an input that is changed in place. */
  changed(stack: SceneStack): Values {
    const { outputs } = stack.held("app");
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
      await stack.up(stack.program);
      await stack.refresh();
    }
    for (const stack of all) if (stack.everything.length > 0) await stack.destroy();
    const { left, managed } = this;
    for (const { path, is, members } of changesBetween(this.#first, await this.objects())) {
      // Adopted objects are deleted with their stack, and everything in them.
      if ([...(is === "added" ? left : managed)].some((whole) => isWithin(path, whole))) continue;
      this.problems.push(`in the end, ${path} was ${is}${members.length === 0 ? "" : ` (${members.join(", ")})`}`);
    }
  }

  async remove(): Promise<void> {
    for (const stack of this.stacks) await stack.remove();
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

/** How an `up` is run, and its expected result. */
type Update = Expected & { readonly flags?: readonly string[] };

/** A stack of a scene, whose runs are judged. */
export class SceneStack {
  /** The machine and folder of the next run. */
  place: Place;
  /** The text of the program. */
  program: string | undefined;
  /** Whether the stack is no longer run. */
  isAbandoned = false;
  #written = "";
  #apiKey: string;

  private constructor(
    readonly scene: Scene,
    place: Place,
    readonly stack: Stack,
  ) {
    this.place = place;
    this.#apiKey = place.apiKey;
  }

  static async create(scene: Scene, place: Place): Promise<SceneStack> {
    const stack = await Stack.create({
      platform: { apiUrl: scene.stage.platform.apiUrl, apiKey: place.apiKey },
      program: "",
      project: projectFor(currentDoor()),
      config: stackConfig,
      place,
      // For the explicit providers of programs.
      environment: { KEY_OF_OWNER: scene.owner.apiKey, KEY_OF_STRANGER: scene.stranger.apiKey },
    });
    return new SceneStack(scene, place, stack);
  }

  /** The resources in the state, including those that are only read or not deleted yet. */
  get everything(): readonly Held[] {
    const own = this.stack
      .everyResource()
      .filter(({ urn, pendingReplacement }) => isOurs(urn) && pendingReplacement !== true);
    return own.map(({ type, id = "", outputs, ...stored }) => ({
      ...stored,
      id,
      kind: type.slice(type.lastIndexOf(":") + 1) as KindName,
      outputs: this.stack.reveal(outputs) as Values,
    }));
  }

  held(name: string): Held {
    const found = this.everything.find((one) => nameIn(one.urn) === name && one.delete !== true);
    return found ?? assert.fail(`there is no ${name} in the state`);
  }

  /** The paths of the objects that the stack manages. */
  get paths(): ReadonlySet<string> {
    return new Set(this.everything.flatMap((held) => (held.external === true ? [] : [pathOf(held)])));
  }

  /** The URN in the state, or the one that a new resource gets. */
  urn(name: string): string {
    const stored = this.everything.find(({ urn }) => nameIn(urn) === name);
    return stored?.urn ?? this.stack.urn(typeOf(this.scene.sample.kind), name);
  }

  /** The value of `adopt` for a resource's object. */
  adoption(name: string): string | true {
    return this.scene.sample.adopt(this.held(name).outputs);
  }

  /** `pulumi up`, in which resources that are not named stay unchanged. */
  async up(program: string, { flags = [], ...expected }: Update = {}): Promise<void> {
    this.#written = program;
    const ran = await this.#judged(["up", ...unattended, ...flags], { did: {}, ...expected }, program);
    if (ran.ended === "well" && !flags.includes("--target")) this.program = program;
  }

  /** `pulumi up` that fails and changes nothing. */
  fails(program: string, update: Update = {}): Promise<void> {
    return this.up(program, { ...update, ends: "badly" });
  }

  /** `pulumi up` that may fail; however it ends, program, state and platform agree. */
  tries(program: string, flags: readonly string[] = []): Promise<void> {
    return this.up(program, { ends: "either", warns: true, did: undefined, flags });
  }

  async triesTwice(program: string): Promise<void> {
    await this.tries(program);
    await this.tries(program);
  }

  /** `pulumi up` that creates an object a second time, which may fail if the platform allows only one of them. */
  upOrTry(program: string, update: Update): Promise<void> {
    const isAllowed = this.scene.facts.twice === "another";
    // The existing object is named, because the provider cannot know that the engine deletes it next.
    return isAllowed ? this.up(program, { warns: true, ...update }) : this.tries(program, update.flags);
  }

  async refresh(expected: Expected = {}): Promise<void> {
    await this.#judged(["refresh", ...unattended], expected);
  }

  async destroy({ flags = [], ...expected }: Update = {}): Promise<void> {
    const all = Object.fromEntries(this.everything.map(({ urn }) => [nameIn(urn), "delete" as const]));
    const ran = await this.#judged(["destroy", ...unattended, ...flags], { did: all, ...expected });
    if (ran.ended === "well" && flags.length === 0) this.program = undefined;
  }

  /** Another command, such as `pulumi state`. */
  async command(...args: readonly string[]): Promise<CliResult> {
    this.#prepare();
    return this.stack.command(...args);
  }

  /** `pulumi state delete`: the object stays, and no stack manages it. */
  async forget(name: string): Promise<void> {
    this.scene.left.add(pathOf(this.held(name)));
    await this.command("state", "delete", "--yes", this.urn(name));
  }

  async rename(to: Partial<Pick<Place, "stack" | "project">>): Promise<void> {
    this.#prepare();
    const place = { ...this.place, ...to };
    await this.stack.rename(place);
    this.place = place;
  }

  /** Gives its state to another stack. This one is no longer run. */
  async handOver(to: SceneStack): Promise<void> {
    const { stdout } = await this.command("stack", "export");
    this.isAbandoned = true;
    const file = join(this.stack.kept, "exported.json");
    writeFileSync(file, stdout);
    await to.command("stack", "import", "--file", file);
  }

  /**
   * Runs the stack at another place from now on.
   *
   * @returns the former place
   */
  runAt(place: Partial<Place>): Place {
    const before = this.place;
    this.place = { ...before, ...place };
    return before;
  }

  useDoor(door: Door): void {
    this.stack.project = projectFor(door);
  }

  remove(): Promise<void> {
    return this.stack.remove();
  }

  /** Applies the present place and program of the stack. */
  #prepare(): void {
    const { home, folder, stack, apiKey } = this.place;
    this.stack.move({ home, folder });
    this.stack.environment["PULUMI_STACK"] = stack;
    this.stack.write(this.#written);
    if (apiKey === this.#apiKey) return;
    this.#apiKey = apiKey;
    this.stack.configure({}, { "neon:apiKey": apiKey });
  }

  async #judged(args: readonly string[], expected: Expected, program = ""): Promise<Ran> {
    const { scene } = this;
    scene.runs += 1;
    const before = await scene.objects();
    const heldBefore = this.paths;
    const foreign = scene.foreignTo(this);
    this.#prepare();
    const ran = spoken(await reported(this.stack, args));
    scene.moved();
    const after = await scene.objects();
    const { everything: held, paths: heldAfter } = this;
    const run: Judged = { before, after, heldBefore, heldAfter, foreign, ran, program, held, scene };
    const wrong = [...mistakes(run, expected)];
    for (const problem of new Set([...wrong, ...misstatements(run, expected)])) {
      scene.problems.push(`run ${scene.runs} (${args[0] ?? ""}): ${problem}`);
    }
    if (wrong.length > 0) throw new StopError();
    for (const path of heldBefore) if (!heldAfter.has(path) && after.has(path)) scene.left.add(path);
    for (const path of heldAfter) {
      scene.managed.add(path);
      scene.left.delete(path);
    }
    return ran;
  }
}

/** A run with its messages about resources of this package. If it fails without an error, its whole output is the message. */
function spoken(ran: Ran): Ran {
  const messages = ran.messages.filter(({ is, urn }) => is === "error" || isOurs(urn));
  const isSilent = ran.ended === "badly" && !messages.some(({ is }) => is === "error");
  return { ...ran, messages: isSilent ? [...messages, { is: "error", urn: "", text: ran.text }] : messages };
}

function projectFor(door: Door): Readonly<Record<string, unknown>> {
  return door === "plugin" ? withPlugin : {};
}
