import { z } from "zod";

import { declaredPaths } from "../kind/differences";
import type { AnyKind } from "../kind/kind";
import { secretsOf } from "../kind/outputs";
import { unreadableState } from "../lifecycle/errors";
import { type Hidden, hiddenShape, parseState, type State } from "../lifecycle/state";
import type { Values } from "../values";
import { decoded, encoded, type Path } from "./wire";

const texts = z.array(z.string()).readonly();

/** What the hidden member of both the inputs and the outputs of a dynamic provider holds in the state. */
const inState = {
  urn: z.string().optional(),
  /** The default name that the resource was given when it was created. `check` adds it. */
  defaultName: z.string().optional(),
  /** The name of the `Provider` whose `apiKey` the resource uses, if the program declares both. */
  provider: z.string().optional(),
};
const inInputs = {
  ...inState,
  /** Whether the resource option `retainOnDelete` is set. The inputs in the state hold it as the engine does, until a refresh. */
  isRetained: z.boolean().optional(),
};
const inOutputs = {
  ...inState,
  /** The resource's `customTimeouts`. */
  timeouts: z.record(z.string(), z.unknown()).optional(),
};

/**
 * What the protocol of dynamic providers does not tell a provider: the constructor of a resource adds it to the inputs. `check`
 * keeps it for the run, and removes what is not in the state, because it must not show up as a difference.
 */
const hiddenInputShape = {
  ...inInputs,
  ...inOutputs,
  /** Whether the resource option `protect` is set. */
  isProtected: z.boolean().optional(),
  /** The stack's Pulumi organization. */
  organization: z.string().optional(),
  /** The names of the `Provider`s that the program has, if the resource uses none of them and the stack has no key. */
  unusedProviders: texts.optional(),
  /** The arguments that are outputs of something that this run did not create. */
  lost: texts.optional(),
  /** The outputs that are secret because the program says so. */
  secretOutputs: texts.optional(),
  /** The values that a preview does not know although the resources that they come from, by URN, are not replaced. */
  unknownInputs: z
    .array(z.object({ path: texts, urns: texts }))
    .readonly()
    .optional(),
};
export type HiddenInputs = Readonly<z.infer<z.ZodObject<typeof hiddenInputShape>>>;

/** The whole of `__neon`. A newer release can have added members. */
const hiddenMember = z.looseObject({ ...hiddenInputShape, ...z.object(hiddenShape).partial().shape });

/** Properties of a resource, whichever protocol carries them: what a program and the platform say, and what is added to it. */
export interface Properties {
  readonly values: Values;
  /** The member `__neon`. Undefined if there is none. */
  readonly hidden?: (HiddenInputs & Partial<Hidden>) | undefined;
  /** The member of `__neon` that is invalid. A program can pass anything under any name, and a state can be edited. */
  readonly invalid?: readonly PropertyKey[] | undefined;
  /** The member `__provider`: the text that loads a dynamic provider. */
  readonly providerText?: unknown;
  /** The paths of what the engine marks as secret. */
  readonly secrets?: readonly Path[] | undefined;
}

/** Properties as a protocol carries them, for the lifecycle. */
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

/** Properties for a protocol. */
export function encodedProperties({ values, hidden, providerText, secrets }: Properties): Values {
  return encoded({ ...values, __neon: hidden, __provider: providerText }, secrets);
}

/** The hidden member of inputs, as a dynamic provider leaves it to the state. */
export function inputsMember(inputs: HiddenInputs): HiddenInputs {
  return pickMembers(inputs, inInputs);
}

/**
 * The hidden member of outputs.
 *
 * @param inputs what a dynamic provider has added, also before the stack was moved to the plugin: it can be moved back
 */
export function outputsMember(hidden: Hidden, inputs: HiddenInputs = {}): HiddenInputs & Hidden {
  return { ...pickMembers(inputs, inOutputs), ...hidden };
}

function pickMembers(inputs: HiddenInputs, shape: object): HiddenInputs {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => name in shape));
}

/**
 * The state of a resource.
 *
 * @throws NeonError if somebody has edited it
 */
export function stateOf(kind: AnyKind, id: string, { values, hidden = {}, invalid }: Properties): State {
  if (invalid !== undefined) throw unreadableState(kind, id, invalid);
  return parseState(kind, id, { outputs: values, hidden });
}

/** Whether there are no properties at all: a check of a new resource gets none of the state. */
export function isNone({ values, hidden }: Properties): boolean {
  return hidden === undefined && Object.keys(values).length === 0;
}

/** The default name that a resource was given when it was created, from its inputs in the state. */
export function defaultNameIn({ defaultName = "" }: AnyKind, { values, hidden }: Properties): string | undefined {
  if (hidden !== undefined) return hidden.defaultName;
  // The plugin keeps nothing else.
  const { [defaultName]: name } = values;
  return typeof name === "string" ? name : undefined;
}

/** Paths of the inputs that the program declared when the state was written. A failed change has kept them. */
export function declaredIn(kind: AnyKind, { hidden }: State, inputs: Properties): readonly string[] {
  return hidden.pending === undefined ? declaredPaths(kind, inputs.values) : (hidden.declared ?? []);
}

/**
 * Paths of what the state encrypts: what the engine has marked, inputs and outputs with the name of a secret output of the kind, and
 * outputs that hold the value of a secret input.
 */
export function secretPaths(kind: AnyKind, { secrets = [] }: Pick<Properties, "secrets">): readonly Path[] {
  const carrying = Object.entries(kind.carries ?? {}).filter(([, input = ""]) =>
    secrets.some((path) => `${input}.`.startsWith(`${path.join(".")}.`)),
  );
  const names = [...secretsOf(kind), ...carrying.map(([output]) => output)];
  return [...names.map((name) => [name]), ...secrets];
}
