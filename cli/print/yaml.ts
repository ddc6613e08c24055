import { dump } from "js-yaml";

import { type Expression, isList, isMembers, type Program, Reference } from "./program";

/** A program in YAML, for a `Main.yaml` in the folder of `Pulumi.yaml`. */
export function yaml({ constants, groups }: Program): string {
  const format = (value: unknown): string => dump(value, { lineWidth: 120, noRefs: true, quotingType: '"' });
  const variables = constants.length === 0 ? "" : format({ variables: Object.fromEntries(constants.map(literal)) });
  const resources = groups.map((group) => {
    const entries = group.map(({ variable, kind, name, args }) => {
      // The logical name may contain characters that references do not allow, so `name` holds it separately.
      const properties = plain(args);
      return [variable, { type: `neon:${kind}`, name, properties, options: { protect: true } }] as const;
    });
    return format(Object.fromEntries(entries)).replace(/^(?=.)/gm, "  ");
  });
  return `${variables}resources:\n${resources.join("\n")}`;
}

function literal([name, value]: readonly [string, string]): readonly [string, unknown] {
  return [name, plain(value)];
}

function plain(value: Expression): unknown {
  if (value instanceof Reference) return `\${${[value.variable, value.output].filter(Boolean).join(".")}}`;
  // Escape `${`, because Pulumi reads references in texts and map keys.
  if (typeof value === "string") return escaped(value);
  if (isList(value)) return value.map(plain);
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [escaped(name), plain(member)]));
}

function escaped(text: string): string {
  return text.replaceAll("${", () => "$${");
}
