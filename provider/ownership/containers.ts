import { z } from "zod";

import type { ObjectKey } from "./claim";

/** What the state of a resource keeps of containers. */
export const containmentShape = {
  /** The contents that the object has had since its last change that has deleted some: their id, and the kinds that were deleted. */
  generation: z.object({ id: z.string(), kinds: z.array(z.string()).readonly() }).optional(),
  /**
   * The containers that the stack managed when the object was created or last changed, by their kinds: the id of the generation of each;
   * empty if it had none, as one that was adopted.
   */
  containers: z.record(z.string(), z.string()).optional(),
};
export type Containment = Readonly<z.infer<z.ZodObject<typeof containmentShape>>>;

/** Which objects an object contains is data of the kinds (`provider/kind/containers.ts`). This is what a run does to them. */
interface Located extends ObjectKey {
  /** Tells the service from others. */
  readonly service: string;
}

/** A change of a container that deletes objects in it. */
export interface ContainerChange {
  /** The resource whose change it is. */
  readonly urn: string;
  readonly container: Located;
  /** What it is, such as "reset" or "replacement". */
  readonly what: string;
  /** The kinds of what it deletes. Undefined: all. */
  readonly kinds?: readonly string[] | undefined;
  /** The container is there afterwards, with the same id: what it contained can be created again. */
  readonly isThereAfterwards: boolean;
  /** Whether it is certain that the container is deleted or emptied: `retainOnDelete` can keep it. */
  readonly isCertain: boolean;
}

/** How far a change has come. A preview makes none. */
type Stage = "planned" | "running" | "made" | "failed";

/** The contents that a container has had since it was created, or since its last change that has deleted some. */
interface Generation {
  readonly id: string;
  /** The kinds of what that change has deleted. Undefined: the container was created. */
  readonly kinds?: readonly string[] | undefined;
}

/** What the processes of a run tell each other of containers. */
export type ContainerEntry =
  | { readonly change: ContainerChange }
  | { readonly stage: { readonly urn: string; readonly is: Stage } }
  | { readonly dropped: string }
  | { readonly generation: Generation & { readonly container: Located } }
  /** The resource keeps an object, or has created it, in these containers. It replaces what was said of the resource before. */
  | { readonly contained: ObjectKey & { readonly urn: string; readonly in: readonly Located[] } };

/** How a resource loses its object. */
interface Loss {
  /** A change of the container in place deletes it: what has its id afterwards came with that change. */
  readonly isEmptied: boolean;
}

type Contained = Extract<ContainerEntry, { readonly contained: object }>["contained"];

/** What this run does to containers, and which resources keep objects in them. */
export class Containers {
  readonly #changes = new Map<string, ContainerChange>();
  readonly #stages = new Map<string, Stage>();
  readonly #generations = new Map<string, Generation>();
  readonly #contained = new Map<string, Contained>();
  /** What takes the objects of resources with it, by their URNs: only the process that compares a resource changes it. */
  readonly #losses = new Map<string, Loss>();
  /** The changes that were made when the object of a resource was created or changed: it outlasts them. */
  readonly #outlasted = new Map<string, readonly ContainerChange[]>();
  readonly #append: (entry: ContainerEntry) => void;
  readonly #update: () => void;
  readonly #service: () => string;

  /** @param update applies what other processes have told */
  constructor(append: (entry: ContainerEntry) => void, update: () => void, service: () => string) {
    this.#append = append;
    this.#update = update;
    this.#service = service;
  }

  /** A resource is about to change its container. */
  plan(change: Omit<ContainerChange, "container">, container: ObjectKey): void {
    this.#append({ change: { ...change, container: this.#located(container) } });
  }

  /** A resource does not change its container after all. */
  drop(urn: string): void {
    if (this.hasPlanned(urn)) this.#append({ dropped: urn });
  }

  /** Whether a resource has planned a change of its container. */
  hasPlanned(urn: string): boolean {
    this.#update();
    return this.#changes.has(urn);
  }

  /** The resource loses its object with a container. */
  lose(urn: string, { isEmptied }: Loss): void {
    this.#losses.set(urn, { isEmptied });
  }

  /** How the resource loses its object, if it does. */
  lossOf(urn: string): Loss | undefined {
    return this.#losses.get(urn);
  }

