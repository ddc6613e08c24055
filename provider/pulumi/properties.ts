import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";

import type { AnyKind } from "../kind/kind";
import { secretsOf } from "../kind/outputs";
import type { Stored } from "../lifecycle/state";
import type { Values } from "../values";
import { joined, split, type Split } from "./hidden";
import { type Path, unwrapped, wrapped } from "./wire";

/** Properties of a resource as the plugin protocol carries them. */
export interface Properties extends Split {
  /** The paths of what is secret. */
  readonly secrets: readonly Path[];
}

/** What a dynamic provider has written into a state besides outputs: it stays, so that the stack can be moved back. */
const ofDynamicProvider = ["urn", "defaultName", "timeouts"];

export function propertiesOf(struct: Struct | undefined): Properties {
  const { value, secrets } = unwrapped(struct?.toJavaScript() ?? {});
  return { ...split(value), secrets };
}

/**
 * Paths of secrets with those of a kind: an input that has the name of a secret output is secret, too, and so is an output that
 * holds the value of a secret input.
 */
export function withSecretsOf(kind: AnyKind, { secrets }: Pick<Properties, "secrets">): Pick<Properties, "secrets"> {
  const carrying = Object.entries(kind.carries ?? {}).filter(([, input = ""]) =>
    secrets.some((path) => `${input}.`.startsWith(`${path.join(".")}.`)),
  );
  const names = [...secretsOf(kind), ...carrying.map(([output]) => output)];
  return { secrets: [...names.map((name) => [name]), ...secrets] };
}

/** Inputs, in which what was secret stays secret. */
export function inputStruct(inputs: Values, { secrets }: Pick<Properties, "secrets">): Struct {
  return toStruct(wrapped(joined(inputs, undefined), secrets));
}

/**
 * Outputs: the secret ones of the kind, and where inputs were secret.
 *
 * @param before the properties in the state
 */
export function outputStruct(
  kind: AnyKind,
  { outputs, hidden }: Stored | { readonly outputs: Values; readonly hidden?: undefined },
  given: Pick<Properties, "secrets">,
  before?: Properties,
): Struct {
  const kept = Object.fromEntries(
    Object.entries(before?.hidden ?? {}).filter(([name]) => ofDynamicProvider.includes(name)),
  );
  const all = joined(outputs, hidden && { ...kept, ...hidden }, before?.providerText);
  return toStruct(wrapped(all, withSecretsOf(kind, given).secrets));
}

function toStruct(values: Values): Struct {
  return Struct.fromJavaScript(values as Record<string, JavaScriptValue>);
}
