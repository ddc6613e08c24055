import * as pulumi from "@pulumi/pulumi";

import { messageOf } from "../api/errors";
import { Provider } from "./provider";
import { lookupFor, type ConfiguredSettings, type Lookup } from "./settings";

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
    throw pulumi.RunError.isInstance(error) ? error : new pulumi.RunError(messageOf(error));
  }
}

/** The same for arguments that are outputs: waits for them, and for the account, to be known. */
export function lookOutput<Args extends object, Result>(
  args: Inputs<Args>,
  options: LookupOptions | undefined,
  lookup: (args: Args, options: LookupOptions | undefined) => Promise<Result>,
): pulumi.Output<Result> {
  const provider = providerOf(options);
  // Waits for the account to be known, without making everything that it is asked as secret as its key.
  const ready = provider === undefined ? undefined : pulumi.unsecret(provider.settings).apply(() => undefined);
  return pulumi.all([pulumi.output(args), ready]).apply(([known]) => lookup(known as Args, options));
}

function providerOf({ provider, parent }: LookupOptions = {}): Provider | undefined {
  if (provider !== undefined && !Provider.isInstance(provider)) {
    throw new pulumi.RunError("The option `provider` of a lookup takes a `neon.Provider`.");
  }
  const inherited = parent?.getProvider("pulumi-nodejs:dynamic:Resource");
  return provider ?? (Provider.isInstance(inherited) ? inherited : undefined);
}

async function ownSettings(options: LookupOptions | undefined): Promise<ConfiguredSettings | undefined> {
  const settings = providerOf(options)?.settings;
  if (settings === undefined) return undefined;
  // Not in the SDK's types, but part of every output: whether there is a value already.
  const { isKnown } = settings as unknown as { readonly isKnown: Promise<boolean> };
  if (!(await isKnown)) {
    throw new pulumi.RunError(
      "The settings of this provider are not known yet: use the lookup's `…Output` form, which waits for them.",
    );
  }
  return new Promise((resolve) => settings.apply(resolve as (value: unknown) => void));
}
