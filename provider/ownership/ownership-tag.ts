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

export function tagText({ stack = noStack, urnHash, creationId }: OwnershipTag): string {
  return `${stack}.${urnHash}.${creationId}`;
}

/** A stored tag, if it has the form of one. */
export function parseTag(text: string | undefined): OwnershipTag | undefined {
  const [stack, urnHash, creationId, ...rest] = (text ?? "").split(".");
  if (!stack || !urnHash || !creationId || rest.length > 0) return undefined;
  return { stack: stack === noStack ? undefined : stack, urnHash, creationId };
}
