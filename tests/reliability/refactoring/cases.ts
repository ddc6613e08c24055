import type { Sample } from "../../support/sample";
import { samples } from "../../support/samples";
import { suits, type Refactoring } from "./refactoring";
import { refactorings } from "./refactorings";

/** A refactoring of a resource of some kind. */
export interface Case {
  readonly sample: Sample;
  readonly refactoring: Refactoring;
}

/** Which cases are meant; all of them where nothing is said. */
export interface Part {
  readonly kinds?: readonly string[] | undefined;
  /** The name of a case, or how it begins. */
  readonly name?: string | undefined;
}

export function nameOf({ sample, refactoring }: Case): string {
  return `${sample.kind}/${refactoring.title}`;
}

/** Every refactoring of every kind for which it makes sense. */
export function casesOf({ kinds, name = "" }: Part): readonly Case[] {
  const all = Object.values(samples)
    .filter(({ kind }) => kinds?.includes(kind) ?? true)
    .flatMap((sample) =>
      refactorings.filter((one) => suits(one, sample)).map((refactoring): Case => ({ sample, refactoring })),
    );
  const exactly = all.filter((one) => nameOf(one) === name);
  return exactly.length > 0 ? exactly : all.filter((one) => nameOf(one).startsWith(name));
}
