import { hashOf, newId } from "./ids";

/**
 * The tag that an object carries, if the platform stores annotations of it. The tag tells what made the object, for
 * messages and for the choice between a warning and an error. It is never the reason to take an object.
 */
export interface OwnershipTag {
  /** A hash of the stack, if it is certain which stack that is. */
  readonly stack: string | undefined;
  /**
   * A hash of the resource's URN. Stacks of colleagues, on other backends and with former names can have the same one.
   */
  readonly urnHash: string;
  /** The random id of this creation alone. It finds an object after a lost response. */
  readonly creationId: string;
}

/** Stands for a stack that is not known for certain. */
const noStack = "-";

/** @param stack a hash of the resource's stack, if it is certain which stack that is */
export function newTag(urn: string, stack: string | undefined): OwnershipTag {
  return { stack, urnHash: hashOfUrn(urn), creationId: newId() };
}

/** Hashes a URN, which must stay private. A dynamic resource and the same resource of the plugin have the same hash. */
function hashOfUrn(urn: string): string {
  return hashOf(urn.replaceAll("pulumi-nodejs:dynamic/neon:", "neon:index:"));
}

/** Whether a tag names a resource with this URN. */
export function isOfUrn({ urnHash }: OwnershipTag, urn: string): boolean {
  return urnHash === hashOfUrn(urn);
}

/**
 * The URNs that a resource can have had before the program renamed it or moved it into or out of a component.
 *
 * @param others the URNs of other resources, whose parents may have been its own
 * @param objectName the name of its object, which programs often use as the logical name, too
 */
export function* formerUrns(urn: string, others: Iterable<string>, objectName: unknown): Generator<string> {
  const { stack, project, parents, type, name: logicalName } = urnParts(urn);
  const enclosing = parents.map((_, length) => parents.slice(0, length));
  const chains = [...enclosing, [], parents, ...[...others].map((other) => urnParts(other).parents)];
  for (const chain of new Set(chains.map((chain) => [...chain, type].join("$")))) {
    for (const name of new Set([logicalName, String(objectName)])) yield [stack, project, chain, name].join("::");
  }
}

interface UrnParts {
  readonly stack: string;
  readonly project: string;
  /** The types of its parents. */
  readonly parents: readonly string[];
  readonly type: string;
  readonly name: string;
}

function urnParts(urn: string): UrnParts {
  const [stack = "", project = "", chain = "", ...name] = urn.split("::");
  const parents = chain.split("$");
  const type = parents.pop() ?? "";
  return { stack, project, parents, type, name: name.join("::") };
}

export function tagText({ stack = noStack, urnHash, creationId }: OwnershipTag): string {
  return `${stack}.${urnHash}.${creationId}`;
}

/** Parses a stored tag. Undefined if the text has another form. */
export function parseTag(text: string | undefined): OwnershipTag | undefined {
  const [stack, urnHash, creationId, ...rest] = (text ?? "").split(".");
  if (!stack || !urnHash || !creationId || rest.length > 0) return undefined;
  return { stack: stack === noStack ? undefined : stack, urnHash, creationId };
}
