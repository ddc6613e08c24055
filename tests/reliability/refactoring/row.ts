import type { KindFacts } from "../../support/kind-facts";
import type { Sample } from "../../support/sample";
import type { Scene } from "./scene";

/** Something that people do to an existing program or stack. Afterwards, everything is settled: see {@link Scene.settle}. */
export interface Row {
  /** The kinds for which it makes sense. Default: all. */
  readonly only?: Kinds;
  readonly carryOut: (scene: Scene) => Promise<void>;
}

/** Refactorings by their titles. */
export type Rows = Readonly<Record<string, Row["carryOut"] | Row>>;

type Kinds = (facts: KindFacts, sample: Sample) => boolean;

/** Kinds with a name. */
export const named: Kinds = ({ isNamed }) => isNamed;

/** Kinds with inputs that can be changed in place. */
export const changeable: Kinds = (_, { definition }) => definition.update !== undefined;

/** Kinds that are deleted with a project. Its keys are not: they are revoked only when it can no longer be recovered. */
export const inProject: Kinds = ({ path }) => path.startsWith("/projects/:projectId/");

/** Kinds whose object can be created again after a deletion. */
export const repeatable: Kinds = ({ once }) => !once;

/** The text of an explicit provider with the key of this account, in the variable `explicit`. */
export function explicitProvider(whose: "OWNER" | "STRANGER"): string {
  return `const explicit = new neon.Provider("explicit", { apiKey: pulumi.secret(process.env.KEY_OF_${whose}) });\n`;
}
