import { backoffDelay } from "../../api/core/backoff";
import { invalid, type NeonError } from "../../api/core/errors";
import type { Call } from "../call/call";
import { containersOf } from "../kind/containers";
import { changesAt } from "../kind/differences";
import { ruleFor, same } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { type ObjectKey, type Origin, titleOf } from "../ownership/claim";
import type { ContainerChange } from "../ownership/containers";
import { newId } from "../ownership/ids";
import type { Values } from "../values";
import { keyOf } from "./claims";
import type { Hidden, State } from "./state";
import { type ServedKind, patience, type Work } from "./work";

// Deleting or emptying an object deletes the objects in it, which can belong to other resources.

interface Caller extends ServedKind {
  readonly call: Call;
}

/** The planned change of a resource. */
interface PlannedChange {
  readonly changed: readonly string[];
  readonly isReplaced: boolean;
  readonly deletesFirst: boolean;
  /** Whether the object, or the work, is lost with a container. It is created or done again. */
  readonly isLost: boolean;
}

/** The change of a container that deletes the object of a resource. */
export interface ContainerLoss {
  /** The change, such as `the reset of Branch "pr"`. */
  readonly by: string;
  /** Whether an earlier run has made the change. */
  readonly isEarlier: boolean;
}

/**
 * The change of a container that deletes the object of a resource, in this run or since the resource was last changed.
 * The resource is then replaced, or its work done again. Undefined if there is none.
 *
 * @param inputs the program's inputs; may hold unknown values
 * @throws NeonError `invalid` if the program still declares the object in a container that this run deletes
 */
export function lossOf(caller: Caller, { outputs, hidden }: State, inputs: Values): ContainerLoss | undefined {
  const { kind, services, call } = caller;
  const { containers } = services.registry;
  if (!services.registry.isDeclared(call.urn)) return undefined;
  const own = containersOf(kind, outputs);
  const change = containers.changeOf(own, kind.name, call.urn);
  if (change?.isThereAfterwards === true) {
    containers.lose(call.urn, { isEmptied: change.kinds !== undefined });
    return { by: `the ${change.what} of ${titleOf(change.urn)}`, isEarlier: false };
  }
  if (change !== undefined) assertLeaves(caller, change, containersOf(kind, { ...outputs, ...inputs }));
  const stale = containers.staleOf(own, kind.name, hidden.containers ?? {});
  if (stale === undefined) return undefined;
  containers.lose(call.urn, stale);
  const { container } = stale;
  return { by: `an earlier change of ${container.kind} ${container.id}`, isEarlier: true };
}

/** Says that an object is lost, for the preview. */
export function lossWarning({ noun }: AnyKind, { by, isEarlier }: ContainerLoss): string {
  const cause = `${by.charAt(0).toUpperCase()}${by.slice(1)}`;
  return `${cause} ${isEarlier ? "has deleted" : "deletes"} this ${noun}. It is created again.`;
}

/** Makes sure that the program does not declare the object in a container that this run deletes. */
function assertLeaves({ kind, services, call }: Caller, change: ContainerChange, declared: readonly ObjectKey[]): void {
  if (services.registry.containers.changeOf(declared, kind.name, call.urn)?.urn !== change.urn) return;
  const holder = titleOf(change.urn);
  const summary = `This run replaces ${holder}, and the program still declares this ${kind.noun} in the old one, ${change.container.id}`;
  const fix = `Pass an output of ${holder} instead of the text.`;
  if (change.isCertain) throw invalid(summary, { fix });
  services.warn(call.urn, `${summary}. Unless \`retainOnDelete\` keeps the old one, \`pulumi up\` fails. ${fix}`);
}

/**
 * Registers how the change of a resource affects the objects that its object contains, and which containers the object
 * stays in.
 *
 * @throws NeonError `invalid` if the change deletes the object of another resource whose diff is already done
 */
export function planContainment(caller: Caller, state: State, inputs: Values, planned: PlannedChange): void {
  const { kind, services, call } = caller;
  const { containers } = services.registry;
  if (!services.registry.isDeclared(call.urn)) return;
  const key = keyOf(kind, state.outputs);
  const change = changeOf(caller, state.outputs, inputs, planned);
  if (change === undefined) {
    containers.drop(call.urn);
    setGeneration(caller, key, state.hidden);
  } else {
    const [lost] = containers.containedIn(key, call.urn, change.kinds);
    if (lost !== undefined) throw comparedBefore(caller, change.what, lost);
    containers.plan({ urn: call.urn, ...change }, key);
  }
  const isKept = !planned.isReplaced && !planned.isLost;
  containers.contain(call.urn, key, isKept ? containersOf(kind, { ...state.outputs, ...inputs }) : []);
}

