import * as pulumi from "@pulumi/pulumi";

import { durationForm, milliseconds } from "../api/core/duration";
import type { HiddenInputs } from "../provider/pulumi/properties";
import { warnOfConfig } from "./config-warnings";
import { doorOf, type ServedName, typeToken, typeTokens } from "./door";
import { lastSegmentOf, segmentsOf } from "./id";
import { assertInstalled } from "./installation";
import { unitTestMocks } from "./mocks";
import { ownKeyOf, providerFor, unusedProviders } from "./provider";
import { providerText } from "./provider-text";
import { type Absences, type OptionalOutput, requiredOutput, type RequiredOutput } from "./required-output";
import { runError } from "./run-error";
import { internals, keepReadId, secretMembers, unknownArguments } from "./unknown-arguments";

/**
 * The source of an output's value: the state, as a secret or not, or the last segment of the resource's id. The id is
 * known even in the preview of an update, when other outputs are not.
 */
export type OutputKind = "plain" | "secret" | "fromId" | "numberFromId";

/** The definition that all instances of a resource class share. */
export interface ResourceDefinition {
  /** The name of the kind in type tokens. */
  readonly kind: ServedName;
  /** The segments of the id, by the names of the outputs that hold them. */
  readonly id: readonly string[];
  /** Every output, inputs included. The secret outputs are those of the kind. */
  readonly outputs: Readonly<Record<string, OutputKind>>;
  /** Outputs that hold the value of an argument at another path, such as `branch.roleName`. */
  readonly carries?: Readonly<Record<string, string>>;
  /** Why outputs can be absent, for error messages. */
  readonly absences?: Absences;
  /** The arguments of which the state holds only a hash. */
  readonly unstored?: readonly string[];
}

/** The name of each resource in error messages, and why its outputs can be absent. */
const descriptions = new WeakMap<Resource, { readonly described: string; readonly absences: Absences }>();

/** Base class of all resources of this package. */
export abstract class Resource extends pulumi.CustomResource {
  protected constructor(
    { kind, outputs, carries = {}, absences = {}, unstored = [] }: ResourceDefinition,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    warnOfConfig();
    assertTimeouts(`${kind} "${name}"`, opts.customTimeouts);
    const { dynamic, plugin } = typeTokens(kind);
    const isDynamic = doorOf(kind) === "dynamic";
    const secretArgs = Object.entries(args ?? {}).filter(
      ([input, value]) => outputs[input] === "secret" && value !== undefined,
    );
    const outputsOf = (wanted: OutputKind): string[] =>
      Object.keys(outputs).filter((output) => outputs[output] === wanted);
    // An argument that is an output may be secret, so outputs that hold its value count as secret.
    const carrying = Object.keys(carries).filter((output) => isGivenAsOutput(args, carries[output]?.split(".") ?? []));
    super(
      isDynamic ? dynamic : plugin,
      name,
      {
        ...Object.fromEntries(Object.keys(outputs).map((output) => [output, undefined])),
        ...args,
        // Secret inputs stay secret even if the program passes plain values.
        ...Object.fromEntries(secretArgs.map(([input, value]) => [input, pulumi.secret(value)])),
        // With the plugin, `__neon` is only an output. A data source detects by it that a preview plans no change.
        ...(isDynamic ? dynamicInputs(kind, name, args, opts, carrying, unstored) : { __neon: undefined }),
      },
      pulumi.mergeOptions(
        // The plugin marks secret outputs itself.
        isDynamic
          ? { additionalSecretOutputs: [...outputsOf("secret"), ...carrying], aliases: otherDoorAliases(kind, opts) }
          : { aliases: otherDoorAliases(kind, opts) },
        opts,
      ),
    );
    if (opts.id !== undefined) keepReadId(this, opts.id);
    descriptions.set(this, { described: `${kind} "${name}"`, absences });
    // Pulumi reports the id of a resource that is only read as known, even if a preview does not know it. Use the given
    // id instead.
    const id = opts.id === undefined ? this.id : pulumi.all([opts.id, this.id]).apply(([given]) => given);
    const segment = id.apply(lastSegmentOf);
    const derive = (output: string, value: pulumi.Output<unknown>): void => {
      const { [output]: mocked } = this as unknown as Readonly<Record<string, pulumi.Output<unknown>>>;
      const derived = mocked === undefined || unitTestMocks() === undefined ? value : orElse(mocked, value);
      Object.assign(this, { [output]: derived });
    };
    for (const output of outputsOf("fromId")) derive(output, segment);
    for (const output of outputsOf("numberFromId")) derive(output, segment.apply(Number));
  }

  /**
   * An output that can be absent, as an output that has a value: `Output<string>` instead of `Output<string | undefined>`.
   * Secret if the output is.
   *
   * Fails if the output is absent, and says why.
   *
   * @param name Name of the output, such as `connectionUri`.
   *
   * @example
   * ```ts
   * const host = staging.requireOutput("connectionUri").apply((uri) => new URL(uri).hostname);
   * ```
   */
  requireOutput<Name extends OptionalOutput<this>>(name: Name): RequiredOutput<this[Name]> {
    // Every instance has a description, set by the constructor.
    const { described = "The resource", absences = {} } = descriptions.get(this) ?? {};
    return requiredOutput(this, name, described, absences) as RequiredOutput<this[Name]>;
  }

