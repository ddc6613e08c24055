import * as pulumi from "@pulumi/pulumi";

import { decoded } from "../api/core/request";
import { runError } from "./run-error";

/**
 * The decoded segments of a resource's id, each as an output.
 *
 * @param form the form of such an id, such as `<projectId>/<branchId>`
 */
export function segmentsOf(id: pulumi.Input<pulumi.ID>, form: string): (index: number) => pulumi.Output<string> {
  // An output can be undefined despite its type.
  const segments = pulumi.output<string | undefined>(id).apply((text = "") => {
    const found = text.split("/").map(decoded);
    if (found.length === form.split("/").length && found.every(Boolean)) return found;
    throw runError(`"${text}" is not a valid id of this resource. Its form is "${form}".`);
  });
  return (index) => segments.apply((found) => found[index] ?? "");
}

/** The decoded last segment of a resource's id. */
export function lastSegmentOf(id: string): string {
  const segment = id.slice(id.lastIndexOf("/") + 1);
  return decoded(segment) ?? segment;
}
