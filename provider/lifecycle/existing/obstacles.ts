import { differences } from "../../kind/differences";
import { replaces, ruleFor } from "../../kind/field-rules";
import { segmentsOf } from "../../kind/id";
import type { AnyKind } from "../../kind/kind";
import { atPath, type Values } from "../../values";
import { adoptsItself } from "../errors";

/**
 * Paths of the inputs that keep an object from becoming what the program declares. What the platform does not report is one of them only
 * if the program declares `adopt`: where a run takes what is there, a killed one has probably created it as declared.
 */
export function fixedInputs(kind: AnyKind, inputs: Values, outputs: Values): readonly string[] {
  const unreported = inputs["adopt"] === undefined ? [] : unreportedInputs(kind, inputs, outputs);
  return differences(kind, outputs, [], inputs).filter((path) => {
    const { onAdd, unset } = ruleFor(kind.rules, path);
    const isKnown = atPath(outputs, path) !== undefined || unset === "none" || onAdd !== undefined;
    return unreported.includes(path) || (isKnown && replaces(kind.rules, path, outputs));
  });
}

/** Paths of the inputs that are fixed by the creation, and that the platform does not report. */
export function unreportedInputs(kind: AnyKind, inputs: Values, outputs: Values): readonly string[] {
  return differences(kind, outputs, [], inputs).filter((path) => {
    const { platform, onChange, refuse } = ruleFor(kind.rules, path);
    return platform === "write-only" && (onChange === "replace" || refuse !== undefined);
  });
}

/** Makes sure that a replacement, which is created first, does not adopt the object that is deleted afterwards. */
export function assertReplaceable(kind: AnyKind, inputs: Values, outputs: Values): void {
  const { adopt } = inputs;
  if (typeof adopt === "string" && isNamed(kind, outputs, inputs, adopt)) throw adoptsItself(kind, adopt);
}

/** Whether `adopt` names this object: by its id, or by its name alone if the program still declares the same parent. */
function isNamed(kind: AnyKind, outputs: Values, inputs: Values, adopt: string): boolean {
  const id = kind.id(outputs);
  if (id === adopt) return true;
  const declared = Object.entries(inputs).map(
    ([name, value]) => [name, typeof value === "string" ? value : ""] as const,
  );
  const [parent, declaredParent] = [id, kind.id({ ...outputs, ...Object.fromEntries(declared) })].map(parentId);
  return segmentsOf(id).at(-1) === adopt && parent === declaredParent;
}

/** What an id in state contains before its last segment: the ids of the object's parents. */
function parentId(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf("/")));
}
