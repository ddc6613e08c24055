import { z } from "zod";

/** An object of a kind, within a service. Ids alone are not unique: a role and a database can have the same one. */
export interface ObjectKey {
  readonly kind: string;
  /** The id in the state. */
  readonly id: string;
}

/** The creation or adoption that gave a resource its object. It tells the holders of one object apart. */
export const originShape = {
  /** The id of the creation of the object, if this stack has created it. */
  creationId: z.string().optional(),
  /** The id of this adoption of the object, if this stack has adopted it. */
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
 * - `wanted`: it adopts the object later, if that exists;
 * - `managed`: the object is in its state;
 * - `adopted`: the object is in its state, adopted in this run;
 * - `part`: the object is a part of its own object, such as the compute of a branch;
 * - `former`: the object is a part that the program no longer declares and that the resource's update deletes.
 *
 * A resource that only reads an object (`get`) has no claim to it.
 */
export type ClaimType = "wanted" | "managed" | "adopted" | "part" | "former";
/** The types of claims whose object still exists after the run. */
export type KeptType = Exclude<ClaimType, "former">;

/** A resource's claim to an object. */
export interface Claim extends ObjectKey {
  /** The service, because each one numbers its API keys separately. */
  readonly service: string;
  readonly urn: string;
  /**
   * The id of the origin. It is needed because an alias can change the URN. Undefined while the resource has no object
   * in the state.
   */
  readonly origin: string | undefined;
  readonly as: ClaimType;
}
/** A claim whose object still exists after the run. */
export type KeptClaim = Claim & { readonly as: KeptType };

/** The name of a resource in messages, such as `Branch "pr-42"`. */
export function titleOf(urn: string): string {
  const [type = "", ...name] = urn.split("::").slice(2);
  return `${type.slice(type.lastIndexOf(":") + 1)} "${name.join("::")}"`;
}
