import * as pulumi from "@pulumi/pulumi";

import { messageOf } from "../api/errors";
import { type ConfiguredSettings, type Lookup, lookupFor } from "./configured-settings";
import { Provider } from "./provider";
import { failure } from "./run-error";

/** Whose account a lookup asks. Default: the stack's configuration. */
export interface LookupOptions {
  /** The account to ask. */
  readonly provider?: Provider;
  /** Asks the account of this resource or component, unless `provider` is given. */
  readonly parent?: pulumi.Resource;
}

/** Arguments that may be outputs of resources. */
export type Inputs<Args> = { readonly [Key in keyof Args]: pulumi.Input<Args[Key]> };

/** Runs a lookup in the program's own process. Its errors are shown to the user without a stack. */
export async function look<Result>(
  options: LookupOptions | undefined,
  ask: (lookup: Lookup) => Promise<Result>,
): Promise<Result> {
  const settings = await ownSettings(options);
  const lookup = lookupFor(settings);
  try {
    return await ask(lookup);
  } catch (error) {
    throw pulumi.RunError.isInstance(error) ? error : failure(messageOf(error));
  }
}

/**
 * The same for arguments that are outputs: waits for them, and for the account, to be known. In a preview, what is asked
 * of a resource that is yet to be made, or renamed, is not known yet, even where all arguments are.
 */
export function lookOutput<Args extends object, Result>(
  args: Inputs<Args>,
  options: LookupOptions | undefined,
  lookup: (args: Args, options: LookupOptions | undefined) => Promise<Result>,
): pulumi.Output<Result> {
  const provider = providerOf(options);
  // Waits for the account to be known, without making everything that it is asked as secret as its key.
  const ready = provider === undefined ? undefined : pulumi.unsecret(provider.settings).apply(() => undefined);
  const asked = pulumi.output(args);
  const about = resourcesOf(asked);
  const there = pulumi.output(about.then((resources) => resources.map(({ id }) => id)));
  return pulumi.all([asked, ready, there]).apply(([known]) =>
    lookup(known as Args, options).catch(async (error: unknown) => {
      // The name may be the one that the resource is to be given: as yet there is nothing of it.
      if (pulumi.runtime.isDryRun() && (await areSomeToChange(await about))) return pulumi.unknown as unknown as Result;
      throw error;
    }),
  );
}

/** Not in the SDK's types, but part of every output. */
interface OutputInside {
  /** Whether there is a value already. */
  readonly isKnown: Promise<boolean>;
  /** What the value comes from. */
  readonly allResources: () => Promise<Set<pulumi.Resource>>;
}

function inside(output: pulumi.Output<unknown>): OutputInside {
  return output as unknown as OutputInside;
}

async function resourcesOf(output: pulumi.Output<unknown>): Promise<pulumi.CustomResource[]> {
  const all = [...(await inside(output).allResources())];
  return all.filter((one): one is pulumi.CustomResource => pulumi.CustomResource.isInstance(one));
}

/** Whether a preview foresees a change of one of them: what the platform tells of it is not known then. */
async function areSomeToChange(resources: readonly pulumi.CustomResource[]): Promise<boolean> {
  for (const resource of resources) {
    const { createdAt } = resource as { readonly createdAt?: unknown };
    if (pulumi.Output.isInstance(createdAt) && !(await inside(createdAt).isKnown)) return true;
  }
  return false;
}

function providerOf({ provider, parent }: LookupOptions = {}): Provider | undefined {
  if (provider !== undefined && !Provider.isInstance(provider)) {
    throw failure("The option `provider` of a lookup takes a `neon.Provider`.");
  }
  const inherited = parent?.getProvider("pulumi-nodejs:dynamic:Resource");
  return provider ?? (Provider.isInstance(inherited) ? inherited : undefined);
}

async function ownSettings(options: LookupOptions | undefined): Promise<ConfiguredSettings | undefined> {
  const settings = providerOf(options)?.settings;
  if (settings === undefined) return undefined;
  if (!(await inside(settings).isKnown)) {
    throw failure(
      "The settings of this provider are not known yet: use the lookup's `…Output` form, which waits for them.",
    );
  }
  return new Promise((resolve) => settings.apply(resolve as (value: unknown) => void));
}
