import { messageOf, NeonError, withoutStop } from "../../../api/core/errors";
import type { Problem } from "../../call/services";
import { adjustments } from "../../kind/differences";
import type { AnyKind } from "../../kind/kind";
import { uniqueInputs } from "../../kind/natural-key";
import { atPath, holdsUnknown, leafPaths, pick, unknownValue, type Values } from "../../values";
import { adviceOn } from "../errors";
import type { Work } from "../work";
import { adoptable, type Wanted } from "./adopt";
import { makerOf } from "./maker";
import { originText } from "./messages";
import { unreportedInputs, withPresentValues } from "./obstacles";

/** What a new resource is going to adopt. */
interface AdoptionPreview {
  readonly problems: readonly Problem[];
  /** Whether an object was found. */
  readonly isFound?: true;
  /** The name that the object keeps, if the program declares none. Null if it has none. */
  readonly name?: string | null;
  /** What is adopted without being named in the program, and what adopting changes about it, in a sentence. */
  readonly warning?: string;
}

/**
 * Reads the object that a new resource is going to adopt, if it is known which one.
 *
 * @param inputs may hold unknown values
 */
export async function previewAdoption(work: Work, inputs: Values, wanted: Wanted): Promise<AdoptionPreview> {
  const { kind } = work;
  if (inputs["adopt"] === unknownValue || !isIdentified(kind, inputs, wanted)) return { problems: [] };
  try {
    const adopted = await adoptable(work, known(inputs), wanted);
    if (adopted === undefined) return { problems: [] };
    const name = adopted[kind.defaultName ?? "name"];
    const isNamed = inputs["adopt"] !== undefined;
    const unreported = unreportedInputs(kind, known(inputs), adopted).map((path) => `\`${path}\``);
    const counts =
      unreported.length === 0 ? "" : ` Neon does not report ${unreported.join(", ")}, which counts as declared.`;
    const text =
      changesText(kind, adopted, inputs) ?? (isNamed ? undefined : `The ${kind.noun} ${kind.id(adopted)} is adopted.`);
    // Consent holds for a whole run, so it is said whose each object can be.
    const origin = isNamed ? undefined : originText(work, adopted, await makerOf(work, adopted));
    const warning = text && `${text}${origin === undefined ? "" : ` It was ${origin}.`}${counts}`;
    return {
      problems: [],
      isFound: true,
      name: typeof name === "string" ? name : null,
      ...(warning === undefined ? {} : { warning }),
    };
  } catch (error) {
    if (!NeonError.isInstance(error)) throw error;
    return { problems: [{ property: "adopt", reason: withoutStop(`${messageOf(error)} ${adviceOn(error) ?? ""}`) }] };
  }
}

/** Whether everything is known by which the object is found: its parents, and its name unless an id is given. */
export function isIdentified(kind: AnyKind, inputs: Values, wanted: Wanted): boolean {
  const { defaultName = "name" } = kind;
  const parents = [...kind.addressNames, ...uniqueInputs(kind, inputs)];
  const needed = [
    ...parents.filter((input) => input !== defaultName),
    ...(typeof wanted === "string" ? [] : [defaultName]),
  ];
  return needed.every((input) => inputs[input] !== unknownValue);
}

/** An input that is not known yet counts as unchanged. */
function changesText(kind: AnyKind, adopted: Values, inputs: Values): string | undefined {
  const changed = adjustments(kind, adopted, known(inputs));
  if (changed.length === 0) return undefined;
  return `Adopting the ${kind.noun} ${kind.id(adopted)} changes it: ${withPresentValues(changed, adopted)}.`;
}

/** The inputs without those that are not known yet. */
export function known(inputs: Values): Values {
  return pick(
    inputs,
    leafPaths(inputs).filter((path) => !holdsUnknown(atPath(inputs, path))),
  );
}
