import { hashOf, newId } from "./ids";

/** The tag that an object carries where the platform stores annotations: it names the creation of the object. */
export interface OwnershipTag {
  /**
   * A hash of the resource's URN. It proves nothing: colleagues' stacks, second backends, renamed stacks and retained
   * objects can have the same URN. Only messages use it, to say "a resource with this URN".
   */
  readonly urnHash: string;
  /** The random id of this creation alone. */
  readonly creationId: string;
}

/**
 * The hash of a URN. The URN itself stays private.
 *
 * It is the same for a dynamic resource and one of the plugin: a stack can be moved to the other one after a killed run.
 */
export function hashOfUrn(urn: string): string {
  return hashOf(urn.replaceAll("pulumi-nodejs:dynamic/neon:", "neon:index:"));
}

export function newTag(urn: string): OwnershipTag {
  return { urnHash: hashOfUrn(urn), creationId: newId() };
}

export function tagText({ urnHash, creationId }: OwnershipTag): string {
  return `${urnHash}.${creationId}`;
}

/** A stored tag, if it has the form of one. */
export function parseTag(text: string | undefined): OwnershipTag | undefined {
  const [urnHash, creationId, ...rest] = (text ?? "").split(".");
  return urnHash && creationId && rest.length === 0 ? { urnHash, creationId } : undefined;
}
