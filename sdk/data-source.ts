import * as pulumi from "@pulumi/pulumi";

import { HttpError, messageOf } from "../api/errors";
import { type Account, accountFor, type ConfiguredSettings } from "./account";
import { typeToken } from "./door";
import { unitTestMocks } from "./mocks";
import { Provider } from "./provider";
import { runError } from "./run-error";

/**
 * Options of a data source.
 *
 * @example
 * ```ts
 * const other = new neon.Provider("other", { apiKey: config.requireSecret("otherApiKey") });
 * const theirs = neon.getProjectsOutput({}, { provider: other });
 * ```
 */
export interface LookupOptions {
  /** Reads from the account of this provider. Default: the provider of `parent`, or else the stack's configuration. */
  readonly provider?: Provider;
  /** Resource or component whose provider is used if `provider` is omitted. */
  readonly parent?: pulumi.Resource;
}

/**
 * Arguments of a data source's `…Output` form. Each can be an output of a resource.
 *
 * @example
 * ```ts
 * const args: neon.Inputs<neon.GetBranchesArgs> = { projectId: project.id };
 * const branches = neon.getBranchesOutput(args);
 * ```
 */
export type Inputs<Args> = { readonly [Key in keyof Args]: pulumi.Input<Args[Key]> };

/** What a data source requires of its arguments. */
interface Constraints<Name extends string = string> {
  /** The function's name, for error messages and mocks. */
  readonly name: string;
  /** Whether the result is a list. Default: `false`. */
  readonly isList?: boolean;
  /**
   * Arguments that cannot be empty. In JavaScript, or in an output, one can be `undefined` whatever its type is: omitted
   * from the request, it would make Neon return something else.
   */
  readonly required?: readonly Name[];
  /** Two arguments of which exactly one is given. */
  readonly oneOf?: readonly [Name, Name];
  /** Pairs of arguments of which at most one is given. */
  readonly exclusive?: readonly (readonly [Name, Name])[];
}

/** What a data source reads, and how. */
interface Definition<Args, Result> extends Constraints<keyof Args & string> {
  /** What an HTTP status means for this data source. Added to the error message. */
  readonly explanations?: Readonly<Record<number, string>>;
  /** Whether the result is always secret. Default: the `…Output` form is secret if an argument is. */
  readonly isSecret?: boolean;
  readonly read: (account: Account, args: Args) => Promise<Result>;
}

/** Creates the two forms of a data source, as Pulumi calls them. */
export function dataSource<Args extends object, Result>(definition: Definition<Args, Result>) {
  const { explanations = {}, isSecret = false, read } = definition;
  /** Direct form: takes plain values and returns a promise. It reads in the program's own process, or calls the mocks. */
  const invoke = async (args: Args, options: LookupOptions | undefined): Promise<Result> => {
    const mocks = unitTestMocks();
    if (mocks !== undefined) return (await callMock(mocks, definition, args, options)) as Result;
    const account = accountFor(await providerSettings(options));
    try {
      assertArguments(definition, args);
      return await read(account, args);
    } catch (error) {
      if (pulumi.RunError.isInstance(error)) throw error;
      const explanation = HttpError.isInstance(error) ? explanations[error.status] : undefined;
      throw runError([messageOf(error), explanation].filter(Boolean).join(" "));
    }
  };
  /** Output form: waits until the arguments and the provider's settings are known. */
  const output = (args: Inputs<Args>, options: LookupOptions | undefined): pulumi.Output<Result> => {
    const result = invokeWhenKnown(args, options, (known) => invoke(known as Args, options));
    return isSecret ? (pulumi.secret(result) as pulumi.Output<Result>) : result;
  };
  return { invoke, output };
}

/** Calls the mock of a unit test, with what a provider plugin's function would be called with. */
async function callMock(
  mocks: pulumi.runtime.Mocks,
  constraints: Constraints,
  args: object,
  options: LookupOptions | undefined,
): Promise<unknown> {
  assertArguments(constraints, args);
  const token = `neon:index:${constraints.name}`;
  const inputs = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  const provider = await pulumi.ProviderResource.register(providerOf(options));
  const result = await mocks.call({ token, inputs, ...(provider === undefined ? {} : { provider }) });
  if (constraints.isList !== true || Array.isArray(result)) return result;
  throw runError(`${constraints.name} returns a list. The mock \`call\` must return an array for the token ${token}.`);
}

