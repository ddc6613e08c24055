import type { Owner } from "../call/visibility";
import { atPath, leafPaths, pick, type Values } from "../values";
import { isDefault } from "./defaults";
import { type Changes, presentAt, replaces, ruleFor, same } from "./field-rules";
import type { AnyKind } from "./kind";

/** The declared paths: every single value, without `adopt`, which is never a difference, and those that ask for nothing. */
export function declaredPaths({ rules }: Pick<AnyKind, "rules">, inputs: Values): readonly string[] {
  return leafPaths(inputs)
    .filter((path) => path !== "adopt" && !(ruleFor(rules, path).unset === "false" && atPath(inputs, path) === false))
    .sort();
}

/**
 * The paths at which the program declares something else than there is. An input that the program omits is no difference,
 * except one that removal clears, if it was declared before.
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

/** The inputs at these paths that would declare an object as it is. */
export function inputsAt({ rules }: Pick<AnyKind, "rules">, outputs: Values, paths: readonly string[]): Values {
  const contents = paths.filter((path) => ruleFor(rules, path).content !== undefined);
  const read = contents.flatMap((path) => {
    const value = presentAt(rules, outputs, path);
    return value === undefined ? [] : [[path, value] as const];
  });
  return { ...pick(outputs, paths), ...Object.fromEntries(read) };
}

/** The paths at which an object that is adopted or recovered is changed to what the program declares. */
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

/** The inputs among these at which the program declares what the object is by now, whatever the state says. */
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
 * Inputs that are declared for the first time, and that the state records from then on, even with the present value: those
 * that removal clears, and those that the platform moves.
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

/** Whether a path, or something in it, is among these. */
function reaches(path: string, paths: readonly string[]): boolean {
  return paths.some((other) => other === path || other.startsWith(`${path}.`));
}

/** The changed paths as kinds ask for them. */
export function changesAt(paths: readonly string[]): Changes {
  return { has: (path) => reaches(path, paths) || paths.some((changed) => path.startsWith(`${changed}.`)) };
}

/**
 * Those of the named inputs that are declared and have changed. Of `settings`, the members that have changed, each as a
 * whole: how the platform merges their own members is not specified.
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
