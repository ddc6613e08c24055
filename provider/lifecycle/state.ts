import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { type Pending, pendingSchema } from "../call/pending-work";
import { type Owner, ownerSchema } from "../call/visibility";
import { containersOf } from "../kind/containers";
import { defaultsOf, isDefault } from "../kind/defaults";
import { declaredPaths } from "../kind/differences";
import { ruleFor, same } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { type Origin, originShape } from "../ownership/claim";
import { containmentShape } from "../ownership/containers";
import { atPath, type Values, withValue } from "../values";
import { invalidId, stateOfNewerVersion, unreadableState } from "./errors";
import type { Work } from "./work";

/**
 * The data that the state keeps of a resource besides its outputs. It is validated, because a state can be edited,
 * imported and restored by hand.
 */
export const hiddenShape = {
  version: z.int().min(1),
  /** Paths of the inputs that the program declares. */
  declared: z.array(z.string()).readonly(),
  ...originShape,
  /** The owner of the object's project, which tells whether a 404 can be trusted. */
  owner: ownerSchema.optional(),
  pending: pendingSchema.optional(),
  /**
   * Evidence that the kind recorded when this stack last changed the object. It tells later whether a change has been
   * made.
   */
  evidence: z.record(z.string(), z.unknown()).optional(),
  ...containmentShape,
  /**
   * The values that the platform reported for inputs that replace the object, by path, if it words them differently
   * than the program.
   */
  reported: z.record(z.string(), z.unknown()).optional(),
  /** Paths of inputs that the program omits and that somebody has changed from their default. */
  drifted: z.array(z.string()).readonly().optional(),
  /** The platform's mark for the time of the outputs that a refresh reads only if it has to. */
  asOf: z.string().optional(),
  /** Why the object cannot be changed, as the last refresh found, as a message. */
  obstacle: z.string().optional(),
};
export type Hidden = Readonly<z.infer<z.ZodObject<typeof hiddenShape>>>;

/** A resource as the state stores it. */
export interface Stored {
  readonly outputs: Values;
  readonly hidden: Hidden;
}

/** A resource's parsed state. */
export interface State {
  readonly outputs: Values;
  /** Empty for a read by id, which has no state yet. */
  readonly hidden: Partial<Hidden>;
}

/** The version of the outputs' shape. */
export function versionOf({ version = 1 }: AnyKind): number {
  return version;
}

/**
 * Parses the stored state of a resource.
 *
 * @throws NeonError if it is invalid, for example because somebody has edited it
 */
export function parseState(kind: AnyKind, id: string, { outputs: stored, hidden }: State): State {
  const address = addressInId(kind, id);
  // A read by id has no version: only the address is known.
  if (hidden.version === undefined) return { hidden, outputs: address };
  if (hidden.version > versionOf(kind)) throw stateOfNewerVersion(kind, hidden.version, versionOf(kind));
  // A null counts as absent, because no output is null.
  const outputs = Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== null));
  // With a wrong address, the object would not be found and would count as deleted.
  const wrong = Object.entries(address).find(
    ([name, value]) => typeof outputs[name] !== typeof value || !outputs[name],
  );
  if (wrong !== undefined) throw unreadableState(kind, id, [wrong[0]]);
  return { hidden, outputs };
}

/** Parses the address in an id. Throws if the id does not fit this kind. */
function addressInId(kind: AnyKind, id: string): Values {
  const found = kind.address(id);
  const segments = (text: string): number => text.split("/").length;
  if (Object.values(found).every(Boolean) && segments(kind.id(found)) === segments(id)) return found;
  throw invalidId(kind, id);
}

/** Options of {@link storedState}. The defaults are those of a call that succeeds. */
interface StoreOptions {
  readonly pending?: Pending;
  /**
   * The paths that were declared before a failed change: an input that the change was to clear may not be cleared yet.
   */
  readonly declaredBefore?: readonly string[];
  /** The value to store at a path whose declared value the state keeps. Default: the declared value. */
  readonly valueAt?: (path: string) => unknown;
}

/**
 * The state of a resource after a call.
 *
 * @param work the call; the facts that it has seen of the object are stored only if it succeeded
 */