function changeOf(
  { kind, call }: Caller,
  outputs: Values,
  inputs: Values,
  { changed, isReplaced, deletesFirst }: PlannedChange,
): Omit<ContainerChange, "urn" | "container"> | undefined {
  if (!isReplaced) {
    const emptying = kind.empties?.(outputs, inputs, changesAt(changed));
    return emptying && { ...emptying, isThereAfterwards: true, isCertain: true };
  }
  const { isRetained } = call.replaced;
  const isThereAfterwards = deletesFirst && keepsId(kind, outputs, inputs);
  if (isRetained === true || (isThereAfterwards && kind.leavesContents === true)) return undefined;
  return { what: "replacement", isThereAfterwards, isCertain: deletesFirst || isRetained === false };
}

/** Whether a new object of these inputs has the same id as the old one, because the inputs hold the whole id. */
function keepsId({ addressNames, rules }: AnyKind, outputs: Values, inputs: Values): boolean {
  return addressNames.every(
    (name) => inputs[name] !== undefined && same(ruleFor(rules, name), outputs[name], inputs[name]),
  );
}

/**
 * Registers that an object is about to be created: objects in the state that are in a container of this id belong to an
 * earlier container.
 */
export function planCreation({ kind, services, call }: Caller, inputs: Values): void {
  const isContainer = kind.leavesContents !== true;
  if (!isContainer || !kind.addressNames.every((name) => typeof inputs[name] === "string")) return;
  const { containers } = services.registry;
  if (containers.hasPlanned(call.urn)) return;
  containers.plan({ urn: call.urn, what: "creation", isThereAfterwards: true, isCertain: true }, keyOf(kind, inputs));
}

/** Whether the contents of an object's containers are known only after this run has changed these containers. */
export function isUnsettled({ kind, services, call }: Caller, inputs: Values): boolean {
  const change = services.registry.containers.changeOf(containersOf(kind, inputs), kind.name, call.urn);
  return change?.isThereAfterwards === true && change.stage !== "made";
}

/**
 * Waits until this run has changed the containers of an object.
 *
 * @throws NeonError `invalid` if one of these changes fails
 */
export async function untilSettled(work: Work, values: Values): Promise<void> {
  const { kind, services, call } = work;
  const { clock } = work.account.client;
  const own = containersOf(kind, values);
  const began = clock.now();
  for (;;) {
    const change = services.registry.containers.changeOf(own, kind.name, call.urn);
    if (change?.isThereAfterwards !== true || change.stage === "made") break;
    const what = `the ${change.what} of ${titleOf(change.urn)}`;
    const now = clock.now();
    // The engine begins the steps of a run in the order in which it planned them, so a step that has not begun after a
    // while is skipped.
    const isLeftOut = change.stage === "planned" && now - began >= patience;
    if (change.stage === "failed" || isLeftOut) {
      throw invalid(`The ${kind.noun} was not changed: ${what} did not succeed`, { fix: "Run `pulumi up` again." });
    }
    work.show(`waiting for ${what}`);
    await clock.sleep(backoffDelay(now - began), call.signal);
  }
  work.show("");
}

/** Registers that the object exists, with the contents that it has had since its last change that deleted some. */
export function settle(work: Work, outputs: Values, { creationId, generation }: Settled): void {
  const { kind, services, call } = work;
  const { containers } = services.registry;
  setGeneration(work, keyOf(kind, outputs), { creationId, generation });
  containers.contain(call.urn, keyOf(kind, outputs), containersOf(kind, outputs));
  containers.settle(call.urn);
  containers.reach(call.urn, "made");
}
type Settled = Origin & Pick<Partial<Hidden>, "generation">;

/** Registers the generation of the object's contents, unless the contents outlast the object. */
function setGeneration({ kind, services }: Caller, key: ObjectKey, { creationId, generation }: Settled): void {
  const contents = generation ?? (creationId === undefined ? undefined : { id: creationId });
  if (contents !== undefined && kind.leavesContents !== true) services.registry.containers.setGeneration(key, contents);
}

/** The generation of an object's contents after this change. */
export function generationAfter(
  { kind }: ServedKind,
  state: State,
  inputs: Values,
  changed: readonly string[],
): Hidden["generation"] {
  const emptying = kind.empties?.(state.outputs, inputs, changesAt(changed));
  return emptying === undefined ? state.hidden.generation : { id: newId(), kinds: emptying.kinds };
}

/** Makes sure that no resource of this run keeps its object in one that is about to be deleted. */
export function assertEmpty(caller: Caller, outputs: Values): void {
  const { kind, services, call } = caller;
  const key = keyOf(kind, outputs);
  const [kept] = services.registry.containers.containedIn(key, call.urn);
  if (kept === undefined) return;
  throw invalid(
    `The ${kind.noun} ${key.id} was not deleted: the program still declares ${titleOf(kept)} in it, which would be deleted, too`,
    { fix: `Remove ${titleOf(kept)} from the program as well, or declare it elsewhere.` },
  );
}

function comparedBefore({ kind }: Caller, what: string, urn: string): NeonError {
  const lost = titleOf(urn);
  return invalid(
    `The ${what} of this ${kind.noun} deletes ${lost}, which does not depend on it: Pulumi has planned to keep that one already`,
    {
      fix: `Pass an output of this ${kind.noun} to ${lost}, or set its option \`dependsOn\`. Then the same run creates it again.`,
    },
  );
}
