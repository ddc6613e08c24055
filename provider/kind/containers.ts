import type { ObjectKey } from "../ownership/claim";
import type { Values } from "../values";
import { idOf } from "./id";
import type { AnyKind } from "./kind";

/** The containers that follow from the names of outputs. */
const usual: AnyKind["within"] = { Project: ["projectId"], Branch: ["projectId", "branchId"] };

/** The containers of an object with these values: it is deleted with each of them. Those whose id is not known are left out. */
export function containersOf({ name, within }: AnyKind, values: Values): readonly ObjectKey[] {
  return Object.entries({ ...usual, ...within }).flatMap(([kind, outputs]) => {
    if (kind === name || outputs === false) return [];
    const segments = outputs.map((output) => values[output]);
    return segments.every((segment) => typeof segment === "string") ? [{ kind, id: idOf(...segments) }] : [];
  });
}
