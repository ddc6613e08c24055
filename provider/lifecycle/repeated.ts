import type { Call } from "../call/call";
import type { Values } from "../values";
import { confirmedRead } from "./confirmed-read";
import { untilSettled } from "./containment";
import { GoneError } from "./errors";
import type { State } from "./state";
import { type ServedKind, Work } from "./work";

// Work that is done in containers, and not an object of its own (`repeats` of a kind). Others can undo it while the
// program and the state stay the same, so a comparison asks the platform.

/**
 * Whether an earlier run on this machine was killed while it did the work of this state. Without a program, the engine
 * compares what a refresh has read.
 */
export function wasInterrupted(
  { kind, services, call }: ServedKind & { readonly call: Call },
  stored: Values,
): boolean {
  const { registry, marks } = services;
  return kind.repeats !== undefined && registry.isDeclared(call.urn) && marks.hasBegun(kind.id(stored), stored);
}

/**
 * The outputs of work for a comparison with the program: as they are now, without what is undone by now.
 *
 * @param isLost whether the work has to be done again in any case: a container was changed, or a run was killed
 */
export async function presentWork(
  served: ServedKind & { readonly call: Call },
  { outputs, hidden }: State,
  isLost: boolean,
): Promise<Values> {
  const { kind, services, call } = served;
  if (kind.repeats === undefined) return outputs;
  if (isLost) return kind.repeats.undone(outputs);
  // Without a program, the engine compares what a refresh has just read.
  if (!services.registry.isDeclared(call.urn)) return outputs;
  const work = new Work(served, call, "look", { values: outputs, owner: hidden.owner });
  const { result } = await work.requests.reading("alone", () => kind.read(work, outputs));
  // If the place of the work is gone, the update says so.
  return result ?? outputs;
}

/** The outputs of work before it is done again. Waits until this run has changed the containers. */
export async function settledWork(work: Work, id: string, before: Values): Promise<Values> {
  const { kind, services, call } = work;
  if (kind.repeats === undefined) return before;
  const isLost = services.registry.containers.lossOf(call.urn) !== undefined || wasInterrupted(work, before);
  await untilSettled(work, before);
  const found = await confirmedRead(work, before);
  if (found === undefined) throw new GoneError(kind, id);
  return isLost ? kind.repeats.undone(found) : found;
}
