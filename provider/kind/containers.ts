import type { ObjectKey } from "../ownership/claim";
import type { Values } from "../values";
import { idOf } from "./id";
import type { AnyKind } from "./kind";

/**
 * The containers of an object with these values: deleting any of them deletes the object. Containers whose id is not
 * known are omitted.
 */
export function containersOf({ name, within = {} }: AnyKind, values: Values): readonly ObjectKey[] {
  const onBranch: NonNullable<AnyKind["within"]> = { Branch: [], ...within };
  const containers: readonly (readonly [kind: string, outputs: readonly string[]])[] = [
    ["Project", ["projectId"]],
    ...Object.entries(onBranch).flatMap(([kind, outputs]) =>
      outputs === false ? [] : [[kind, ["projectId", "branchId", ...outputs]] as const],
    ),
  ];
  return containers.flatMap(([kind, outputs]) => {
    const segments = outputs.map((output) => values[output]);
    const isKnown = kind !== name && segments.every((segment) => typeof segment === "string");
    return isKnown ? [{ kind, id: idOf(...segments) }] : [];
  });
}