/**
 * Calls a data source when its arguments are known. During a preview, the result is unknown if an argument comes from a
 * resource that does not exist yet or is about to change, even if the argument itself is known.
 */
function invokeWhenKnown<Result>(
  args: object,
  options: LookupOptions | undefined,
  invoke: (args: object) => Promise<Result>,
): pulumi.Output<Result> {
  const provider = providerOf(options);
  // Waits for the settings. The API key among them does not make the result secret.
  const settings = provider === undefined ? undefined : pulumi.unsecret(provider.settings).apply(() => undefined);
  const given = pulumi.output(args);
  const dependencies = resourcesOf(given);
  const ids = pulumi.output(dependencies.then((resources) => resources.map(({ id }) => id)));
  return pulumi.all([given, settings, ids]).apply(([known]) =>
    invoke(known).catch(async (error: unknown) => {
      // The name can be one that the resource is about to get: no object has it yet.
      if (pulumi.runtime.isDryRun() && (await isChangePlanned(await dependencies))) {
        return pulumi.unknown as unknown as Result;
      }
      throw error;
    }),
  );
}

/** Members of every output that Pulumi's types do not declare. */
interface OutputInternals {
  readonly isKnown: Promise<boolean>;
  /** The resources that the value depends on. */
  readonly allResources: () => Promise<Set<pulumi.Resource>>;
}

function internalsOf(output: pulumi.Output<unknown>): OutputInternals {
  return output as unknown as OutputInternals;
}

async function resourcesOf(output: pulumi.Output<unknown>): Promise<pulumi.CustomResource[]> {
  const all = [...(await internalsOf(output).allResources())];
  return all.filter((one): one is pulumi.CustomResource => pulumi.CustomResource.isInstance(one));
}

/** Whether the preview plans a change of one of these resources: their outputs, except their ids, are unknown then. */
async function isChangePlanned(resources: readonly pulumi.CustomResource[]): Promise<boolean> {
  for (const resource of resources) {
    const { createdAt } = resource as { readonly createdAt?: unknown };
    if (pulumi.Output.isInstance(createdAt) && !(await internalsOf(createdAt).isKnown)) return true;
  }
  return false;
}

function providerOf({ provider, parent }: LookupOptions = {}): Provider | undefined {
  if (provider !== undefined && !Provider.isInstance(provider)) {
    throw runError("The option `provider` of a data source must be a `neon.Provider`.");
  }
  const inherited = parent?.getProvider(typeToken("Project"));
  return provider ?? (Provider.isInstance(inherited) ? inherited : undefined);
}

async function providerSettings(options: LookupOptions | undefined): Promise<ConfiguredSettings | undefined> {
  const settings = providerOf(options)?.settings;
  if (settings === undefined) return undefined;
  if (!(await internalsOf(settings).isKnown)) {
    throw runError(
      "The settings of this provider are not known yet. Use the data source's `…Output` form, which waits for them.",
    );
  }
  return new Promise((resolve) => settings.apply(resolve as (value: unknown) => void));
}

function assertArguments({ name, required = [], oneOf, exclusive = [] }: Constraints, given: object): void {
  const args = given as Readonly<Record<string, unknown>>;
  for (const argument of required) {
    const value = args[argument];
    if (typeof value !== "string" || value === "") throw runError(`${name} needs \`${argument}\`.`);
  }
  const isGiven = (argument: string): boolean => args[argument] !== undefined;
  if (oneOf !== undefined && oneOf.filter(isGiven).length !== 1) {
    throw runError(`${name} takes either \`${oneOf[0]}\` or \`${oneOf[1]}\`.`);
  }
  for (const pair of exclusive) {
    if (pair.every(isGiven)) throw runError(`${name} takes either \`${pair[0]}\` or \`${pair[1]}\`, not both.`);
  }
}
