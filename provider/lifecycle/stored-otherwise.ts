import { differences } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import { canOmit } from "../kind/input-problems";
import type { AnyKind } from "../kind/kind";
import { declaredAt, type Values } from "../values";
import type { Work } from "./work";

/**
 * The paths at which the platform reports another value than the one that was just sent: a plan can limit or ignore a
 * value.
 *
 * @param outputs as the platform reports them
 */
export function storedOtherwise(
  kind: Pick<AnyKind, "inputs" | "rules">,
  outputs: Values,
  inputs: Values,
): readonly string[] {
  return differences(kind, outputs, [], inputs).filter((path) => {
    const { platform, onChange } = ruleFor(kind.rules, path);
    // A value that only the creation sets need not be reported.
    const isReported = onChange !== "replace" || declaredAt(outputs, path) !== undefined;
    return platform === undefined && isReported;
  });
}

/**
 * Warns of values that the platform has stored differently. The warning shows no value, because the program may have
 * made it a secret.
 */
export function warnOfOtherValues(work: Work, outputs: Values, inputs: Values): void {
  const { kind } = work;
  const paths = storedOtherwise(kind, outputs, inputs);
  if (paths.length === 0) return;
  const isFinal = paths.every((path) => ruleFor(kind.rules, path).onChange === "replace");
  const names = paths.map((path) => `\`${path}\``).join(", ");
  const way = canOmit(kind.inputs(), inputs, paths) ? ", or omit the property" : "";
  const next = isFinal
    ? "Declare what Neon has stored."
    : `\`pulumi preview\` shows what Neon has stored, and each \`pulumi up\` sends the declared value again. Declare what is stored${way}.`;
  work.warn(
    `Neon accepted this ${kind.noun}, but stored something else than declared for ${names}. Your plan may limit it. ${next}`,
  );
}
