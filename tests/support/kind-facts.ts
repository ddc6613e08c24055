import type { Values } from "./provider-server";
import type { Stage } from "./stage";

/** What refactorings depend on in a kind, according to the published document. */
export interface KindFacts {
  /** The path of the object in an account, with the outputs that it contains. */
  readonly path: string;
  /**
   * What happens when an object with the same declaration is created a second time: the platform creates another object,
   * refuses, or changes the existing object.
   */
  readonly twice: "another" | "refused" | "the same";
  /** Whether the name is the logical name where the program declares none. */
  readonly isNamed: boolean;
  /** Whether its secret is returned once only, so that an orphan is of no use. */
  readonly secretOnce: boolean;
  /** Whether a deleted object can never be created again. */
  readonly once: boolean;
  /** Whether `adopt: true` finds it. */
  readonly isAdoptedByName: boolean;
  /** A declaration of another object next to this one. */
  readonly another: (declared: Values, stage: Stage) => Values | Promise<Values>;
}

/** What holds of most kinds. */
export const usualFacts = {
  twice: "refused",
  isNamed: true,
  secretOnce: false,
  once: false,
  isAdoptedByName: true,
  another: (declared: Values, stage: Stage) => ({ ...declared, name: stage.name("other") }),
} as const;

/** What holds of keys of an organization. */
export const keyFacts = {
  ...usualFacts,
  path: "/organizations/:orgId/api_keys/:keyId",
  twice: "another",
  secretOnce: true,
  isAdoptedByName: false,
} as const;