export function storedState(
  work: Work,
  outputs: Values,
  inputs: Values,
  { creationId, adoptionId }: Origin,
  owner: Owner | undefined,
  { pending, declaredBefore = [], valueAt = (path) => atPath(inputs, path) }: StoreOptions = {},
): Stored {
  const { kind } = work;
  const declared = [...new Set([...declaredBefore, ...declaredPaths(kind, inputs)])];
  const { evidence: changed } = work.progress;
  const { evidence: seen = changed, asOf } = work.seen;
  return {
    outputs: withDeclared(kind, declared, valueAt, outputs),
    hidden: {
      version: versionOf(kind),
      declared,
      creationId,
      adoptionId,
      owner,
      pending,
      evidence: pending === undefined ? seen : changed,
      reported: reportedOtherwise(kind, declared, inputs, outputs),
      generation: work.generation,
      containers: containersIn(work, outputs),
      asOf,
    },
  };
}

/** The values that the platform reports for declared inputs that replace the object, if it words them differently. */
function reportedOtherwise(
  { rules }: AnyKind,
  declared: readonly string[],
  inputs: Values,
  outputs: Values,
): Hidden["reported"] {
  const paths = declared.filter((path) => {
    const rule = ruleFor(rules, path);
    const [present, wanted] = [atPath(outputs, path), atPath(inputs, path)];
    return (
      rule.onChange === "replace" &&
      rule.platform === undefined &&
      present !== undefined &&
      !same(rule, present, wanted)
    );
  });
  return paths.length === 0 ? undefined : Object.fromEntries(paths.map((path) => [path, atPath(outputs, path)]));
}

/**
 * The changes that somebody else has made, as a refresh finds them.
 *
 * @param found the outputs as the platform reports them now
 */
export function driftOf(
  kind: AnyKind,
  { outputs: before, hidden }: State,
  declared: readonly string[],
  found: Values,
): Drift {
  const { reported = {}, drifted: known = [] } = hidden;
  const isChanged = (path: string, expected: unknown): boolean => {
    const rule = ruleFor(kind.rules, path);
    const now = atPath(found, path);
    return rule.platform === undefined && rule.onDrift === undefined && now !== undefined && !same(rule, now, expected);
  };
  const moved = declared.filter(
    (path) => isChanged(path, atPath(before, path)) && !isDeepStrictEqual(atPath(found, path), reported[path]),
  );
  const isOmitted = (path: string): boolean => !declared.some((one) => one === path || one.startsWith(`${path}.`));
  const drifted = [...defaultsOf(kind)].flatMap(([path, value]) =>
    isOmitted(path) && isChanged(path, value) && (known.includes(path) || isDefault(kind, path, atPath(before, path)))
      ? [path]
      : [],
  );
  return { moved: new Set(moved), drifted };
}
interface Drift {
  /** Paths of declared inputs. */
  readonly moved: ReadonlySet<string>;
  /** Paths of inputs that the program omits and that had their default. */
  readonly drifted: readonly string[];
}

/** Adds the default of each input that the program omits and somebody has changed, so that `up` sets it again. */
export function withDefaults(kind: AnyKind, { drifted = [] }: State["hidden"], inputs: Values): Values {
  return drifted.reduce<Values>(
    (result, path) =>
      atPath(inputs, path) === undefined ? withValue(result, path.split("."), defaultsOf(kind).get(path)) : result,
    inputs,
  );
}

/** The containers of an object that the stack manages or has managed, with the known generation of each. */
function containersIn({ kind, services, containers }: Work, outputs: Values): Hidden["containers"] {
  const { registry } = services;
  const own = containersOf(kind, outputs);
  const managed = own.filter((one) => registry.claimsTo(one).length > 0).map((one) => [one.kind, ""] as const);
  const all = { ...Object.fromEntries(managed), ...containers, ...registry.containers.generationsOf(own) };
  return Object.keys(all).length === 0 ? undefined : all;
}

/**
 * Restores declared values in the outputs: of inputs that replace the object, and of inputs that the platform does not
 * report or changes by itself. For these, only a change in the program counts, however the platform words or moves the
 * value later. A default that is not reported is kept, too.
 *
 * @param moved paths at which somebody else has changed the object. Default: none
 */
export function withDeclared(
  kind: AnyKind,
  declared: readonly string[],
  valueAt: (path: string) => unknown,
  outputs: Values,
  moved: ReadonlySet<string> = new Set(),
): Values {
  return declared.reduce((result, path) => {
    const { onChange, platform } = ruleFor(kind.rules, path);
    const value = valueAt(path);
    const isKept =
      (onChange === "replace" && !moved.has(path)) ||
      platform !== undefined ||
      (atPath(outputs, path) === undefined && isDefault(kind, path, value));
    return value === undefined || !isKept ? result : withValue(result, path.split("."), value);
  }, outputs);
}
