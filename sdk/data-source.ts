import * as pulumi from "@pulumi/pulumi";

import { asSentence, hasStatus, messageOf, NeonError } from "../api/core/errors";
import type { Lookup, LookupName, lookups } from "../api/lookups";
import { setOrganization } from "../provider/settings/client-settings";
import { keySource, type KeySource, replaceKey } from "../provider/settings/key-source";
import { accountFor } from "./account";
import { typeToken } from "./door";
import { lateApi } from "./late-api";
import type { Inputs, LookupOptions } from "./lookup-options";
import { unitTestMocks } from "./mocks";
import { environmentOf, ownKeyOf, Provider, providerFor } from "./provider";
import { runError } from "./run-error";
import { type ConfiguredSettings, stackSetting } from "./settings";
import type { Same } from "./type-equality";
import { internals } from "./unknown-arguments";

/** The names of the lookups with exactly these arguments and this result. */
type LookupOf<Args, Result> = {
  [Name in LookupName]: (typeof lookups)[Name]["read"] extends (
    account: never,
    args: infer Known,
  ) => Promise<infer Found>
    ? Same<{ args: Args; result: Result }, { args: Known; result: Found }> extends true
      ? Name
      : never
    : never;
}[LookupName];

/**
 * Creates the two forms of a data source, as Pulumi calls them.
 *
 * @param name the lookup to read with. The compiler checks that its schemas match the types of the data source.
 */
export function dataSource<Args extends object, Result>(name: LookupOf<Args, Result>) {
  const loaded = (): Lookup => lateApi.lookups[name];
  /** Direct form: takes plain values and returns a promise. Reads in the program's own process, or calls the mocks. */
  const invoke = async (args: Args, options: LookupOptions | undefined): Promise<Result> => {
    const mocks = unitTestMocks();
    if (mocks !== undefined) return (await callMock(mocks, loaded(), args, options)) as Result;
    const provider = providerOf(options);
    const settings = await settingsOf(provider);
    const account = accountFor(settings, environmentOf(provider));
    try {
      return (await loaded().read(account, args)) as Result;
    } catch (error) {
      const configured = settings === undefined ? stackSetting("apiKey") : settings.apiKey;
      throw runError(withSetting(error, keySource(configured, ownKeyOf(provider), environmentOf(provider))));
    }
  };
  /** Output form: waits until the arguments and the provider's settings are known. */
  const output = (args: Inputs<Args>, options: LookupOptions | undefined): pulumi.Output<Result> => {
    const result = invokeWhenKnown(
      args,
      options,
      () => loaded().reads,
      (known) => invoke(known as Args, options),
    );
    // Pulumi marks whole outputs as secret, not members. The result is also secret if an argument is.
    return loaded().secrets.length > 0 ? (pulumi.secret(result) as pulumi.Output<Result>) : result;
  };
  return { invoke, output };
}

/** Calls the mock of a unit test, with the token and inputs of the plugin's function. */
async function callMock(
  mocks: pulumi.runtime.Mocks,
  lookup: Lookup,
  args: object,
  options: LookupOptions | undefined,
): Promise<unknown> {
  const { name, list } = lookup;
  const problem = lookup.argumentProblem(args);
  if (problem !== undefined) throw runError(problem);
  const token = `neon:index:${name}`;
  const inputs = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  const provider = await pulumi.ProviderResource.register(providerOf(options));
  const result = await mocks.call({ token, inputs, ...(provider === undefined ? {} : { provider }) });
  if (list === undefined || Array.isArray(result)) return result;
  throw runError(`${name} returns a list. The mock \`call\` must return an array for the token ${token}.`);
}

/**
 * Calls a data source when its arguments are known. During a preview, the result is unknown if an argument comes from a
 * resource that will be created, or whose change may change the result.
 *
 * @param reads the kinds of resources whose changes can change the result
 */
function invokeWhenKnown<Result>(
  args: object,
  options: LookupOptions | undefined,
  reads: () => readonly string[],
  invoke: (args: object) => Promise<Result>,
): pulumi.Output<Result> {
  const provider = providerOf(options);
  // Waits for the settings. The API key among them does not make the result secret.
  const settings = provider === undefined ? undefined : pulumi.unsecret(provider.settings).apply(() => undefined);
  const given = pulumi.output(args);
  const dependencies = resourcesOf(given);
  const ids = pulumi.output(dependencies.then((resources) => resources.map(({ id }) => id)));
  return pulumi.all([given, settings, ids]).apply(async ([known]) => {
    const changing = pulumi.runtime.isDryRun() ? await plannedChanges(await dependencies) : [];
    const unknown = pulumi.unknown as unknown as Result;
    if (changing.some((kind) => reads().includes(kind))) return unknown;
    return invoke(known).catch((error: unknown) => {
      // The resource may be about to get a new name, which no object has yet.
      if (changing.length > 0) return unknown;
      throw error;
    });
  });
}

async function resourcesOf(output: pulumi.Output<unknown>): Promise<pulumi.CustomResource[]> {
  const all = [...(await internals(output).allResources())];
  return all.filter((one): one is pulumi.CustomResource => pulumi.CustomResource.isInstance(one));
}

/** The kinds of resources that the preview will change. During the preview, their hidden output has no version. */
async function plannedChanges(resources: readonly pulumi.CustomResource[]): Promise<readonly string[]> {
  if (unitTestMocks() !== undefined) return [];
  const changing: string[] = [];
  for (const resource of resources) {
    const { __neon: hidden, __pulumiType: type } = resource as {
      readonly __neon?: unknown;
      readonly __pulumiType?: string;
    };
    if (!pulumi.Output.isInstance(hidden)) continue;
    const { isKnown, promise } = internals(hidden);
    const state = (await isKnown) ? ((await promise()) as { readonly version?: unknown } | undefined) : undefined;
    if (state?.version === undefined) changing.push(type?.split(":").at(-1) ?? "");
  }
  return changing;
}

function providerOf(options: LookupOptions = {}): Provider | undefined {
  if (options.provider !== undefined && !Provider.isInstance(options.provider)) {
    throw runError("The option `provider` of a data source must be a `neon.Provider`.");
  }
  return providerFor(typeToken("Project"), options);
}

/** The message of an error, with the setting to change. An error that explains its status already says more. */
function withSetting(error: unknown, source: KeySource): string {
  const message = messageOf(error);
  if (hasStatus(error, 401, 403)) return `${asSentence(message)} ${replaceKey(source)}.`;
  const isOrganizationMissing = NeonError.isInstance(error) && error.topic === "missing-organization";
  return isOrganizationMissing ? `${asSentence(message)} ${setOrganization}` : message;
}

async function settingsOf(provider: Provider | undefined): Promise<ConfiguredSettings | undefined> {
  const settings = provider?.settings;
  if (settings === undefined) return undefined;
  if (!(await internals(settings).isKnown)) {
    throw runError(
      "The settings of this provider are not known yet. Use the data source's `…Output` form, which waits for them.",
    );
  }
  return new Promise((resolve) => settings.apply(resolve as (value: unknown) => void));
}
