import { hashOf, newId } from "./ids";

/**
 * The tag that an object carries where the platform stores annotations. It tells what has made the object, for messages and for
 * the decision between a warning and an error. It never decides that an object is taken.
 */
export interface OwnershipTag {
  /** A hash of the stack, where that is certainly one stack. */
  readonly stack: string | undefined;
  /** A hash of the resource's URN. Stacks of colleagues, other backends and renamed stacks can have the same. */
  readonly urnHash: string;
  /** The random id of this creation alone: it finds an object whose response was lost. */
  readonly creationId: string;
}

/** Stands for a stack that is not certainly one. */
const noStack = "-";

/** @param stack a hash of the resource's stack, if that is certainly one */
export function newTag(urn: string, stack: string | undefined): OwnershipTag {
  return { stack, urnHash: hashOfUrn(urn), creationId: newId() };
}

/** The hash of a URN, which stays private. It is the same for a dynamic resource and one of the plugin. */
function hashOfUrn(urn: string): string {
  return hashOf(urn.replaceAll("pulumi-nodejs:dynamic/neon:", "neon:index:"));
}

/** Whether a tag is that of a resource with this URN. */
export function isOfUrn({ urnHash }: OwnershipTag, urn: string): boolean {
  return urnHash === hashOfUrn(urn);
}

/**
 * The URNs that a resource can have had before the program moved it into a component or out of one, or gave it another name.
 *
 * @param others the URNs of other resources, whose parents can have been its own
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
  /** The types of the resources that it is in. */
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

/** A stored tag, if it has the form of one. */
export function parseTag(text: string | undefined): OwnershipTag | undefined {
  const [stack, urnHash, creationId, ...rest] = (text ?? "").split(".");
  if (!stack || !urnHash || !creationId || rest.length > 0) return undefined;
  return { stack: stack === noStack ? undefined : stack, urnHash, creationId };
}
