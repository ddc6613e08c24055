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

/** Other kinds have no name of their own. */
export const named: Kinds = ({ isNamed }) => isNamed;

/** Nothing of other kinds can be changed in place. */
export const changeable: Kinds = (_, { definition }) => definition.update !== undefined;

/** Other kinds are not deleted with a project. Its keys are revoked only when it can no longer be recovered. */
export const inProject: Kinds = ({ path }) => path.startsWith("/projects/:projectId/");

/** The platform never takes the same object of other kinds again. */
export const repeatable: Kinds = ({ once }) => !once;

/** The text of an explicit provider with the key of this account, in the variable `explicit`. */
export function explicitProvider(whose: "OWNER" | "STRANGER"): string {
  return `const explicit = new neon.Provider("explicit", { apiKey: pulumi.secret(process.env.KEY_OF_${whose}) });\n`;
}
