import * as pulumi from "@pulumi/pulumi";

import type { PlatformClient } from "../api/client";
import { messageOf } from "../api/errors";
import { Provider } from "./provider";
import { clientFor, orgIdFor, type ConfiguredSettings } from "./settings";

/** Whose account a lookup asks. Default: the stack's configuration. */
export interface LookupOptions {
  /** The account to ask. */
  readonly provider?: pulumi.ProviderResource;
  /** Asks the account of this resource or component, unless `provider` is given. */
  readonly parent?: pulumi.Resource;
}

/** Arguments that may be outputs of resources. */
export type Inputs<Args> = { readonly [Key in keyof Args]: pulumi.Input<Args[Key]> };

/** What a lookup works with. */
export interface Lookup {
  readonly client: PlatformClient;
  /** Organization to ask about when the arguments name none. */
  readonly orgId: string | undefined;
}

/** Runs a lookup in the program's own process. Its errors are shown to the user without a stack. */
export async function look<Result>(
  options: LookupOptions | undefined,
  ask: (lookup: Lookup) => Promise<Result>,
): Promise<Result> {
  const settings = await ownSettings(options);
  const client = clientFor(settings);
  try {
    return await ask({ client, orgId: orgIdFor(settings) });
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
  const ready = provider === undefined ? undefined : provider.settings;
  return pulumi.all([pulumi.output(args), ready]).apply(([known]) => lookup(known as Args, options));
}

function providerOf({ provider, parent }: LookupOptions = {}): Provider | undefined {
  const found = provider ?? parent?.getProvider("pulumi-nodejs:dynamic:Resource");
  return Provider.isInstance(found) ? found : undefined;
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
