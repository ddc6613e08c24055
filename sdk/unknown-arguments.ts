import * as pulumi from "@pulumi/pulumi";

import type { UnknownInput } from "../provider/pulumi/kept-outputs";

/** Members of every output that Pulumi's types do not declare. */
interface OutputInternals {
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  readonly promise: () => Promise<unknown>;
  /** The resources that it comes from, those of outputs inside it included. */
  readonly allResources: () => Promise<ReadonlySet<pulumi.Resource>>;
}

/** The ids of resources that are only read: what is known of one follows from where its id comes from. */
const readIds = new WeakMap<pulumi.Resource, pulumi.Output<unknown>>();

/** Registers that a resource reads the object with this id. */
export function keepReadId(resource: pulumi.Resource, id: pulumi.Input<pulumi.ID>): void {
  readIds.set(resource, pulumi.output(id));
}

/**
 * The arguments with a value that is not known in an `up`, if there are any: that of a resource that failed, or that `--target`
 * leaves out. The engine does not pass it on.
 */
export async function lostArguments(args: object | undefined): Promise<readonly string[] | undefined> {
  if (pulumi.runtime.isDryRun()) return undefined;
  const isKnown = (value: unknown): Promise<boolean> => {
    if (typeof value !== "object" || value === null) return Promise.resolve(true);
    // An argument that fails is reported where it is used.
    return internals(pulumi.output(value)).isKnown.catch(() => true);
  };
  const entries = Object.entries(args ?? {});
  const are = await Promise.all(entries.map(([, value]) => isKnown(value)));
  const names = entries.flatMap(([name], index) => (are[index] === true ? [] : [name]));
  return names.length === 0 ? undefined : names;
}

/**
 * The values that this preview does not know although every resource they come from stays what it is: it only changes in
 * place. Not those that are secret.
 */
export async function unknownInputs(args: object | undefined): Promise<readonly UnknownInput[] | undefined> {
  // An argument that fails is reported where it is used.
  const found = pulumi.runtime.isDryRun() ? await unknownIn(args, []).catch(() => []) : [];
  return found.length === 0 ? undefined : found;
}

async function unknownIn(value: unknown, path: readonly string[]): Promise<readonly UnknownInput[]> {
  if (pulumi.Output.isInstance(value)) {
    const { isKnown, isSecret } = internals(value);
    if ((await isKnown) || (await isSecret)) return [];
    const urns = await keptSources(value);
    return urns === undefined ? [] : [{ path, urns }];
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
  // Only a resource that is created or replaced has no id yet.
  if (!pulumi.CustomResource.isInstance(resource) || !(await internals(resource.id).isKnown)) return undefined;
  return [String(await internals(resource.urn).promise())];
}

/** The members of an output that its type does not declare. */
export function internals(output: pulumi.Output<unknown>): OutputInternals {
  return output as unknown as OutputInternals;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
