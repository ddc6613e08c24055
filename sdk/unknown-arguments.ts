import * as pulumi from "@pulumi/pulumi";

import type { HiddenInputs } from "../provider/pulumi/properties";

/** Members of every output that Pulumi's types do not declare. */
interface OutputInternals {
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  readonly promise: () => Promise<unknown>;
  /** The resources that the output comes from, including those of nested outputs. */
  readonly allResources: () => Promise<ReadonlySet<pulumi.Resource>>;
}

/** The ids of resources that are only read. Whether such a resource changes follows from the source of its id. */
const readIds = new WeakMap<pulumi.Resource, pulumi.Output<unknown>>();

/** Registers that a resource reads the object with this id. */
export function keepReadId(resource: pulumi.Resource, id: pulumi.Input<pulumi.ID>): void {
  readIds.set(resource, pulumi.output(id));
}

/** An output without a value in the arguments of a resource. */
interface UnknownArgument {
  readonly path: readonly string[];
  readonly output: pulumi.Output<unknown>;
}

/**
 * Facts about unknown arguments that the engine does not pass to the provider.
 *
 * In an `up`, `lost` holds their names: they are outputs of a resource that failed or that `--target` excludes. In a
 * preview, `unknownInputs` holds the values whose source resources are not created or replaced, but only change in
 * place. Secret values are left out.
 */
export async function unknownArguments(args: object = {}): Promise<Pick<HiddenInputs, "lost" | "unknownInputs">> {
  // An argument that fails is reported where it is used.
  const members = Object.entries(args).map(([name, value]) => unknownIn(value, [name]).catch(() => []));
  const unknown = (await Promise.all(members)).flat();
  if (unknown.length === 0) return {};
  if (!pulumi.runtime.isDryRun()) return { lost: [...new Set(unknown.map(({ path: [name = ""] }) => name))] };
  const kept = unknown.map(async ({ path, output }) => {
    const urns = (await internals(output).isSecret) ? undefined : await keptSources(output);
    return urns === undefined ? [] : [{ path, urns }];
  });
  const unknownInputs = (await Promise.all(kept)).flat();
  return unknownInputs.length === 0 ? {} : { unknownInputs };
}

/** The paths of the members of these arguments that are secret. */
export async function secretMembers(args: object = {}, names: readonly string[]): Promise<readonly string[]> {
  const found = names.map(async (name) => {
    const all: unknown = (args as Readonly<Record<string, unknown>>)[name];
    const isSecret = async (value: unknown): Promise<boolean> =>
      pulumi.Output.isInstance(value) && (await internals(value).isSecret);
    const areAllSecret = await isSecret(all);
    const value: unknown = pulumi.Output.isInstance(all) ? await internals(all).promise() : await all;
    const members = Object.entries(value ?? {}).map(async ([member, one]) =>
      areAllSecret || (await isSecret(one)) ? [`${name}.${member}`] : [],
    );
    return (await Promise.all(members)).flat();
  });
  // An argument that fails is reported where it is used.
  return (await Promise.all(found.map((one) => one.catch(() => [])))).flat();
}

async function unknownIn(value: unknown, path: readonly string[]): Promise<readonly UnknownArgument[]> {
  if (pulumi.Output.isInstance(value)) {
    const { isKnown, promise } = internals(value);
    return (await isKnown) ? unknownIn(await promise(), path) : [{ path, output: value }];
  }
  if (value instanceof Promise) return unknownIn(await value, path);
  if (!isPlain(value)) return [];
  const members = Object.entries(value).map(([name, member]) => unknownIn(member, [...path, name]));
  return (await Promise.all(members)).flat();
}

/** The URNs of the resources that an output comes from. Undefined if this preview creates or replaces one of them. */
async function keptSources(output: pulumi.Output<unknown>): Promise<readonly string[] | undefined> {
  const found = await Promise.all([...(await internals(output).allResources())].map(keptUrns));
  return found.every((urns) => urns !== undefined) ? [...new Set(found.flat())] : undefined;
}

async function keptUrns(resource: pulumi.Resource): Promise<readonly string[] | undefined> {
  const readId = readIds.get(resource);
  if (readId !== undefined) return keptSources(readId);
  // Only resources that will be created or replaced have no id yet.
  if (!pulumi.CustomResource.isInstance(resource) || !(await internals(resource.id).isKnown)) return undefined;
  return [String(await internals(resource.urn).promise())];
}

/** Gives access to the members of an output that its type does not declare. */
export function internals(output: pulumi.Output<unknown>): OutputInternals {
  return output as unknown as OutputInternals;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
