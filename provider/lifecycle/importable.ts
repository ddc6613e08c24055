import { ruleFor } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { leafPaths, pick, type Values } from "../values";

/**
 * The inputs of an object that is imported, from its outputs. A program that declares fewer of them changes nothing: an
 * input whose removal clears something is not among them, nor is one that the platform does not report.
 */
export function importable({ inputs, rules }: AnyKind, outputs: Values): Values {
  let paths = leafPaths(outputs).filter((path) => {
    const { onRemove, platform } = ruleFor(rules, path);
    return onRemove !== "clear" && platform !== "write-only" && platform !== "unaware";
  });
  // What no program can declare is dropped, until the schema takes the rest.
  for (;;) {
    const values = pick(outputs, paths);
    const refused = (inputs.safeParse(values).error?.issues ?? []).flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => [...issue.path, key].join("."))
        : [issue.path.join(".")],
    );
    const left = paths.filter((path) => !refused.some((one) => path === one || path.startsWith(`${one}.`)));
    if (left.length === paths.length) return values;
    paths = left;
  }
}
