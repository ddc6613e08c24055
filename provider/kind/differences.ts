import type { Owner } from "../call/visibility";
import { atPath, leafPaths, pick, type Values } from "../values";
import { isDefault } from "./defaults";
import { type Changes, presentAt, replaces, ruleFor, same } from "./field-rules";
import type { AnyKind } from "./kind";

/**
 * The paths of all single values that the program declares. `adopt` is omitted, because it is never a difference, and
 * so is a `false` that means the same as no value.
 */
export function declaredPaths({ rules }: Pick<AnyKind, "rules">, inputs: Values): readonly string[] {
  return leafPaths(inputs)
    .filter((path) => path !== "adopt" && !(ruleFor(rules, path).unset === "false" && atPath(inputs, path) === false))
    .sort();
}

/**
 * The paths at which the object differs from the program. An omitted input is not a difference, unless its removal
 * clears it and it was declared before.
 */
export function differences(
  kind: Pick<AnyKind, "rules" | "inputs">,
  actual: Values,
  declaredBefore: readonly string[],
  inputs: Values,
): readonly string[] {
  const { rules } = kind;
  const declared = declaredPaths(kind, inputs);
  const changed = declared.filter((path) => {
    const [present, wanted] = [presentAt(rules, actual, path), atPath(inputs, path)];
    return !same(ruleFor(rules, path), present, wanted) && !(present === undefined && isDefault(kind, path, wanted));
  });
  const cleared = Object.keys(rules).filter(
    (path) => rules[path]?.onRemove === "clear" && reaches(path, declaredBefore) && !reaches(path, declared),
  );
  return [...changed, ...cleared];
}

/** The inputs at these paths, with values that match the object. */
export function inputsAt({ rules }: Pick<AnyKind, "rules">, outputs: Values, paths: readonly string[]): Values {
  const contents = paths.filter((path) => ruleFor(rules, path).content !== undefined);
  const read = contents.flatMap((path) => {
    const value = presentAt(rules, outputs, path);
    return value === undefined ? [] : [[path, value] as const];
  });
  return { ...pick(outputs, paths), ...Object.fromEntries(read) };
}

/** The paths at which an adopted or recovered object is changed to match the program. */
export function adjustments(
  kind: Pick<AnyKind, "rules" | "inputs">,
  actual: Values,
  inputs: Values,
): readonly string[] {
  return differences(kind, actual, [], inputs).filter((path) => {
    const { platform, refuse } = ruleFor(kind.rules, path);
    const isFixed = replaces(kind.rules, path, actual) || (platform === "write-only" && refuse !== undefined);
    return !isFixed && platform !== "unaware";
  });
}

/**
 * The paths among these at which the program declares the object's present value, even if the state holds another one.
 */
export function declaredAsPresent(
  { rules }: Pick<AnyKind, "rules">,
  paths: readonly string[],
  inputs: Values,
  owner: Owner | undefined,
): readonly string[] {
  if (owner === undefined) return [];
  return paths.filter((path) => {
    const rule = ruleFor(rules, path);
    return rule.present !== undefined && same(rule, rule.present(owner), atPath(inputs, path));
  });
}

/**
 * Inputs that are declared for the first time and that the state has to record, even with the present value: those that
 * removal clears, and those that the platform moves.
 */
export function newlyOwned(
  { rules }: Pick<AnyKind, "rules">,
  declaredBefore: readonly string[],
  inputs: Values,
): readonly string[] {
  const declared = declaredPaths({ rules }, inputs);
  return Object.entries(rules).flatMap(([path, { onRemove, platform }]) => {
    const isOwned = onRemove === "clear" || platform === "moves";
    return isOwned && reaches(path, declared) && !reaches(path, declaredBefore) ? [path] : [];
  });
}

/** Whether a path, or a path below it, is among these. */
function reaches(path: string, paths: readonly string[]): boolean {
  return paths.some((other) => other === path || other.startsWith(`${path}.`));
}

/** The changed paths, in the form that the verbs of a kind query. */
export function changesAt(paths: readonly string[]): Changes {
  return { has: (path) => reaches(path, paths) || paths.some((changed) => path.startsWith(`${changed}.`)) };
}

/**
 * The named inputs that are declared and have changed. `settings` is reduced to its changed members. Each of these is
 * passed whole, because the platform does not specify how it merges nested members.
 */
export function changedInputs(declared: Values, names: readonly string[], changes: Changes): Values {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = declared[name];
      if (value === undefined || !changes.has(name)) return [];
      if (name !== "settings") return [[name, value]];
      const members = Object.entries(value as Values).filter(
        ([member, setting]) => setting !== undefined && changes.has(`settings.${member}`),
      );
      return members.length === 0 ? [] : [[name, Object.fromEntries(members)]];
    }),
  );
}