  /** Reads an existing object without managing it. Its id holds arguments; the provider reads the other outputs. */
  protected static existing<Instance>(
    Class: new (name: string, args: never, opts: pulumi.CustomResourceOptions) => Instance,
    { id: names, outputs }: ResourceDefinition,
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts: pulumi.CustomResourceOptions | undefined,
  ): Instance {
    const args = names.filter((one) => outputs[one] === "plain");
    if (args.length === 0) return new Class(name, {} as never, { ...opts, id });
    const segment = segmentsOf(id, names.map((one) => `<${one}>`).join("/"));
    const values = Object.fromEntries(args.map((one) => [one, segment(names.indexOf(one))]));
    return new Class(name, values as never, { ...opts, id });
  }

  /** Whether a value is a resource of that kind, also one created by another copy of this package. */
  protected static isOfKind(value: unknown, kind: ServedName): boolean {
    return Object.values(typeTokens(kind)).some((token) => isOfType(value, token));
  }
}

/**
 * Whether a value has this type token. Nothing else is checked, because policies pass objects that have only the type
 * token, and other copies of this package have other classes.
 */
export function isOfType(value: unknown, token: string): boolean {
  return (value as { readonly __pulumiType?: unknown } | null | undefined)?.__pulumiType === token;
}

/** Aliases for the current and former URNs of a resource, with the type token of the other door. */
function otherDoorAliases(kind: ServedName, { aliases = [] }: pulumi.CustomResourceOptions) {
  const { dynamic, plugin } = typeTokens(kind);
  const [own, type] = doorOf(kind) === "dynamic" ? [dynamic, plugin] : [plugin, dynamic];
  const former = aliases.map((alias) =>
    pulumi
      .output(alias)
      .apply((one) => (typeof one === "string" ? one.replace(`${own}::`, `${type}::`) : { type, ...one })),
  );
  return [{ type }, ...former];
}

/** The inputs that only a dynamic provider needs: its code, and data that its protocol does not pass. */
function dynamicInputs(
  kind: ServedName,
  name: string,
  args: object | undefined,
  opts: pulumi.CustomResourceOptions,
  carrying: readonly string[],
  unstored: readonly string[],
): pulumi.Inputs {
  if (opts.import !== undefined) {
    throw runError(
      `${kind} "${name}": the resource option \`import\` is not supported by dynamic providers. To manage an existing object, declare \`adopt: "<its id>"\` in the arguments, or locate the provider plugin in Pulumi.yaml, which supports it.`,
    );
  }
  assertInstalled(`${kind} "${name}"`);
  const used = providerFor(typeToken(kind), opts);
  const inState: HiddenArguments = {
    urn: withoutDependencies(pulumi.createUrn(name, typeToken(kind), opts.parent)),
    timeouts: opts.customTimeouts && declaredTimeouts(opts.customTimeouts),
    provider: ownKeyOf(used),
  };
  const unknown = unknownArguments(args);
  const secretOutputs = [...carrying, ...(opts.additionalSecretOutputs ?? [])];
  const forCheck: HiddenArguments = {
    isRetained: opts.retainOnDelete === true ? true : undefined,
    isProtected: opts.protect === true ? true : undefined,
    organization: organization(),
    unusedProviders: unusedProviders(used),
    lost: unknown.then(({ lost }) => lost),
    secretOutputs: secretOutputs.length > 0 ? secretOutputs : undefined,
    unknownInputs: unknown.then(({ unknownInputs }) => unknownInputs),
    secretMembers: unstored.length > 0 ? secretMembers(args, unstored) : undefined,
  };
  // `get` skips `check`, which removes the members of `forCheck`. They would stay in the state.
  return { __provider: providerText(kind), __neon: opts.id === undefined ? { ...inState, ...forCheck } : inState };
}

type HiddenArguments = { readonly [Name in keyof HiddenInputs]: pulumi.Input<HiddenInputs[Name]> };

/**
 * The value of an output without its dependencies. A resource's URN in a component depends on the component and so on
 * everything in it. As an input, the URN would make the resource wait for itself.
 */
function withoutDependencies<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => output.apply((value) => resolve(value)));
}

/** The stack's Pulumi organization, by which the provider distinguishes stacks with the same URNs. */
function organization(): string | undefined {
  try {
    const name = pulumi.getOrganization();
    // Backends without organizations use this name.
    return name === "organization" ? undefined : name;
  } catch {
    // Fails if Pulumi does not run this program.
    return undefined;
  }
}

/** The value that a unit test's mock returns for an output, or else the one derived from the mock's id. */
function orElse(mocked: pulumi.Output<unknown>, derived: pulumi.Output<unknown>): pulumi.Output<unknown> {
  const { isKnown } = internals(mocked);
  return pulumi.output(
    isKnown.then((is) =>
      is ? pulumi.all([mocked, derived]).apply(([given, other]: unknown[]) => given ?? other) : derived,
    ),
  );
}

/**
 * Fails if a timeout is not a duration, before anything is registered. Otherwise, the engine would refuse the
 * registration. That does not end an inline program, so the resource would count as removed and be deleted.
 */
function assertTimeouts(described: string, custom: pulumi.CustomTimeouts = {}): void {
  for (const [verb, text] of Object.entries(declaredTimeouts(custom))) {
    if (typeof text !== "string" || milliseconds(text) === undefined) {
      throw runError(`${described}: customTimeouts.${verb} ${durationForm}, not ${JSON.stringify(text)}.`);
    }
  }
}

function declaredTimeouts(custom: pulumi.CustomTimeouts): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(custom).filter(([, text]) => text !== undefined));
}

/** Whether the value at a path of arguments, or a value around it, is an output or a promise. */
function isGivenAsOutput(args: unknown, [name, ...rest]: readonly string[]): boolean {
  if (pulumi.Output.isInstance(args) || args instanceof Promise) return true;
  if (name === undefined || typeof args !== "object" || args === null) return false;
  return isGivenAsOutput((args as Readonly<Record<string, unknown>>)[name], rest);
}
