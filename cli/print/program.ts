/** A program that declares resources, independent of the language. */
export interface Program {
  /** Ids that several resources use and that no resource outputs. */
  readonly constants: readonly (readonly [name: string, value: string])[];
  /** Resources in groups that are printed together. Each resource comes after those that it refers to. */
  readonly groups: readonly (readonly Declaration[])[];
}

/** A resource of a program. All resources are printed with `protect`. */
export interface Declaration {
  /** The variable by which other resources refer to this one. */
  readonly variable: string;
  /** Whether another resource refers to this one. */
  readonly isReferenced: boolean;
  readonly kind: string;
  /** Its logical name. */
  readonly name: string;
  readonly args: Members;
}

/** A value, or a reference to one. */
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
