import { ruleFor, same } from "./field-rules";
import type { Changes, FieldRule, Kind } from "./kind";
import type { Values } from "./values";
import { atPath, declaredAt, leafPaths } from "./values";

/** What a comparison needs to know of a kind. */
interface Comparable {
  readonly rules: Readonly<Record<string, FieldRule>>;
  readonly controls: readonly string[];
}

/** The paths that are declared: every single value, without those that only steer and those that ask for nothing. */
export function declaredPaths(kind: Comparable, inputs: Values): readonly string[] {
  return leafPaths(inputs).filter(
    (path) =>
      !kind.controls.includes(top(path)) &&
      !(ruleFor(kind.rules, path).unset === "false" && atPath(inputs, path) === false),
  );
}

/**
 * The paths at which a program wants something else than there is.
 *
 * What a program leaves out is left alone, except an input that clears, which was declared before and is not any more.
 */
export function differences(
  kind: Comparable,
  actual: Values,
  declaredBefore: readonly string[],
  inputs: Values,
): readonly string[] {
  const declared = declaredPaths(kind, inputs);
  const changed = declared.filter(
    (path) => !same(ruleFor(kind.rules, path), declaredAt(actual, path), atPath(inputs, path)),
  );
  const cleared = clearing(kind).filter((path) => reaches(path, declaredBefore) && !reaches(path, declared));
  return [...changed, ...cleared];
}

/**
 * Inputs that are declared for the first time and from then on are the program's, even with the value that is there: those
 * that clear when they are left out, and those that move, which are frozen from then on.
 */
export function newlyOwned(kind: Comparable, declaredBefore: readonly string[], inputs: Values): readonly string[] {
  const declared = declaredPaths(kind, inputs);
  const owned = Object.entries(kind.rules).flatMap(([path, { onRemove, platform }]) =>
    onRemove === "clear" || platform === "moves" ? [path] : [],
  );
  return owned.filter((path) => reaches(path, declared) && !reaches(path, declaredBefore));
}

function clearing(kind: Comparable): readonly string[] {
  return Object.entries(kind.rules).flatMap(([path, rule]) => (rule.onRemove === "clear" ? [path] : []));
}

/** The inputs that no two objects may share, for an object of these inputs. */
export function uniqueInputs(
  { uniqueBy }: Pick<Kind<unknown, unknown>, "uniqueBy">,
  inputs: Values,
): readonly string[] {
  return typeof uniqueBy === "function" ? uniqueBy(inputs) : uniqueBy;
}

/** Whether a path, or something in it, is among these. */
function reaches(path: string, paths: readonly string[]): boolean {
  return paths.some((other) => other === path || other.startsWith(`${path}.`));
}

/** The changed paths as kinds ask for them. */
export function changesAt(paths: readonly string[]): Changes {
  return { has: (path) => reaches(path, paths) || paths.some((changed) => path.startsWith(`${changed}.`)) };
}

/** The first part of a path. */
export function top(path: string): string {
  return path.split(".", 1)[0] ?? path;
}
