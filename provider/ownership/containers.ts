import { z } from "zod";

import type { ObjectKey } from "./claim";

/** The data on containers in the state of a resource. */
export const containmentShape = {
  /** The generation of the object's contents since its last change that deleted some: its id, and the deleted kinds. */
  generation: z.object({ id: z.string(), kinds: z.array(z.string()).readonly() }).optional(),
  /**
   * The containers that the stack managed when the object was created or last changed, by kind, each with the id of its
   * generation. The id is empty if the container had no generation, for example because it was adopted.
   */
  containers: z.record(z.string(), z.string()).optional(),
};
export type Containment = Readonly<z.infer<z.ZodObject<typeof containmentShape>>>;

/**
 * An object and its service. The kinds define which objects contain others (`provider/kind/containers.ts`); this file
 * keeps what a run does to them.
 */
interface Located extends ObjectKey {
  /** The service that the object belongs to. */
  readonly service: string;
}

/** A change of a container that deletes objects in it. */
export interface ContainerChange {
  /** The URN of the resource that makes the change. */
  readonly urn: string;
  readonly container: Located;
  /** The name of the change in messages, such as "reset" or "replacement". */
  readonly what: string;
  /** The kinds of the objects that the change deletes. Undefined: all. */
  readonly kinds?: readonly string[] | undefined;
  /** The container exists afterwards, with the same id, so the objects in it can be created again. */
  readonly isThereAfterwards: boolean;
  /** Whether the container is certainly deleted or emptied. If not, `retainOnDelete` can keep it. */
  readonly isCertain: boolean;
}

/** The stage of a change. A preview never gets beyond `planned`. */
type Stage = "planned" | "running" | "made" | "failed";

/** The contents of a container since it was created, or since its last change that deleted some. */
interface Generation {
  readonly id: string;
  /** The kinds of the objects that the change deleted. Undefined: the container was created. */
  readonly kinds?: readonly string[] | undefined;
}

/** A message about containers between the processes of a run. */
export type ContainerEntry =
  | { readonly change: ContainerChange }
  | { readonly stage: { readonly urn: string; readonly is: Stage } }
  | { readonly dropped: string }
  | { readonly generation: Generation & { readonly container: Located } }
  /**
   * The resource keeps an object in these containers, or has created it there. This replaces earlier messages about the
   * resource.
   */
  | { readonly contained: ObjectKey & { readonly urn: string; readonly in: readonly Located[] } };

/** The way in which a resource loses its object. */
interface Loss {
  /**
   * A change in place of the container deletes the object. An object with the same id afterwards was created by that
   * change.
   */
  readonly isEmptied: boolean;
}

type Contained = Extract<ContainerEntry, { readonly contained: object }>["contained"];

/** The changes that this run makes to containers, and the resources that keep objects in them. */
export class Containers {
  readonly #changes = new Map<string, ContainerChange>();
  readonly #stages = new Map<string, Stage>();
  readonly #generations = new Map<string, Generation>();
  readonly #contained = new Map<string, Contained>();
  /** The losses of resources, by URN. Only the process that compares a resource records its loss. */
  readonly #losses = new Map<string, Loss>();
  /**
   * The changes that were made before the object of a resource was created or changed, by URN. They no longer affect
   * the object.
   */
  readonly #outlasted = new Map<string, readonly ContainerChange[]>();
  readonly #append: (entry: ContainerEntry) => void;
  readonly #update: () => void;
  readonly #service: () => string;

  /** @param update applies the messages of other processes */
  constructor(append: (entry: ContainerEntry) => void, update: () => void, service: () => string) {
    this.#append = append;
    this.#update = update;
    this.#service = service;
  }

  /** Records that a resource is about to change its container. */
  plan(change: Omit<ContainerChange, "container">, container: ObjectKey): void {
    this.#append({ change: { ...change, container: this.#located(container) } });
  }

  /** Records that a resource does not change its container after all. */
  drop(urn: string): void {
    if (this.hasPlanned(urn)) this.#append({ dropped: urn });
  }

  /** Whether a resource has planned a change of its container. */
  hasPlanned(urn: string): boolean {
    this.#update();
    return this.#changes.has(urn);
  }

  /** Records that the resource loses its object with a container. */
  lose(urn: string, { isEmptied }: Loss): void {
    this.#losses.set(urn, { isEmptied });
  }

  /** The loss of the resource's object, if there is one. */
  lossOf(urn: string): Loss | undefined {
    return this.#losses.get(urn);
  }

  /** Records the stage of the change that the resource has planned, if there is one. */
  reach(urn: string, is: Stage): void {
    this.#update();
    // Once the change is made, a later delete only concerns the old object.
    const isMade = is === "running" && this.#stages.get(urn) === "made";
    if (this.#changes.has(urn) && !isMade) this.#append({ stage: { urn, is } });
  }

  /**
   * Records that the object of the resource exists after everything that this run has done to its containers so far.
   */
  settle(urn: string): void {
    this.#update();
    this.#losses.delete(urn);
    this.#outlasted.set(
      urn,
      [...this.#changes.values()].filter((change) => this.#stages.get(change.urn) === "made"),
    );
  }

  /** Records that the resource keeps its object, or has created it, in these containers. */
  contain(urn: string, { kind, id }: ObjectKey, containers: readonly ObjectKey[]): void {
    if (urn === "") return;
    this.#append({ contained: { urn, kind, id, in: containers.map((one) => this.#located(one)) } });
  }

  /** Records that the resource no longer has the object. */
  release(urn: string, { kind, id }: ObjectKey): void {
    this.#update();
    const kept = this.#contained.get(urn);
    if (kept?.kind === kind && kept.id === id) this.contain(urn, kept, []);
  }

  /** The other resources that keep objects of these kinds in a container. */
  containedIn(container: ObjectKey, urn: string, kinds?: readonly string[]): readonly string[] {
    this.#update();
    const text = textOf(this.#located(container));
    return [...this.#contained.values()]
      .filter((one) => one.urn !== urn && (kinds?.includes(one.kind) ?? true))
      .filter((one) => one.in.some((located) => textOf(located) === text))
      .map((one) => one.urn);
  }

  /** The change of this run that deletes an object of a kind in these containers, with its stage. */
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

  /** Records the generation of a container's contents, for the resources of this run. */
  setGeneration(container: ObjectKey, generation: Generation): void {
    this.#append({ generation: { ...generation, container: this.#located(container) } });
  }

  /** The known ids of the generations of these containers, by kind. */
  generationsOf(containers: readonly ObjectKey[]): Readonly<Record<string, string>> {
    this.#update();
    return Object.fromEntries(
      containers.flatMap((one) => {
        const generation = this.#generations.get(textOf(this.#located(one)));
        return generation === undefined ? [] : [[one.kind, generation.id]];
      }),
    );
  }

  /** The container whose contents have changed since an object of this kind was created in it, if there is one. */
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

  /** Applies a message of a process of the run. */
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
