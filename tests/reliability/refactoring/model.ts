import { CallError, ProviderServer } from "../../support/provider-server";
import { CheckError, EngineResource, type ResourceOptions } from "../../support/engine";
import { EngineLog } from "../../support/engine-log";
import type { DestroyFlags, Did, Engine, Exported, Held, Message, Ran, UpFlags } from "./engine";
import type { Place } from "../../support/place";
import { aliasesIn, nameIn, optionsOf, urnIn, type Declared, type Options, type Program } from "./program";

/** The provider of resources that do not name one. */
const defaultProvider = "";
/** How long the last warning of a run may take to arrive, in milliseconds. */
const afterword = 20;

interface Entry {
  readonly resource: EngineResource;
  readonly provider: string;
  readonly options: Options;
  readonly isExternal: boolean;
  readonly isTainted: boolean;
}

interface State {
  readonly entries: readonly Entry[];
  /** The keys of its providers, which commands use that do not run the program. */
  readonly apiKeys: Readonly<Record<string, string>>;
}

/** A refusal of the engine itself. */
class EngineError extends Error {}

/**
 * The model of the engine for a whole stack, with the steps of `step_generator.go`: first the resources of the program in
 * their order, then the resources that are no longer in it. Each run has its own provider processes.
 */
export class ModelStack implements Engine {
  place: Place;
  readonly #config: Readonly<Record<string, string>>;
  #state: State = { entries: [], apiKeys: {} };

  constructor(place: Place, config: Readonly<Record<string, string>>) {
    this.place = place;
    this.#config = config;
  }

