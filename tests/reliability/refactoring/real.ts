import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { KindName } from "../../../provider/frozen-entry";
import { type Door, currentDoor, typeOf } from "../../support/door";
import { withPlugin } from "../../support/plugin";
import { Stack, unattended, type CliResult, type StoredResource } from "../../support/stack";
import { findingOf, reportedBy, stepOf } from "../cli-events";
import type { DestroyFlags, Did, Engine, Exported, Held, Ran, UpFlags } from "./engine";
import type { Place } from "../../support/place";
import { nameIn, optionsOf, type Alias, type Component, type Declared, type Options, type Program } from "./program";

/** A stack of the real CLI: each command is a process of its own. */
export class RealStack implements Engine {
  place: Place;
  readonly #stack: Stack;
  #program: Program = { resources: [] };
  #apiKey: string;
  #door: Door = currentDoor();

  private constructor(place: Place, stack: Stack) {
    this.place = place;
    this.#stack = stack;
    this.#apiKey = place.apiKey;
  }

  static async create(place: Place, config: Readonly<Record<string, string>>): Promise<RealStack> {
    const stack = await Stack.create({
      platform: { apiUrl: config["neon:apiUrl"] ?? "", apiKey: place.apiKey },
      program: "",
      project: projectFor(currentDoor()),
      config,
      place,
      // Without it, the CLI does not accept `--event-log`.
      environment: { PULUMI_DEBUG_COMMANDS: "true" },
    });
    return new RealStack(place, stack);
  }

  get held(): readonly Held[] {
    return this.#ours.map(({ type, id = "", ...stored }) => ({
      ...stored,
      id,
      kind: type.slice(type.lastIndexOf(":") + 1) as KindName,
    }));
  }

  async up(program: Program, { target = [], targetDependents, replace = [] }: UpFlags = {}): Promise<Ran> {
    this.#program = program;
    const dependents = targetDependents === true ? ["--target-dependents"] : [];
    const chosen = [...this.#urns(target, "--target"), ...dependents, ...this.#urns(replace, "--replace")];
    return this.#run(["up", ...unattended, ...chosen]);
  }

  refresh(): Promise<Ran> {
    return this.#run(["refresh", ...unattended]);
  }

  destroy({ target = [] }: DestroyFlags = {}): Promise<Ran> {
    return this.#run(["destroy", ...unattended, ...this.#urns(target, "--target")]);
  }

  useDoor(door: Door): void {
    this.#door = door;
    this.#stack.project = projectFor(door);
  }

  async forget(name: string): Promise<void> {
    await this.#command("state", "delete", "--yes", this.#urnOf(name));
  }

  async renameResource(from: string, to: string): Promise<void> {
    await this.#command("state", "rename", "--yes", this.#urnOf(from), to);
  }

  async taint(name: string, isTainted: boolean): Promise<void> {
    await this.#command("state", isTainted ? "taint" : "untaint", "--yes", this.#urnOf(name));
  }

  async move(name: string, to: Engine): Promise<void> {
    const { stack } = this.place;
    await this.#command("state", "move", "--yes", "--source", stack, "--dest", to.place.stack, this.#urnOf(name));
  }

  async rename(to: { readonly stack?: string; readonly project?: string }): Promise<void> {
    this.#prepare();
    const place = { ...this.place, ...to };
    await this.#stack.rename(place);
    this.place = place;
  }

  async exported(): Promise<Exported> {
    const { stdout } = await this.#command("stack", "export");
    return JSON.parse(stdout) as Exported;
  }

  async import(state: Exported): Promise<void> {
    const file = join(this.#stack.kept, "exported.json");
    writeFileSync(file, JSON.stringify(state));
    await this.#command("stack", "import", "--file", file);
  }

  remove(): Promise<void> {
    return this.#stack.remove();
  }

  get #ours(): readonly StoredResource[] {
    return this.#stack
      .everyResource()
      .filter(({ urn, pendingReplacement }) => isOurs(urn) && pendingReplacement !== true);
  }

  #urns(names: readonly string[], flag: string): readonly string[] {
    return names.flatMap((name) => [flag, this.#urnOf(name)]);
  }

  /** The URN in the state, or the one that a new resource gets. */
  #urnOf(name: string): string {
    const stored = this.#ours.find(({ urn }) => nameIn(urn) === name);
    const declared = this.#program.resources.find((one) => one.name === name);
    return stored?.urn ?? this.#stack.urn(typeOf(declared?.kind ?? "Project", this.#door), name);
  }

  /** Applies the present place and program of the stack. */
  #prepare(): void {
    const { home, folder, stack, apiKey } = this.place;
    this.#stack.move({ home, folder });
    this.#stack.environment["PULUMI_STACK"] = stack;
    this.#stack.write(textOf(this.#program));
    for (const [name, key] of Object.entries(this.#program.providers ?? {})) {
      this.#stack.environment[keyVariable(name)] = key;
    }
    if (apiKey === this.#apiKey) return;
    this.#apiKey = apiKey;
    this.#stack.configure({}, { "neon:apiKey": apiKey });
  }

  async #command(...args: readonly string[]): Promise<CliResult> {
    this.#prepare();
    return this.#stack.command(...args);
  }

  async #run(args: readonly string[]): Promise<Ran> {
    this.#prepare();
    const { code, text, started, ended, messages } = await reportedBy(
      this.#stack.folder,
      (flags) => this.#stack.start([...args, ...flags]).ended,
    );
    // The engine also warns about whole runs.
    const ours = messages.filter(({ is, urn }) => is === "error" || isOurs(urn));
    const isSilent = code !== 0 && !ours.some(({ is }) => is === "error");
    return {
      ended: code === 0 ? "well" : "badly",
      did: args[0] === "refresh" ? didBy(ended, findingOf) : didBy(started, stepOf),
      messages: isSilent ? [...ours, { is: "error", urn: "", text }] : ours,
    };
  }
}

