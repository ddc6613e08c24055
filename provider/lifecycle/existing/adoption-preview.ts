import { messageOf, NeonError, withoutStop } from "../../../api/core/errors";
import type { Problem } from "../../call/services";
import { adjustments } from "../../kind/differences";
import { segmentsOf } from "../../kind/id";
import type { AnyKind } from "../../kind/kind";
import { uniqueInputs } from "../../kind/natural-key";
import { atPath, holdsUnknown, leafPaths, pick, unknownValue, type Values } from "../../values";
import { adviceOn } from "../errors";
import type { Work } from "../work";
import type { Wanted } from "./adopt";
import { existing } from "./existing";
import { makerOrParentOf } from "./maker";
import { originText } from "./messages";
import { unreportedInputs, withPresentValues } from "./obstacles";

/** What a preview says of what there is of a new resource. */
interface ExistingPreview {
  /** Why it cannot be adopted. */
  readonly obstacles: readonly Problem[];
  /** Whether an object is adopted, also if only `up` can tell which one. */
  readonly adopts: boolean;
  /** The name that the adopted object has, if the program declares none. Null if it has none. */
  readonly name?: string | null;
  /** What `up` does if the program or the setting asks to adopt: shown in the resource's row. */
  readonly action?: string;
  /** What is adopted without being named in the program, what adopting changes about it, and what is there besides, by id. */
  readonly warnings: readonly { readonly id?: string; readonly text: string }[];
}

export const unknownExisting: ExistingPreview = { obstacles: [], adopts: false, warnings: [] };

/**
 * Looks for what there is of a new resource, as far as its inputs are known.
 *
 * @param given may hold unknown values
 * @param hasDefaultName whether the program declares no name
 */
export async function previewExisting(
  work: Work,
  given: Values,
  declared: Wanted,
  hasDefaultName: boolean,
): Promise<ExistingPreview> {
  const wanted = given["adopt"] === unknownValue ? undefined : declared;
  const inputs = withParents(work.kind, given, wanted);
  const unknown = { ...unknownExisting, adopts: declared !== undefined };
  if (!isIdentified(work.kind, inputs, wanted)) {
    // Its parents are known to `up` only.
    return typeof wanted === "string" ? { ...unknown, action: `adopts ${wanted}` } : unknown;
  }
  try {
    const found = await existing(work, known(inputs), { wanted });
    if (found.is === "own") return { ...unknown, ...(await previewOf(work, inputs, found.outputs, hasDefaultName)) };
    const warnings = found.is === "none" ? found.beside : [{ text: messageOf(found.conflict) }];
    const creates = found.is === "none" && wanted !== undefined ? { action: "creates" } : {};
    return { ...unknown, adopts: declared !== wanted, warnings, ...creates };
  } catch (error) {
    // Best effort: the create looks again.
    if (wanted === undefined) return unknown;
    if (!NeonError.isInstance(error)) throw error;
    const reason = withoutStop(`${messageOf(error)} ${adviceOn(error) ?? ""}`);
    return { ...unknown, obstacles: [{ property: "adopt", reason }] };
  }
}

async function previewOf(
  work: Work,
  inputs: Values,
  adopted: Values,
  hasDefaultName: boolean,
): Promise<Pick<ExistingPreview, "name" | "action" | "warnings">> {
  const { kind } = work;
  const { defaultName = "name" } = kind;
  const { [defaultName]: name } = adopted;
  // An object that is adopted keeps its name, unless the program declares another one.
  const applied = hasDefaultName ? { ...inputs, [defaultName]: name } : inputs;
  const isNamed = inputs["adopt"] !== undefined;
  const unreported = unreportedInputs(kind, known(inputs), adopted).map((path) => `\`${path}\``);
  const counts =
    unreported.length === 0 ? "" : ` Neon does not report ${unreported.join(", ")}, which counts as declared.`;
  const text =
    changesText(kind, adopted, applied) ?? (isNamed ? undefined : `The ${kind.noun} ${kind.id(adopted)} is adopted.`);
  // Consent holds for a whole run, so it is said whose each object can be.
  const origin = isNamed ? undefined : originText(work, adopted, await makerOrParentOf(work, adopted));
  const warning = text && `${text}${origin === undefined ? "" : ` It was ${origin}.`}${counts}`;
  return {
    name: typeof name === "string" ? name : null,
    action: `adopts ${kind.id(adopted)}`,
    warnings: warning === undefined ? [] : [{ text: warning }],
  };
}

/** Fills in the parents that only `up` knows from the id that `adopt` names, if it is a whole one. */
function withParents(kind: AnyKind, inputs: Values, wanted: Wanted): Values {
  if (typeof wanted !== "string" || segmentsOf(wanted).length !== kind.addressNames.length) return inputs;
  const address: Values = kind.address(wanted);
  const parents = parentsOf(kind).filter((name) => inputs[name] === unknownValue);
  // A name with slashes in it can look like an id.
  return parents.some((name) => address[name] === "") ? inputs : { ...inputs, ...pick(address, parents) };
}

/** Whether everything is known by which the object is found: its parents, and its name unless an id is given. */
function isIdentified(kind: AnyKind, inputs: Values, wanted: Wanted): boolean {
  const { defaultName = "name", addressNames } = kind;
  const needed =
    typeof wanted === "string" ? parentsOf(kind) : [...addressNames, ...uniqueInputs(kind, inputs), defaultName];
  return needed.every((input) => inputs[input] !== unknownValue);
}

/** The inputs that name the parents of an object. */
function parentsOf({ addressNames }: AnyKind): readonly string[] {
  return addressNames.slice(0, -1);
}

/** An input that is not known yet counts as unchanged. */
function changesText(kind: AnyKind, adopted: Values, inputs: Values): string | undefined {
  const changed = adjustments(kind, adopted, known(inputs));
  if (changed.length === 0) return undefined;
  return `Adopting the ${kind.noun} ${kind.id(adopted)} changes it: ${withPresentValues(changed, adopted)}.`;
}

/** The inputs without those that are not known yet. */
function known(inputs: Values): Values {
  return pick(
    inputs,
    leafPaths(inputs).filter((path) => !holdsUnknown(atPath(inputs, path))),
  );
}