  /** How far the change has come that the resource has planned, if it has. */
  reach(urn: string, is: Stage): void {
    this.#update();
    // Once it is made, what is deleted later is only the old object.
    const isMade = is === "running" && this.#stages.get(urn) === "made";
    if (this.#changes.has(urn) && !isMade) this.#append({ stage: { urn, is } });
  }

  /** The object of the resource is there: whatever this run has done to its containers by now. */
  settle(urn: string): void {
    this.#update();
    this.#losses.delete(urn);
    this.#outlasted.set(
      urn,
      [...this.#changes.values()].filter((change) => this.#stages.get(change.urn) === "made"),
    );
  }

  /** The resource keeps its object, or has created it, in these containers. */
  contain(urn: string, { kind, id }: ObjectKey, containers: readonly ObjectKey[]): void {
    if (urn === "") return;
    this.#append({ contained: { urn, kind, id, in: containers.map((one) => this.#located(one)) } });
  }

  /** The resource no longer has the object. */
  release(urn: string, { kind, id }: ObjectKey): void {
    this.#update();
    const kept = this.#contained.get(urn);
    if (kept?.kind === kind && kept.id === id) this.contain(urn, kept, []);
  }

  /** The resources other than this one that keep objects in a container, of these kinds. */
  containedIn(container: ObjectKey, urn: string, kinds?: readonly string[]): readonly string[] {
    this.#update();
    const text = textOf(this.#located(container));
    return [...this.#contained.values()]
      .filter((one) => one.urn !== urn && (kinds?.includes(one.kind) ?? true))
      .filter((one) => one.in.some((located) => textOf(located) === text))
      .map((one) => one.urn);
  }

  /** The change of this run that deletes an object of a kind with these containers, and how far it has come. */
  changeOf(
    containers: readonly ObjectKey[],
    kind: string,
    urn: string,
  ): (ContainerChange & { readonly stage: Stage }) | undefined {
    this.#update();
    const texts = containers.map((one) => textOf(this.#located(one)));
    const found = [...this.#changes.values()].find(
      (change) =>
        change.urn !== urn &&
        texts.includes(textOf(change.container)) &&
        (change.kinds?.includes(kind) ?? true) &&
        this.#outlasted.get(urn)?.includes(change) !== true,
    );
    return found && { ...found, stage: this.#stages.get(found.urn) ?? "planned" };
  }

  /** What a container contains now: of resources of this run only. */
  setGeneration(container: ObjectKey, generation: Generation): void {
    this.#append({ generation: { ...generation, container: this.#located(container) } });
  }

  /** The ids of the generations of these containers, by their kinds, as far as they are known. */
  generationsOf(containers: readonly ObjectKey[]): Readonly<Record<string, string>> {
    this.#update();
    return Object.fromEntries(
      containers.flatMap((one) => {
        const generation = this.#generations.get(textOf(this.#located(one)));
        return generation === undefined ? [] : [[one.kind, generation.id]];
      }),
    );
  }

  /** The container whose contents have changed since an object of this kind was created in them, if there is one. */
  staleOf(
    containers: readonly ObjectKey[],
    kind: string,
    known: Readonly<Record<string, string>>,
  ): { readonly container: ObjectKey; readonly isEmptied: boolean } | undefined {
    this.#update();
    for (const container of containers) {
      const now = this.#generations.get(textOf(this.#located(container)));
      const then = known[container.kind] === "" ? undefined : known[container.kind];
      if (now === undefined || then === now.id) continue;
      if (now.kinds === undefined ? then !== undefined : now.kinds.includes(kind)) {
        return { container, isEmptied: now.kinds !== undefined };
      }
    }
    return undefined;
  }

  /** Applies what a process of the run has told. */
  apply(entry: ContainerEntry): void {
    if ("change" in entry) {
      this.#changes.set(entry.change.urn, entry.change);
      this.#stages.set(entry.change.urn, "planned");
    } else if ("dropped" in entry) this.#changes.delete(entry.dropped);
    else if ("stage" in entry) this.#stages.set(entry.stage.urn, entry.stage.is);
    else if ("generation" in entry) this.#generations.set(textOf(entry.generation.container), entry.generation);
    else this.#contained.set(entry.contained.urn, entry.contained);
  }

  #located({ kind, id }: ObjectKey): Located {
    return { kind, id, service: this.#service() };
  }
}

function textOf({ service, kind, id }: Located): string {
  return JSON.stringify([service, kind, id]);
}
