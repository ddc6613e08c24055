import type { Sample } from "../../support/sample";
import { samples } from "../../support/samples";
import { named, type Part } from "../case-run";
import { suits, type Refactoring } from "./refactoring";
import { refactorings } from "./refactorings";

/** A refactoring of a resource of one kind. */
export interface Case {
  readonly sample: Sample;
  readonly refactoring: Refactoring;
}

export function nameOf({ sample, refactoring }: Case): string {
  return `${sample.kind}/${refactoring.title}`;
}

/** Every refactoring of every kind for which it makes sense. */
export function casesOf(part: Part): readonly Case[] {
  const all = Object.values(samples)
    .filter(({ kind }) => part.kinds?.includes(kind) ?? true)
    .flatMap((sample) =>
      refactorings.filter((one) => suits(one, sample)).map((refactoring): Case => ({ sample, refactoring })),
    );
  return named(all, nameOf, part);
}
