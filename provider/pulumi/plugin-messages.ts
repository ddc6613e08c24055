import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";

import type { Problem } from "../call/services";
import { presentAt, ruleFor, top } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import type { Difference } from "../lifecycle/diff";
import type { Hidden } from "../lifecycle/state";
import { atPath, type Values } from "../values";
import { encodedProperties, outputsMember, type Properties, propertiesOf, secretPaths } from "./properties";
import { problemWithoutValue } from "./user-messages";

// Conversions for the messages of the plugin protocol.

export function propertiesIn(struct: Struct | undefined): Properties {
  return propertiesOf(struct?.toJavaScript() ?? {});
}

export function structOf(properties: Properties): Struct {
  return Struct.fromJavaScript(encodedProperties(properties) as Record<string, JavaScriptValue>);
}

/**
 * Converts outputs, and marks as secret the kind's secret outputs and those with secret inputs.
 *
 * @param before the properties in the state
 */
export function outputStruct(
  kind: AnyKind,
  { outputs, hidden }: { readonly outputs: Values; readonly hidden?: Hidden },
  given: Pick<Properties, "secrets">,
  before: Properties = { values: {} },
): Struct {
  return structOf({
    values: outputs,
    hidden: hidden && outputsMember(hidden, before.hidden),
    providerText: before.providerText,
    secrets: secretPaths(kind, given),
  });
}

/** The response to a check: the inputs and their problems. */
export function checkResponse(
  inputs: Values,
  secrets: Properties["secrets"],
  problems: readonly Problem[],
): messages.CheckResponse {
  const response = new messages.CheckResponse();
  response.setInputs(structOf({ values: inputs, secrets }));
  response.setFailuresList(problems.map(problemWithoutValue).map(checkFailure));
  return response;
}

export function checkFailure({ property, reason }: Problem): messages.CheckFailure {
  const failure = new messages.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}

/**
 * Converts a difference for the engine: the kind of change at each path, and whether it replaces the resource.
 *
 * @param outputs the resource's outputs in the state
 * @param inputs the program's inputs
 */
export function diffResponse(
  { rules }: AnyKind,
  { changed, recorded, replaces, unfinished, deletesFirst }: Difference,
  outputs: Values,
  inputs: Values,
): messages.DiffResponse {
  const paths = [...new Set([...changed, ...recorded])];
  const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
  const response = new messages.DiffResponse();
  response.setChanges(paths.length > 0 || unfinished !== undefined ? DIFF_SOME : DIFF_NONE);
  response.setDiffsList([...new Set(paths.map(top))]);
  response.setReplacesList(unfinished === "replace" ? ["id"] : replaces.map(top));
  response.setDeletebeforereplace(deletesFirst);
  response.setHasdetaileddiff(true);
  for (const path of paths) {
    const difference = new messages.PropertyDiff();
    difference.setKind(kindOf(presentAt(rules, outputs, path), atPath(inputs, path), replaces.includes(path)));
    // The outputs of a file hold nothing that could be shown.
    difference.setInputdiff(ruleFor(rules, path).content !== undefined);
    response.getDetaileddiffMap().set(path, difference);
  }
  return response;
}

function kindOf(before: unknown, after: unknown, isReplacing: boolean): messages.PropertyDiff.Kind {
  const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = messages.PropertyDiff.Kind;
  const [plain, replacing] =
    after === undefined
      ? [DELETE, DELETE_REPLACE]
      : before === undefined
        ? [ADD, ADD_REPLACE]
        : [UPDATE, UPDATE_REPLACE];
  return isReplacing ? replacing : plain;
}