  get held(): readonly Held[] {
    return this.#state.entries.flatMap(({ resource, isExternal: external }): Held[] => {
      const { urn, kind, state, replaced, isPendingReplacement } = resource;
      const present = state === undefined || isPendingReplacement ? [] : [{ ...state, delete: false }];
      const all = [...present, ...replaced.map((old) => ({ ...old, delete: true }))];
      return all.map(({ id, outputs, delete: isReplaced }) => ({
        urn,
        kind,
        id,
        outputs,
        external,
        delete: isReplaced,
      }));
    });
  }

  up(program: Program, flags: UpFlags = {}): Promise<Ran> {
    const { providers = {} } = program;
    // A default provider that no resource of the program uses stays unchanged in the state.
    const usesDefault = program.resources.some((one) => optionsOf(program, one).provider === undefined);
    const ownKey = usesDefault ? { [defaultProvider]: this.place.apiKey } : {};
    const apiKeys = { ...this.#state.apiKeys, ...providers, ...ownKey };
    this.#state = { ...this.#state, apiKeys };
    return this.#run(async (run) => {
      const seen = new Set<string>();
      for (const declared of program.resources) {
        const options = optionsOf(program, declared);
        if (!isTargeted(flags, declared.name)) {
          this.#passOver(declared, options, run, seen);
          continue;
        }
        await this.#register(declared, options, flags, run, seen);
      }
      await this.#deleteReplaced(run, flags);
      await this.#deleteUndeclared(run, flags, seen);
    });
  }

  refresh(): Promise<Ran> {
    return this.#run(async (run) => {
      for (const entry of this.#state.entries) {
        const { resource } = entry;
        await run.serve(entry);
        const seen = await run.step(resource.urn, () => resource.refresh());
        run.did[resource.name] = seen === "changed" ? "update" : seen;
        if (seen === "gone") this.#drop(resource.urn);
      }
    });
  }

  destroy(flags: DestroyFlags = {}): Promise<Ran> {
    return this.#run(async (run) => {
      await this.#deleteReplaced(run, flags);
      await this.#deleteUndeclared(run, flags, new Set());
    });
  }

  useDoor(): void {
    throw new Error("a model of the engine has one door");
  }

  forget(name: string): Promise<void> {
    this.#drop(this.#entryNamed(name).resource.urn);
    return Promise.resolve();
  }

  renameResource(from: string, to: string): Promise<void> {
    const entry = this.#entryNamed(from);
    const { urn } = entry.resource;
    this.#put({ ...entry, resource: moved(entry.resource, `${urn.slice(0, -from.length)}${to}`) }, urn);
    return Promise.resolve();
  }

  taint(name: string, isTainted: boolean): Promise<void> {
    const entry = this.#entryNamed(name);
    this.#put({ ...entry, isTainted }, entry.resource.urn);
    return Promise.resolve();
  }

  move(name: string, to: Engine): Promise<void> {
    if (!(to instanceof ModelStack)) throw new Error("a resource is moved between stacks of one engine");
    const entry = this.#entryNamed(name);
    this.#drop(entry.resource.urn);
    const { urn } = entry.resource;
    to.#state = {
      entries: [...to.#state.entries, { ...entry, resource: moved(entry.resource, readdressed(urn, to.place)) }],
      apiKeys: { ...this.#state.apiKeys, ...to.#state.apiKeys },
    };
    return Promise.resolve();
  }

  rename(to: { readonly stack?: string; readonly project?: string }): Promise<void> {
    this.place = { ...this.place, ...to };
    const entries = this.#state.entries.map((entry) => ({
      ...entry,
      resource: moved(entry.resource, readdressed(entry.resource.urn, this.place)),
    }));
    this.#state = { ...this.#state, entries };
    return Promise.resolve();
  }

  exported(): Promise<Exported> {
    return Promise.resolve(copyOf(this.#state));
  }

  import(state: Exported): Promise<void> {
    this.#state = copyOf(state as State);
    return Promise.resolve();
  }

  remove(): Promise<void> {
    return Promise.resolve();
  }

  /** Starts the processes of a run when they are needed, and stops them as the engine does. */
  async #run(work: (run: Run) => Promise<void>): Promise<Ran> {
    const run = new Run(this.place, this.#config, this.#state.apiKeys);
    try {
      await work(run);
      await new Promise((resolve) => setTimeout(resolve, afterword));
      return { ended: "well", did: run.did, messages: run.messages };
    } catch (error) {
      if (!isOfRun(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, afterword));
      return { ended: "badly", did: run.did, messages: [...run.messages, ...run.errors(error)] };
    } finally {
      await run.end();
    }
  }

  /** A resource that is not targeted stays unchanged in the state, if it is there. */
  #passOver(declared: Declared, options: Options, run: Run, seen: Set<string>): void {
    const entry = this.#found(declared, options);
    if (entry === undefined) return;
    seen.add(entry.resource.urn);
    run.did[declared.name] = "same";
  }

  async #register(declared: Declared, options: Options, flags: UpFlags, run: Run, seen: Set<string>): Promise<void> {
    const { name, kind, args } = declared;
    const urn = urnIn(this.place, declared, options.parent?.type);
    const old = this.#found(declared, options);
    seen.add(urn);
    if (declared.get !== undefined) {
      await this.#read(declared, declared.get, options, urn, run);
      return;
    }
    // A resource that was only read belongs to another stack: a managed resource takes its place.
    const known = old?.isExternal === true ? undefined : old;
    const resource =
      known === undefined ? new EngineResource(await run.server(options), kind, name, urn) : moved(known.resource, urn);
    const entry: Entry = {
      resource,
      provider: options.provider ?? defaultProvider,
      options,
      isExternal: false,
      isTainted: false,
    };
    await run.serve(entry);
    const replace = known !== undefined && (known.isTainted || (flags.replace ?? []).includes(name));
    if (known !== undefined && options.protect === true && known.options.protect === true) {
      const plan = await run.step(urn, () => resource.preview(args, this.#optionsFor(options, replace)));
      if (plan.step === "replace") throw run.refused(urn, `unable to replace resource "${urn}": it is protected`);
    }
    try {
      const did = await run.step(urn, () => resource.up(args, this.#optionsFor(options, replace)));
      run.did[name] = did;
      this.#put(entry, old?.resource.urn);
    } catch (error) {
      // A step that failed before it did anything leaves the state unchanged, under its old URN.
      if (resource.state !== known?.resource.state || resource.isPendingReplacement)
        this.#put(entry, old?.resource.urn);
      throw error;
    }
  }

  #optionsFor(options: Options, replace: boolean): ResourceOptions {
    return { ...options, organization: this.place.organization, deletesLater: true, replace };
  }

  /** Reads an object that another resource or stack manages. This stack never deletes it. */
  async #read(declared: Declared, id: string, options: Options, urn: string, run: Run): Promise<void> {
    const { name, kind, args } = declared;
    const server = await run.server(options);
    const about = { urn, organization: this.place.organization };
    const read = await run.step(urn, () => server.lookUp(kind, id, about, args));
    const resource = new EngineResource(server, kind, name, urn);
    resource.state = { ...read, failed: [] };
    const provider = options.provider ?? defaultProvider;
    this.#put({ resource, provider, options, isExternal: true, isTainted: false }, urn);
    run.did[name] = "read";
  }

  /** The entry of a declared resource under its present URN or one of its aliases. */
  #found(declared: Declared, options: Options): Entry | undefined {
    const urns = [
      urnIn(this.place, declared, options.parent?.type),
      ...aliasesIn(this.place, { ...declared, options }),
    ];
    const found = urns.map((urn) => this.#state.entries.find(({ resource }) => resource.urn === urn));
    return found.find((entry) => entry !== undefined);
  }

  async #deleteReplaced(run: Run, flags: UpFlags): Promise<void> {
    for (const entry of this.#state.entries) {
      const { resource } = entry;
      if (resource.replaced.length === 0 || !isTargeted(flags, resource.name)) continue;
      await run.serve(entry);
      await run.step(resource.urn, () => resource.deleteReplaced());
    }
  }

  async #deleteUndeclared(run: Run, flags: UpFlags, seen: ReadonlySet<string>): Promise<void> {
    const gone = this.#state.entries.filter(
      ({ resource }) => !seen.has(resource.urn) && isTargeted(flags, resource.name),
    );
    const names = new Set(gone.map(({ resource }) => resource.name));
    // The resource that was created last is deleted first.
    for (const entry of [...gone].reverse()) {
      const { resource, options, isExternal } = entry;
      if (options.protect === true) {
        throw run.refused(resource.urn, `resource "${resource.urn}" cannot be deleted because it is protected`);
      }
      const goesAlong = options.deletedWith !== undefined && names.has(options.deletedWith);
      if (!isExternal && !goesAlong && resource.state !== undefined) {
        await run.serve(entry);
        await run.step(resource.urn, () => resource.destroy());
      }
      this.#drop(resource.urn);
      run.did[resource.name] = "delete";
    }
  }

  #entryNamed(name: string): Entry {
    const found = this.#state.entries.find(({ resource }) => resource.name === name);
    if (found === undefined) throw new Error(`there is no ${name} in the state`);
    return found;
  }

  #put(entry: Entry, oldUrn: string | undefined): void {
    const { entries } = this.#state;
    const index = entries.findIndex(({ resource }) => resource.urn === oldUrn || resource.urn === entry.resource.urn);
    this.#state = {
      ...this.#state,
      entries: index < 0 ? [...entries, entry] : entries.with(index, entry),
    };
  }

  #drop(urn: string): void {
    const entries = this.#state.entries.filter(({ resource }) => resource.urn !== urn);
    this.#state = { ...this.#state, entries };
  }
}

