import type { Sample } from "../../support/sample";
import type { KindFacts } from "./kinds";
import type { Scene } from "./scene";

/** What is done, and what each step may do. Then everything is settled: see {@link Scene.settle}. */
export type Steps = (scene: Scene) => Promise<void>;

/** Something that people do to an existing program or stack. */
export interface Refactoring {
  readonly title: string;
  /** The kinds for which it makes sense, and why not for the others. Default: all. */
  readonly only?: Restriction;
  /** Why the real CLI cannot do it. Default: it can. */
  readonly modelOnly?: string;
  readonly carryOut: Steps;
}

export type Rows = Readonly<Record<string, Steps | Omit<Refactoring, "title">>>;

export interface Restriction {
  readonly because: string;
  readonly suits: (facts: KindFacts, sample: Sample) => boolean;
}

export const named: Restriction = {
  because: "other kinds have no name of their own",
  suits: ({ isNamed }) => isNamed,
};

export const changeable: Restriction = {
  because: "nothing of other kinds can be changed in place",
  suits: (_, { kind }) =>
    !["ApiKey", "OrganizationApiKey", "ProjectApiKey", "ProjectPermission", "JwksUrl"].includes(kind),
};

export const inProject: Restriction = {
  because: "other kinds are not deleted with a project (its keys are revoked only when it can no longer be recovered)",
  suits: (_, { kind }) =>
    !["Project", "ApiKey", "OrganizationApiKey", "ProjectApiKey", "VpcEndpointAssignment"].includes(kind),
};

export const repeatable: Restriction = {
  because: "the platform never takes the same object again",
  suits: ({ once }) => !once,
};
