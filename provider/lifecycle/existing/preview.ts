import { messageOf, NeonError, withoutStop } from "../../../api/core/errors";
import type { Problem } from "../../call/services";
import { segmentsOf } from "../../kind/id";
import type { AnyKind } from "../../kind/kind";
import { uniqueInputs } from "../../kind/natural-key";
import { atPath, holdsUnknown, leafPaths, pick, unknownValue, type Values } from "../../values";
import { adviceOn } from "../errors";
import type { Work } from "../work";
import { existing } from "./existing";
import { asksOf, isAdopting } from "./facts";
import type { Candidate } from "./verdict";
import { adoptionText } from "./words";

/** The findings of a preview on the existing objects that a new resource can mean. */
interface ExistingPreview {
  /** Why nothing can be adopted. */
  readonly obstacles: readonly Problem[];
  /** Whether an object is adopted, even if only `up` can tell which one. */
  readonly adopts: boolean;
  /** The name of the adopted object, if the program declares none. Null if the object has no name. */
  readonly name?: string | null;
  /** The action of `up` if the program or the setting asks to adopt. It is shown in the resource's row. */
  readonly action?: string;
  /**
   * Warnings, by the id of an object: an adoption that the program does not name, the changes that an adoption makes,
   * and similar objects.
   */
  readonly warnings: readonly { readonly id?: string; readonly text: string }[];
}

export const unknownExisting: ExistingPreview = { obstacles: [], adopts: false, warnings: [] };

/**
 * Looks for the existing objects that a new resource can mean, as far as its inputs are known.
 *
 * @param given may hold unknown values
 * @param hasDefaultName whether the program declares no name
 */
export async function previewExisting(work: Work, given: Values, hasDefaultName: boolean): Promise<ExistingPreview> {
  const { kind } = work;
  const asks = asksOf(work, given);
  const isAsked = isAdopting(asks);
  const adopt = asks === "an id" ? String(given["adopt"]) : undefined;
  const inputs = withParents(kind, given, adopt);
  if (!isIdentified(kind, inputs, adopt)) {
    // Only `up` knows the parents.
    return { ...unknownExisting, adopts: isAsked, ...(adopt !== undefined && { action: `adopts ${adopt}` }) };
  }
  try {
    const found = await existing(work, known(inputs), { asks });
    if (found.is === "adopt") return previewOf(work, inputs, found.candidate, hasDefaultName);
    if (found.is === "create") {
      return { ...unknownExisting, warnings: found.beside, ...(isAsked && { action: "creates" }) };
    }
    if (found.isAdoption) throw found.error;
    return { ...unknownExisting, warnings: [{ text: messageOf(found.error) }] };
  } catch (error) {
    // Best effort: the create looks again.
    if (!isAsked) return unknownExisting;
    if (!NeonError.isInstance(error)) throw error;
    const reason = withoutStop(`${messageOf(error)} ${adviceOn(error) ?? ""}`);
    return { ...unknownExisting, adopts: true, obstacles: [{ property: "adopt", reason }] };
  }
}

function previewOf(work: Work, inputs: Values, found: Candidate, hasDefaultName: boolean): ExistingPreview {
  const { kind } = work;
  const { outputs } = found;
  const { defaultName = "name" } = kind;
  const { [defaultName]: name } = outputs;
  // An adopted object keeps its name, unless the program declares another one.
  const applied = hasDefaultName ? { ...inputs, [defaultName]: name } : inputs;
  const text = adoptionText(work, known(applied), found);
  return {
    obstacles: [],
    adopts: true,
    name: typeof name === "string" ? name : null,
    action: `adopts ${kind.id(outputs)}`,
    warnings: text === undefined ? [] : [{ text }],
  };
}

/** Fills in parents that only `up` knows from the id that `adopt` names, if that is a whole id. */
function withParents(kind: AnyKind, inputs: Values, adopt: string | undefined): Values {
  if (adopt === undefined || segmentsOf(adopt).length !== kind.addressNames.length) return inputs;
  const address: Values = kind.address(adopt);
  const parents = parentsOf(kind).filter((name) => inputs[name] === unknownValue);
  // A name with slashes in it can look like an id.
  return parents.some((name) => address[name] === "") ? inputs : { ...inputs, ...pick(address, parents) };
}

/** Whether all inputs that identify the object are known: its parents and, unless an id is given, its name. */
function isIdentified(kind: AnyKind, inputs: Values, adopt: string | undefined): boolean {
  const { defaultName = "name", addressNames } = kind;
  const needed = adopt === undefined ? [...addressNames, ...uniqueInputs(kind, inputs), defaultName] : parentsOf(kind);
  return needed.every((input) => inputs[input] !== unknownValue);
}

/** The inputs that name the parents of an object. */
function parentsOf({ addressNames }: AnyKind): readonly string[] {
  return addressNames.slice(0, -1);
}

/** Removes the inputs that are not known yet. */
function known(inputs: Values): Values {
  return pick(
    inputs,
    leafPaths(inputs).filter((path) => !holdsUnknown(atPath(inputs, path))),
  );
}
