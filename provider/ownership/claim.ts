import { z } from "zod";

/** One object of a kind, within a service. Ids alone can coincide: a role and a database may have the same. */
export interface ObjectKey {
  readonly kind: string;
  /** As it stands in the state. */
  readonly id: string;
}

/** The creation or adoption by which a resource has its object. It tells the holders of one object apart. */
export const originShape = {
  /** The id of the creation of the object, if this stack has created it. */
  creationId: z.string().optional(),
  /** Tells the adoption of the object from any other one, if this stack has adopted it. */
  adoptionId: z.string().optional(),
};
export type Origin = Readonly<z.infer<z.ZodObject<typeof originShape>>>;

/** The id of an origin. Undefined while the resource has no object. */
export function originOf({ creationId, adoptionId }: Origin): string | undefined {
  return creationId ?? adoptionId;
}

/**
 * How a resource of this run has an object.
 *
 * - `wanted`: it is to be adopted, if it is there;
 * - `managed`: as its own state;
 * - `adopted`: as its own state, adopted in this run;
 * - `part`: as a part of its own object, such as the compute of a branch;
 * - `former`: as a part that the program no longer declares, and that the resource's update deletes.
 *
 * A resource that only reads an object (`get`) has no claim to it.
 */
export type ClaimType = "wanted" | "managed" | "adopted" | "part" | "former";
/** What the holder of a claim keeps when the run has ended. */
export type KeptType = Exclude<ClaimType, "former">;

/** A resource's claim to an object. */
export interface Claim extends ObjectKey {
  /** Tells the service from others: each one numbers its API keys by itself. */
  readonly service: string;
  readonly urn: string;
  /** The id of the origin, because a URN can change by an alias. Undefined while the resource has none in the state. */
  readonly origin: string | undefined;
  readonly as: ClaimType;
}
/** A claim to an object that is there when the run has ended. */
export type KeptClaim = Claim & { readonly as: KeptType };

/** A resource as messages name it, such as `Branch "pr-42"`. */
export function titleOf(urn: string): string {
  const [type = "", ...name] = urn.split("::").slice(2);
  return `${type.slice(type.lastIndexOf(":") + 1)} "${name.join("::")}"`;
}
