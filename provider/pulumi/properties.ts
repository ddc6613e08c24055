import { z } from "zod";

import { declaredPaths } from "../kind/differences";
import type { AnyKind } from "../kind/kind";
import { secretsOf } from "../kind/outputs";
import { unreadableState } from "../lifecycle/errors";
import { type Hidden, hiddenShape, parseState, type State } from "../lifecycle/state";
import type { Values } from "../values";
import { decoded, encoded, type Path } from "./wire";

const texts = z.array(z.string()).readonly();

/** The members of `__neon` that the state keeps both in the inputs and in the outputs of a dynamic provider. */
const inState = {
  urn: z.string().optional(),
  /** The default name that the resource got when it was created. `check` adds it. */
  defaultName: z.string().optional(),
  /** The name of the `Provider` whose `apiKey` the resource uses, if the program declares both. */
  provider: z.string().optional(),
};
const inInputs = {
  ...inState,
  /**
   * Whether the resource option `retainOnDelete` is set. Until a refresh, the inputs in the state have the same value
   * as the engine's state.
   */
  isRetained: z.boolean().optional(),
};
const inOutputs = {
  ...inState,
  /** The resource's `customTimeouts`. */
  timeouts: z.record(z.string(), z.unknown()).optional(),
};

/**
 * Data that the protocol of dynamic providers does not pass to a provider, so the constructor of a resource adds it to
 * the inputs. `check` keeps it for the run and removes everything that the state does not store, because it must not
 * show up as a difference.
 */
const hiddenInputShape = {
  ...inInputs,
  ...inOutputs,
  /** Whether the resource option `protect` is set. */
  isProtected: z.boolean().optional(),
  /** The stack's Pulumi organization. */
  organization: z.string().optional(),
  /** The names of the program's `Provider`s, if the resource uses none of them and the stack has no key. */
  unusedProviders: texts.optional(),
  /** The arguments that are outputs of a resource that this run did not create. */
  lost: texts.optional(),
  /** The outputs that the program declares as secret. */
  secretOutputs: texts.optional(),
  /** The paths of the members of unstored inputs that the program declares as secret. */
  secretMembers: texts.optional(),
  /**
   * The values that a preview does not know although the resources that they come from, given by URN, are not replaced.
   */
  unknownInputs: z
    .array(z.object({ path: texts, urns: texts }))
    .readonly()
    .optional(),
};
export type HiddenInputs = Readonly<z.infer<z.ZodObject<typeof hiddenInputShape>>>;

/** All members of `__neon`. A newer release can have added more. */
const hiddenMember = z.looseObject({ ...hiddenInputShape, ...z.object(hiddenShape).partial().shape });

/**
 * Properties of a resource, whichever protocol carries them: the values of the program and the platform, and the data
 * that is added to them.
 */
export interface Properties {
  readonly values: Values;
  /** The member `__neon`. Undefined if there is none. */
  readonly hidden?: (HiddenInputs & Partial<Hidden>) | undefined;
  /**
   * The path of an invalid member of `__neon`. A program can pass anything under any name, and a state can be edited.
   */
  readonly invalid?: readonly PropertyKey[] | undefined;
  /** The member `__provider`: the text that loads a dynamic provider. */
  readonly providerText?: unknown;
  /** The paths of the values that the engine marks as secret. */
  readonly secrets?: readonly Path[] | undefined;
}

/** Parses the properties from a protocol, for the lifecycle. */
export function propertiesOf(given: unknown): Properties {
  const { value, secrets } = decoded(given);
  const { __provider: providerText, __neon: hidden, ...values } = value as Values;
  if (hidden === undefined) return { values, providerText, secrets };
  const { data = {}, error } = hiddenMember.safeParse(hidden);
  return {
    values,
    hidden: data as HiddenInputs & Partial<Hidden>,
    invalid: error?.issues[0]?.path,
    providerText,
    secrets,
  };
}

/** Encodes properties for a protocol. */
export function encodedProperties({ values, hidden, providerText, secrets }: Properties): Values {
  return encoded({ ...values, __neon: hidden, __provider: providerText }, secrets);
}

/** The hidden member of inputs, as a dynamic provider stores it in the state. */
export function inputsMember(inputs: HiddenInputs): HiddenInputs {
  return pickMembers(inputs, inInputs);
}

/**
 * The hidden member of outputs.
 *
 * @param inputs the members that a dynamic provider has added. They are kept when the stack moves to the plugin, so
 * that it can be moved back.
 */
export function outputsMember(hidden: Hidden, inputs: HiddenInputs = {}): HiddenInputs & Hidden {
  return { ...pickMembers(inputs, inOutputs), ...hidden };
}

function pickMembers(inputs: HiddenInputs, shape: object): HiddenInputs {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => name in shape));
}

/**
 * Parses the state of a resource.
 *
 * @throws NeonError if it is invalid, for example because somebody has edited it
 */
export function stateOf(kind: AnyKind, id: string, { values, hidden = {}, invalid }: Properties): State {
  if (invalid !== undefined) throw unreadableState(kind, id, invalid);
  return parseState(kind, id, { outputs: values, hidden });
}

/** Whether there are no properties at all: the check of a new resource gets none from the state. */
export function isNone({ values, hidden }: Properties): boolean {
  return hidden === undefined && Object.keys(values).length === 0;
}

/** The default name that a resource got when it was created, from its inputs in the state. */
export function defaultNameIn({ defaultName = "" }: AnyKind, { values, hidden }: Properties): string | undefined {
  if (hidden !== undefined) return hidden.defaultName;
  // The plugin stores only the name itself.
  const { [defaultName]: name } = values;
  return typeof name === "string" ? name : undefined;
}

/**
 * Paths of the inputs that the program declared when the state was written. After a failed change, the state still has
 * the earlier paths.
 */
export function declaredIn(kind: AnyKind, { hidden }: State, inputs: Properties): readonly string[] {
  return hidden.pending === undefined ? declaredPaths(kind, inputs.values) : (hidden.declared ?? []);
}

/**
 * Paths of the values that the state encrypts: those that the engine has marked, inputs and outputs with the name of a
 * secret output of the kind, and outputs that hold the value of a secret input.
 */
export function secretPaths(kind: AnyKind, { secrets = [] }: Pick<Properties, "secrets">): readonly Path[] {
  const carrying = Object.entries(kind.carries ?? {}).filter(([, input = ""]) =>
    secrets.some((path) => `${input}.`.startsWith(`${path.join(".")}.`)),
  );
  const names = [...secretsOf(kind), ...carrying.map(([output]) => output)];
  return [...names.map((name) => [name]), ...secrets];
}
