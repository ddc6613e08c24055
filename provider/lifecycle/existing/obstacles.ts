import { differences } from "../../kind/differences";
import { replaces, ruleFor } from "../../kind/field-rules";
import type { AnyKind } from "../../kind/kind";
import { atPath, type Values } from "../../values";
import { adoptsItself } from "../errors";

/**
 * Paths of the inputs that differ from the program and cannot be changed in place. Inputs that the platform does not
 * report count only if the program declares `adopt`. If the setting for a whole run adopts the object instead, a killed
 * run has probably created it as declared.
 */
export function fixedInputs(kind: AnyKind, inputs: Values, outputs: Values): readonly string[] {
  const unreported = inputs["adopt"] === undefined ? [] : unreportedInputs(kind, inputs, outputs);
  return differences(kind, outputs, [], inputs).filter((path) => {
    const { onAdd, unset } = ruleFor(kind.rules, path);
    const isKnown = atPath(outputs, path) !== undefined || unset === "none" || onAdd !== undefined;
    return unreported.includes(path) || (isKnown && replaces(kind.rules, path, outputs));
  });
}

/** Paths of the inputs that only the creation sets and that the platform does not report. */
export function unreportedInputs(kind: AnyKind, inputs: Values, outputs: Values): readonly string[] {
  return differences(kind, outputs, [], inputs).filter((path) => {
    const { platform, onChange, refuse } = ruleFor(kind.rules, path);
    return platform === "write-only" && (onChange === "replace" || refuse !== undefined);
  });
}

/** Makes sure that a replacement, which is created first, does not adopt the object that is deleted afterwards. */
export function assertReplaceable(kind: AnyKind, inputs: Values, outputs: Values): void {
  const { adopt } = inputs;
  if (typeof adopt !== "string") return;
  const id = kind.id(outputs);
  const [last = "", ...parents] = [...kind.addressNames].reverse();
  const named: Record<string, string> = { [last]: adopt };
  for (const name of parents) named[name] = textOf(inputs[name] ?? outputs[name]);
  // `adopt` holds the id, or the name alone if the program still declares the same parents.
  if (adopt === id || kind.id(named) === id) throw adoptsItself(kind, adopt);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