/** One command: its provider processes and its results. */
class Run {
  readonly did: Record<string, Did> = {};
  readonly #place: Place;
  readonly #config: Readonly<Record<string, string>>;
  readonly #apiKeys: Readonly<Record<string, string>>;
  readonly #servers = new Map<string, ProviderServer>();
  /** All provider processes of a run serve one engine. */
  #engine: EngineLog | undefined;
  #failing = "";
  #ended: Promise<void> | undefined;

  constructor(place: Place, config: Readonly<Record<string, string>>, apiKeys: Readonly<Record<string, string>>) {
    this.#place = place;
    this.#config = config;
    this.#apiKeys = apiKeys;
  }

  get messages(): readonly Message[] {
    return (this.#engine?.lines ?? []).flatMap(({ urn, text, is }) => (is === "warning" ? [{ is, urn, text }] : []));
  }

  /** The messages of the engine about the failure that ended the run. */
  errors(error: Error): readonly Message[] {
    const texts = error instanceof CallError && error.partial !== undefined ? error.partial.reasons : [error.message];
    return texts.map((text) => ({ is: "error", urn: this.#failing, text }));
  }

  refused(urn: string, text: string): EngineError {
    this.#failing = urn;
    return new EngineError(text);
  }

  async server({ provider = defaultProvider }: Pick<Options, "provider">): Promise<ProviderServer> {
    const running = this.#servers.get(provider);
    if (running !== undefined) return running;
    const { home, backend, folder } = this.#place;
    this.#engine ??= new EngineLog();
    const started = await ProviderServer.start({
      engine: this.#engine,
      config: {
        ...this.#config,
        "neon:apiKey": this.#apiKeys[provider] ?? "",
      },
      home,
      folder,
      environment: { PULUMI_BACKEND_URL: backend },
    });
    this.#servers.set(provider, started);
    return started;
  }

  /** Makes the process of its provider serve a resource. */
  async serve({ resource, provider }: Pick<Entry, "resource" | "provider">): Promise<void> {
    resource.server = await this.server({ provider });
  }

  async step<Result>(urn: string, work: () => Promise<Result>): Promise<Result> {
    this.#failing = urn;
    const result = await work();
    this.#failing = "";
    return result;
  }

  end(): Promise<void> {
    return (this.#ended ??= Promise.all([...this.#servers.values()].map((server) => server.stop("SIGINT"))).then(() =>
      this.#engine?.stop(),
    ));
  }
}

function isOfRun(error: unknown): error is Error {
  return error instanceof CallError || error instanceof CheckError || error instanceof EngineError;
}

function isTargeted({ target }: UpFlags, name: string): boolean {
  return target?.includes(name) ?? true;
}

/** A resource under another URN, with its state. */
function moved(resource: EngineResource, urn: string): EngineResource {
  const { server, kind, state, replaced, isPendingReplacement } = resource;
  const result = new EngineResource(server, kind, nameIn(urn), urn);
  result.state = state;
  result.replaced = [...replaced];
  result.isPendingReplacement = isPendingReplacement;
  return result;
}

/** A URN in another stack. */
function readdressed(urn: string, { stack, project }: Place): string {
  return `urn:pulumi:${stack}::${project}::${urn.split("::").slice(2).join("::")}`;
}

function copyOf({ entries, apiKeys }: State): State {
  return {
    entries: entries.map((entry) => ({ ...entry, resource: moved(entry.resource, entry.resource.urn) })),
    apiKeys,
  };
}
