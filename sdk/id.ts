import * as pulumi from "@pulumi/pulumi";
import { failure } from "./run-error";

/**
 * The segments of an id in state, one by one, as the platform writes them.
 *
 * @param form what such an id looks like, such as `<project>/<permission>`
 */
export function segmentsOf(id: pulumi.Input<pulumi.ID>, form: string): (index: number) => pulumi.Output<string> {
  // An output may come to nothing, whatever its type says.
  const segments = pulumi.output<string | undefined>(id).apply((text) => {
    const found = (text ?? "").split("/").map(decoded);
    if (found.length === form.split("/").length && isWhole(found)) return found;
    throw failure(`"${text ?? ""}" is no id in state of this kind: it is "${form}".`);
  });
  return (index) => segments.apply((found) => found[index] ?? "");
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function isWhole(segments: readonly (string | undefined)[]): segments is readonly string[] {
  return segments.every((segment) => segment !== undefined && segment !== "");
}
