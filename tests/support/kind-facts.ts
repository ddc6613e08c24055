import type { Values } from "./provider-server";
import type { Stage } from "./stage";

/** The facts about a kind on which refactorings depend, according to the published document. */
export interface KindFacts {
  /** The path of the object in an account, with the outputs that it contains. */
  readonly path: string;
  /**
   * The result of a second creation with the same declaration: the platform creates another object,
   * refuses, or changes the existing object.
   */
  readonly twice: "another" | "refused" | "the same";
  /** Whether the logical name is the default of the name. */
  readonly isNamed: boolean;
  /** Whether the secret is returned only once, so that an orphan is of no use. */
  readonly secretOnce: boolean;
  /** Whether a deleted object can never be created again. */
  readonly once: boolean;
  /** Whether `adopt: true` finds the object. */
  readonly isAdoptedByName: boolean;
  /** A declaration of another object next to this one. */
  readonly another: (declared: Values, stage: Stage) => Values | Promise<Values>;
}

/** The facts about most kinds. */
export const usualFacts = {
  twice: "refused",
  isNamed: true,
  secretOnce: false,
  once: false,
  isAdoptedByName: true,
  another: (declared: Values, stage: Stage) => ({ ...declared, name: stage.name("other") }),
} as const;

/** The facts about keys of an organization. */
export const keyFacts = {
  ...usualFacts,
  path: "/organizations/:orgId/api_keys/:keyId",
  twice: "another",
  secretOnce: true,
  isAdoptedByName: false,
} as const;
