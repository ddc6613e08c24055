import type { Sample } from "../../support/sample";
import type { KindFacts } from "../../support/kind-facts";
import type { Scene } from "./scene";

/** What is done, and what each step may do. Then everything is settled: see {@link Scene.settle}. */
export type Steps = (scene: Scene) => Promise<void>;

/** Something that people do to an existing program or stack. */
export interface Refactoring {
  readonly title: string;
  /** Default: all. */
  readonly only?: Kinds;
  /** Why the real CLI cannot do it. Default: it can. */
  readonly modelOnly?: string;
  /** Why the model of the engine cannot do it. Default: it can. */
  readonly cliOnly?: string;
  readonly carryOut: Steps;
}

export type Rows = Readonly<Record<string, Steps | Omit<Refactoring, "title">>>;

/** The kinds for which a refactoring makes sense. */
type Kinds = (facts: KindFacts, sample: Sample) => boolean;

/** Other kinds have no name of their own. */
export const named: Kinds = ({ isNamed }) => isNamed;

/** Nothing of other kinds can be changed in place. */
export const changeable: Kinds = (_, { definition }) => definition.update !== undefined;

/** Other kinds are not deleted with a project. Its keys are revoked only when it can no longer be recovered. */
export const inProject: Kinds = ({ path }) => path.startsWith("/projects/:projectId/");

/** The platform never takes the same object of other kinds again. */
export const repeatable: Kinds = ({ once }) => !once;
