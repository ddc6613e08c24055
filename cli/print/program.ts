/** A program that declares resources, in no language. */
export interface Program {
  /** Ids that several resources name and no resource has. */
  readonly constants: readonly (readonly [name: string, value: string])[];
  /** Resources in groups of what stands together, each after those that it refers to. */
  readonly groups: readonly (readonly Declaration[])[];
}

/** A resource of a program. Every one is protected from being deleted. */
export interface Declaration {
  /** What other resources call it. */
  readonly variable: string;
  /** Whether one of them does. */
  readonly isReferenced: boolean;
  readonly kind: string;
  /** Its logical name. */
  readonly name: string;
  readonly args: Members;
}

/** A value, or what holds it. */
export type Expression = string | number | boolean | Reference | readonly Expression[] | Members;

/** The members of an object. */
export interface Members {
  readonly [name: string]: Expression;
}

/** A constant, or the output of a resource. */
export class Reference {
  readonly variable: string;
  readonly output: string | undefined;

  constructor(variable: string, output?: string) {
    this.variable = variable;
    this.output = output;
  }
}

export function isList(value: Expression | undefined): value is readonly Expression[] {
  return Array.isArray(value);
}

export function isMembers(value: Expression | undefined): value is Members {
  return typeof value === "object" && !isList(value) && !(value instanceof Reference);
}