function projectFor(door: Door): Readonly<Record<string, unknown>> {
  return door === "plugin" ? withPlugin : {};
}

/** Whether a URN is that of a resource of this package, at any door. */
function isOurs(urn: string): boolean {
  return /[/:$]neon:(?:index:)?\w+::/.test(urn);
}

function didBy(
  steps: ReadonlyMap<string, readonly string[]>,
  didOf: (ops: readonly string[]) => Did | undefined,
): Record<string, Did> {
  const did: Record<string, Did> = {};
  for (const [urn, ops] of steps) {
    const found = isOurs(urn) ? didOf(ops) : undefined;
    const name = nameIn(urn);
    // A resource that moves to another parent is two resources of one name.
    if (found !== undefined && (did[name] === undefined || found === "delete")) did[name] = found;
  }
  return did;
}

function keyVariable(provider: string): string {
  return `KEY_OF_${provider.toUpperCase()}`;
}

function textOf(program: Program): string {
  const { resources, providers = {} } = program;
  const parents = new Map(resources.flatMap(({ options: { parent } = {} }) => (parent ? [[parent.name, parent]] : [])));
  return [
    ...Object.keys(providers).map(providerText),
    ...[...parents.values()].map(componentText),
    ...(program.transform === undefined ? [] : [transformText(program.transform)]),
    ...resources.map((declared) => resourceText(program, declared)),
    "",
  ].join("\n");
}

function providerText(name: string): string {
  return `const provider_${name} = new neon.Provider("${name}", { apiKey: pulumi.secret(process.env.${keyVariable(name)}) });`;
}

function componentText({ name, type, oldType }: Component): string {
  const options = oldType === undefined ? {} : { aliases: [{ type: oldType }] };
  return `const component_${name} = new pulumi.ComponentResource("${type}", "${name}", {}, ${JSON.stringify(options)});`;
}

function transformText(transform: Options): string {
  const opts = optionsText(transform);
  return `pulumi.runtime.registerStackTransformation(({ props, opts }) => ({ props, opts: pulumi.mergeOptions(opts, ${opts}) }));`;
}

function resourceText(program: Program, declared: Declared): string {
  const { name, kind, args, get, options = {} } = declared;
  const variable = `resource_${name}`;
  if (get !== undefined)
    return `const ${variable} = neon.${kind}.get(${JSON.stringify(name)}, ${JSON.stringify(get)});`;
  const { deletedWith } = optionsOf(program, declared);
  const opts = optionsText({ ...options, ...(deletedWith === undefined ? {} : { deletedWith }) });
  return `const ${variable} = new neon.${kind}(${JSON.stringify(name)}, ${JSON.stringify(args)}, ${opts});`;
}

function optionsText({ parent, aliases, provider, deletedWith, dependsOn, ...plain }: Options): string {
  const members = [
    ...Object.entries(plain).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ...(parent === undefined ? [] : [`parent: component_${parent.name}`]),
    ...(aliases === undefined ? [] : [`aliases: [${aliases.map(aliasText).join(", ")}]`]),
    ...(provider === undefined ? [] : [`provider: provider_${provider}`]),
    ...(deletedWith === undefined ? [] : [`deletedWith: resource_${deletedWith}`]),
    ...(dependsOn === undefined ? [] : [`dependsOn: resource_${dependsOn}`]),
  ];
  return `{ ${members.join(", ")} }`;
}

function aliasText({ name, parent }: Alias): string {
  const members = [
    ...(name === undefined ? [] : [`name: ${JSON.stringify(name)}`]),
    ...(parent === null ? ["parent: pulumi.rootStackResource"] : []),
    // The component is no longer in the program, but its URN is known.
    ...(parent ? [`parent: pulumi.createUrn("${parent.name}", "${parent.type}")`] : []),
  ];
  return `{ ${members.join(", ")} }`;
}
