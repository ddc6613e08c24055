import type { Changes } from "../../kind/kind";
import type { Values } from "../../kind/values";

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
