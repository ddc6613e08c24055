import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";

import { top } from "../kind/differences";
import type { Difference } from "../lifecycle/diff";
import { atPath, type Values } from "../values";

/**
 * A difference as the engine receives it: what each path was, is to be, and whether that replaces the resource.
 *
 * @param outputs of the resource as the state has it
 * @param inputs what the program declares
 */
export function diffResponse(
  { changed, recorded, replaces, unfinished, deletesFirst }: Difference,
  outputs: Values,
  inputs: Values,
): DiffResponse {
  const paths = [...new Set([...changed, ...recorded])];
  const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
  const response = new DiffResponse();
  response.setChanges(paths.length > 0 || unfinished !== undefined ? DIFF_SOME : DIFF_NONE);
  response.setDiffsList([...new Set(paths.map(top))]);
  response.setReplacesList(unfinished === "replace" ? ["id"] : replaces.map(top));
  response.setDeletebeforereplace(deletesFirst);
  response.setHasdetaileddiff(true);
  for (const path of paths) {
    const difference = new PropertyDiff();
    difference.setKind(kindOf(atPath(outputs, path), atPath(inputs, path), replaces.includes(path)));
    response.getDetaileddiffMap().set(path, difference);
  }
  return response;
}

function kindOf(before: unknown, after: unknown, isReplacing: boolean): PropertyDiff.Kind {
  const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = PropertyDiff.Kind;
  const [plain, replacing] =
    after === undefined
      ? [DELETE, DELETE_REPLACE]
      : before === undefined
        ? [ADD, ADD_REPLACE]
        : [UPDATE, UPDATE_REPLACE];
  return isReplacing ? replacing : plain;
}
